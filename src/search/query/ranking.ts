import { posix } from 'node:path';
import type { ChunkOutline, StoredChunk } from '../store/files/chunkReader.ts';
import type { WordCounts, WordHit } from '../store/wordIndex.ts';
import type { Nearest } from '../types.ts';
import { type BestLines, bestLines } from './bestLines.ts';
import { askedShare, type FileKind, fileKind } from './fileKind.ts';
import { exactnessOf, fitOfNames, type RoleWeights } from './fit/nameFit.ts';
import { createPathFit } from './fit/pathFit.ts';
import { scoresOf, sharesOf } from './fusion.ts';
import { type QueryTerms, readTerms } from './queryTerms.ts';
import type { WordRun } from './wordRuns.ts';

/** The half of the search that found a hit; `definition`: it defines a name in the terms, whichever half found it. */
export type Why = 'words' | 'meaning' | 'both' | 'definition';

export interface Ranked extends BestLines {
  readonly chunk: StoredChunk;
  /** From 0 to 1; 1 is best in both halves, or defines the very name that is asked for. */
  readonly score: number;
  readonly why: Why;
  /** Whether it has but a few of the words, and much less to do with the question than the best hit. */
  readonly isWeak: boolean;
}

/** What both halves of a search found for some terms. */
export interface Found {
  readonly text: string;
  /** In the order of their relevance, which is over 0. */
  readonly words: readonly WordHit[];
  /** The nearest first. */
  readonly meaning: readonly Nearest[];
  /** How rare the words of the question are; without it, all weigh the same. */
  readonly counts?: WordCounts | undefined;
  /** By chunks: the share of the pairs of neighbouring words of the question that stand side by side there. */
  readonly adjacent?: ReadonlyMap<number, number> | undefined;
  /** By chunks: the longest run of the question's words that stands there as it does in the question. */
  readonly runs?: ReadonlyMap<number, WordRun> | undefined;
}

/** Weights of the rules. Chosen on one part of the projects of `npm run bench -- retrieval`, which judges by others. */
export interface Gains {
  /** Bonus for the best-fitting name a chunk defines: at a full fit its relevance is multiplied by 1 + this. */
  definition: number;
  /** Bonus for the fit of the names of file and folder. */
  path: number;
  /** Bonus for the file of a chunk in which words that follow each other in the question stand side by side. */
  adjacent: number;
  /** Share of the sum over a file's best chunks that is added to each of them. */
  file: number;
  /** What each further chunk of a file counts in that sum, as a share of the one before. */
  decay: number;
  /** The same bonus where meaning found something, too: added to all hits of both halves once they are one list. */
  pathOfBoth: number;
  /** Bonus, over all others, for a chunk in which a run of four or more words of the question stands. */
  run: number;
  /** Bonus, over all others, for a chunk that defines the very name that is asked for, by the name's share of the question. */
  exact: number;
  /** Share of that bonus for a declaration that is no type's own, and for one that only adds to a name declared elsewhere. */
  roles: RoleWeights;
  /** How well a name that is only added to fits at most. */
  mention: number;
  /** Factors for files that stand beside the code, as far as the question does not ask for such files. */
  kinds: Readonly<Record<Exclude<FileKind, 'code'>, number>>;
  /** Factor for each further hit of a file after the first `hitsAFile`. */
  repeat: number;
  hitsAFile: number;
  /** Share of the best hit's relevance, by words and by rules, under which a hit by words alone is weak. */
  weak: number;
}
export const gains: Gains = {
  definition: 3,
  path: 4,
  adjacent: 2.5,
  file: 0.35,
  decay: 0.6,
  pathOfBoth: 0.6,
  run: 2,
  exact: 1,
  roles: { other: 0.9, mention: 0.3 },
  mention: 0.6,
  kinds: { test: 0.3, example: 0.4, old: 0.8, declaration: 0.95, prose: 0.35, output: 0.85, build: 0.7 },
  repeat: 0.85,
  hitsAFile: 1,
  weak: 0.35,
};

/** How exactly a name is asked for by just the words that it is made of, such as `parse header` for `parseHeader`. */
const allWords = 0.4;
/** Minimum fit from which a name counts as the one the question asks for. */
const named = 2 / 3;

/** Reads chunks for ranking; a deleted chunk is undefined. */
export interface Reader {
  outline(id: number): ChunkOutline | undefined;
  chunk(id: number): StoredChunk | undefined;
}

interface Candidate {
  readonly chunk: ChunkOutline;
  /** Fit of the chunk's best name with the terms, from 0 to 1. */
  readonly fit: number;
  readonly exact: number;
  /** Share of the pairs of neighbouring words that it has. */
  readonly adjacent: number;
  /** By words alone, as a share of the best hit's. */
  readonly share: number;
  relevance: number;
  score: number;
  halves: Exclude<Why, 'definition'>;
}

/**
 * One list from two: the hits by words in the order of their relevance, with bonuses for definitions, for paths that the question
 * names, for words that stand side by side as in the question, and for files with several good hits; both halves fused (fusion.ts); then rules for what stands beside the code and for hits
 * of the same file.
 */
export function rank(found: Found, { outline, chunk: read }: Reader, limit: number, counts: Gains = gains): Ranked[] {
  const terms = readTerms(found.text, found.counts);
  const candidates = new Map<number, Candidate>();
  function add(id: number, relevance: number, halves: Candidate['halves']): void {
    const chunk = outline(id);
    if (chunk === undefined) return;
    const own = fitOfNames(chunk, terms, counts.mention);
    const { exact: written, share: asked } = exactnessOf(chunk, terms, counts.roles);
    const exact = Math.max(written * asked, own === 1 && terms.words.size > 1 ? allWords : 0);
    const adjacent = found.adjacent?.get(id) ?? 0;
    const fit = Math.max(written, own);
    candidates.set(id, { chunk, fit, exact, adjacent, share: relevance, relevance, score: 0, halves });
  }
  const best = found.words[0]?.relevance ?? 1;
  for (const { id, relevance } of found.words) add(id, relevance / best, 'words');
  const weigh = createWeights(terms, counts);
  const isFused = found.words.length > 0 && found.meaning.length > 0;
  applyRules([...candidates.values()], weigh, terms, isFused ? { ...counts, path: 0 } : counts);
  const part = sharesOf(terms.isSymbol, found.words.length > 0, found.meaning.length > 0);
  const top = Math.max(0, ...[...candidates.values()].map(({ relevance }) => relevance));
  for (const candidate of candidates.values()) candidate.score = (part.words * candidate.relevance) / (top || 1);
  for (const [id, near] of scoresOf(found.meaning)) {
    const known = candidates.get(id);
    if (known === undefined) add(id, 0, 'meaning');
    else known.halves = 'both';
    const candidate = candidates.get(id);
    if (candidate !== undefined) candidate.score += part.meaning * near * weigh(candidate.chunk.path);
  }
  const all = [...candidates.values()];
  if (isFused) addPaths(all, weigh, terms, counts.pathOfBoth * part.words);
  for (const candidate of all) candidate.score += candidate.exact * counts.exact * weigh(candidate.chunk.path);
  for (const candidate of all) candidate.score += runOf(found, candidate) * counts.run * weigh(candidate.chunk.path);
  all.sort((a, b) => b.score - a.score || a.chunk.id - b.chunk.id);
  const least = top * counts.weak;
  return spread(all, counts)
    .slice(0, limit)
    .flatMap(({ chunk: outlined, score, fit, halves, relevance, share }) => {
      const chunk = read(outlined.id);
      if (chunk === undefined) return [];
      const why = Math.max(fit, fitOfNames(outlined, terms)) >= named ? 'definition' : halves;
      const isWeak = why === 'words' && !found.runs?.has(outlined.id) && relevance < least && share < counts.weak;
      return [{ chunk, score: Math.min(1, score), why, isWeak, ...bestLines(chunk, terms) }];
    });
}

/**
 * What the longest run of the question's words in a chunk is worth, from 0 to 1. A message that the program says, or all of a question, is
 * the best evidence there is; a few words in a row are none, as sentences about code often share some with another one.
 */
function runOf({ runs }: Found, { chunk }: Candidate): number {
  const { share, partShare, isSaid } = runs?.get(chunk.id) ?? noRun;
  return (isSaid && partShare >= pasted) || share === 1 ? (1 + partShare) / 2 : 0;
}

const noRun: WordRun = { share: 0, partShare: 0, isSaid: false };
/** The share of a part of a question from which it is the message that was pasted. */
const pasted = 0.65;

/** The factor for the kind of a file. */
function createWeights(terms: QueryTerms, { kinds }: Gains): (path: string) => number {
  return (path) => {
    const kind = fileKind(path);
    return kind === 'code' ? 1 : kinds[kind] ** (1 - askedShare(kind, terms));
  };
}

/** Gives the hits by words the relevance that the rules make of it. */
function applyRules(
  all: readonly Candidate[],
  weigh: (path: string) => number,
  terms: QueryTerms,
  { definition, path, adjacent, file, decay }: Gains,
): void {
  const fitOf = createPathFit(terms, pathsOf(all));
  const files = new Map<string, Candidate[]>();
  for (const candidate of all) {
    candidate.relevance *= 1 + definition * candidate.fit;
    const key = fileOf(candidate);
    const others = files.get(key);
    if (others === undefined) files.set(key, [candidate]);
    else others.push(candidate);
  }
  for (const own of files.values()) {
    const [{ chunk }] = own as [Candidate];
    const sum = own
      .map(({ relevance }) => relevance)
      .sort((a, b) => b - a)
      .reduce((whole, relevance, at) => whole + relevance * decay ** at, 0);
    const pairs = Math.max(...own.map((candidate) => candidate.adjacent));
    const bonus = file * sum + path * fitOf(chunk.path) + adjacent * pairs;
    for (const candidate of own) candidate.relevance = (candidate.relevance + bonus) * weigh(chunk.path);
  }
}

const pathsOf = (all: readonly Candidate[]): Set<string> => new Set(all.map(({ chunk }) => chunk.path));

/** Adds the fit of their paths to all hits of a list. A hit by meaning gets it, too: what it is called is no matter of its words. */
function addPaths(all: readonly Candidate[], weigh: (path: string) => number, terms: QueryTerms, gain: number): void {
  const fitOf = createPathFit(terms, pathsOf(all));
  for (const candidate of all) candidate.score += gain * fitOf(candidate.chunk.path) * weigh(candidate.chunk.path);
}

const fileOf = ({ chunk }: Candidate): string => `${chunk.root}\0${chunk.path}`;

/** Moves the further hits of a file, and of its copies, behind those of others that are about as good. */
function spread(ranked: readonly Candidate[], { hitsAFile, repeat }: Gains): Candidate[] {
  const seen = new Map<string, number>();
  const originals = new Map<string, Candidate>();
  for (const candidate of ranked) {
    const original = originals.get(nameKey(candidate));
    if (original === undefined) originals.set(nameKey(candidate), candidate);
    const file = fileOf(original !== undefined && isCopy(candidate, original) ? original : candidate);
    const count = (seen.get(file) ?? 0) + 1;
    seen.set(file, count);
    candidate.score *= repeat ** Math.max(0, count - hitsAFile);
  }
  return [...ranked].sort((a, b) => b.score - a.score);
}

/** What a chunk and its copy in another folder have in common. */
const nameKey = ({ chunk: { path, names } }: Candidate): string => [posix.basename(path), ...names].join('\0');

/** Whether a chunk defines the same names, in a file of the same name, and is as relevant by its words: a copy, or nearly one. */
function isCopy({ chunk, share }: Candidate, original: Candidate): boolean {
  return chunk.names.length > 0 && Math.abs(share - original.share) <= original.share * mostUnlike;
}

/** How much the relevance of a copy differs from that of its original, at most. */
const mostUnlike = 0.1;
