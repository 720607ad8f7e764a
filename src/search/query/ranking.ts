import { isDefinition } from '../chunker/chunker.ts';
import type { ChunkOutline, StoredChunk } from '../store/files/chunkReader.ts';
import { stem } from '../store/stem.ts';
import type { WordHit } from '../store/wordIndex.ts';
import { queryWords, splitIdentifier } from '../store/words.ts';

/** The half of the search that found a hit; `definition`: it defines a name in the question, whichever half found it. */
export type Why = 'words' | 'meaning' | 'both' | 'definition';

export interface Ranked {
  chunk: StoredChunk;
  /** Score over 0; 1 is first in both halves, with no rule for or against it. */
  score: number;
  why: Why;
  /** The line, counted from 1, that best shows why the chunk was found, and its text. */
  line: number;
  preview: string;
}

/** Weights of the rules. Chosen on one half of the questions of `npm run bench -- retrieval`, which judges by the other. */
export interface Gains {
  /** Bonus for the best-fitting name a chunk defines: at a full fit its relevance is multiplied by 1 + this. */
  definition: number;
  /** Bonus for the share of the question's words in the names of file and folder. */
  path: number;
  /** Bonus for a file all of whose hits are good: at most this share is added to its best one. */
  coherence: number;
  /** Factor for tests, examples and code kept for old callers, unless the question asks for them. */
  aside: number;
  /** Factor for declaration files: of two equal hits, the code comes first. */
  declaration: number;
  /** Hits of one file allowed among the first `top`; further ones come after those of other files. */
  hitsAFile: number;
  top: number;
}
export const gains: Gains = {
  definition: 4,
  path: 1,
  coherence: 0.02,
  aside: 0.75,
  declaration: 0.98,
  hitsAFile: 2,
  top: 5,
};

/** Reciprocal rank fusion, Cormack, Clarke and Büttcher, SIGIR 2009: the constant that evens out the top ranks. */
const fusionConstant = 60;
/** Share of words in the fusion; meaning has the rest. A symbol is found by its letters, so words count more. */
const wordsPart = { sentence: 0.5, symbol: 0.7 } as const;
/** Minimum fit from which a name counts as the one the question asks for. */
const named = 2 / 3;

/** Reads chunks for ranking; a deleted chunk is undefined. */
export interface Reader {
  outline(id: number): ChunkOutline | undefined;
  chunk(id: number): StoredChunk | undefined;
}

interface Candidate {
  chunk: ChunkOutline;
  /** Fit of the chunk's best name with the question, from 0 to 1. */
  fit: number;
  relevance: number;
  score: number;
  halves: Exclude<Why, 'definition'>;
}

/**
 * One list from two: the hits by words in the order of their relevance, with a bonus for definitions and paths that the
 * question names; both halves fused by reciprocal rank; then rules for tests and for hits of the same file.
 * @param words in the order of their relevance, which is over 0
 * @param meaning ids of chunks, the nearest first
 */
export function rank(
  query: string,
  words: readonly WordHit[],
  meaning: readonly number[],
  { outline, chunk: read }: Reader,
  limit: number,
  counts: Gains = gains,
): Ranked[] {
  const asked = new Set(queryWords(query).map(stem));
  const candidates = new Map<number, Candidate>();
  const best = words[0]?.relevance ?? 1;
  for (const { id, relevance } of words) {
    const chunk = outline(id);
    if (chunk === undefined) continue;
    const fit = fitOf(chunk, asked);
    const gain = 1 + counts.definition * fit + counts.path * inPath(chunk.path, asked);
    candidates.set(id, { chunk, fit, relevance: (relevance / best) * gain, score: 0, halves: 'words' });
  }
  const part = isSymbol(query) ? wordsPart.symbol : wordsPart.sentence;
  const byWords = [...candidates.values()].sort((a, b) => b.relevance - a.relevance || a.chunk.id - b.chunk.id);
  for (const [index, candidate] of byWords.entries()) candidate.score = part * reciprocal(index + 1);
  for (const [index, id] of meaning.entries()) {
    const score = (1 - part) * reciprocal(index + 1);
    const known = candidates.get(id);
    if (known !== undefined) Object.assign(known, { score: known.score + score, halves: 'both' });
    const chunk = known === undefined ? outline(id) : undefined;
    if (chunk === undefined) continue;
    candidates.set(id, { chunk, fit: fitOf(chunk, asked), relevance: 0, score, halves: 'meaning' });
  }
  const all = [...candidates.values()];
  for (const candidate of all) candidate.score *= weightOf(candidate.chunk.path, asked, counts);
  addCoherence(all, counts.coherence);
  all.sort((a, b) => b.score - a.score || a.chunk.id - b.chunk.id);
  return spread(all, counts)
    .slice(0, limit)
    .flatMap(({ chunk: { id }, score, fit, halves }) => {
      const chunk = read(id);
      if (chunk === undefined) return [];
      return [{ chunk, score, why: fit >= named ? 'definition' : halves, ...bestLine(chunk, asked) }];
    });
}

const reciprocal = (at: number): number => (fusionConstant + 1) / (fusionConstant + at);

/** Whether a query looks like a symbol in code: `parseHeader`, `tide_table`, `Store.open()`, `std::move`. */
function isSymbol(query: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$.:#]*(\(\))?$/u.test(query) && /[\p{Ll}\p{N}]\p{Lu}|[_$.:#(]/u.test(query);
}

/** Fit of a chunk's names with the question: the harmonic mean of the shares each has of the other. */
function fitOf(chunk: ChunkOutline, asked: ReadonlySet<string>): number {
  let best = 0;
  for (const name of chunk.names) {
    const own = stemsOf(name);
    const shared = new Set(own.filter((word) => asked.has(word))).size;
    best = Math.max(best, (2 * shared) / (own.length + asked.size));
  }
  return best;
}

const stemsOf = (name: string): string[] => splitIdentifier(name).map((word) => stem(word.toLowerCase()));

/** The share of the question's words that occur in, or begin, words of the file's and its folder's name. */
function inPath(path: string, asked: ReadonlySet<string>): number {
  const names = path
    .split('/')
    .slice(-2)
    .join(' ')
    .replace(/\.\w+$/, '');
  const own = names.split(/[^\p{L}\p{N}_$]+/u).flatMap(stemsOf);
  const found = [...asked].filter((word) => own.some((part) => part.length >= 3 && part.startsWith(word)));
  return asked.size === 0 ? 0 : found.length / asked.size;
}

function weightOf(path: string, asked: ReadonlySet<string>, { aside, declaration }: Gains): number {
  const kind =
    /(?:^|\/)(tests?|__tests__|spec|examples?|fixtures?|compat|legacy|deprecated)\//i.exec(path) ??
    /[._-](test|spec)\.[^/]+$/i.exec(path);
  const isAside = kind !== null && ![...stemsOf(kind[1] ?? ''), 'test'].some((word) => asked.has(word));
  return (isAside ? aside : 1) * (/\.d\.[cm]?ts$/.test(path) ? declaration : 1);
}

const fileOf = ({ chunk }: Candidate): string => `${chunk.root}\0${chunk.path}`;

/** Adds a bonus to the best hit of each file, by the sum of its hits. */
function addCoherence(all: readonly Candidate[], gain: number): void {
  const files = new Map<string, { sum: number; best: Candidate }>();
  for (const candidate of all) {
    const file = files.get(fileOf(candidate));
    if (file === undefined) files.set(fileOf(candidate), { sum: candidate.score, best: candidate });
    else {
      file.sum += candidate.score;
      if (candidate.score > file.best.score) file.best = candidate;
    }
  }
  const most = Math.max(...[...files.values()].map(({ sum }) => sum));
  for (const { sum, best } of files.values()) best.score *= 1 + (gain * sum) / most;
}

/** Fills the top with at most `hitsAFile` hits of a file; the others come right behind it. */
function spread(ranked: readonly Candidate[], { hitsAFile, top }: Gains): Candidate[] {
  const seen = new Map<string, number>();
  const first: Candidate[] = [];
  const rest: Candidate[] = [];
  for (const candidate of ranked) {
    const count = (seen.get(fileOf(candidate)) ?? 0) + 1;
    const isFirst = first.length < top && count <= hitsAFile;
    if (isFirst) seen.set(fileOf(candidate), count);
    (isFirst ? first : rest).push(candidate);
  }
  return [...first, ...rest];
}

/** The line with most of the question's words; without any, the first definition, or the first line with text. */
function bestLine(chunk: StoredChunk, asked: ReadonlySet<string>): { line: number; preview: string } {
  const lines = chunk.text.split('\n');
  let best = { index: 0, worth: -1 };
  for (const [index, line] of lines.entries()) {
    if (!/[\p{L}\p{N}]/u.test(line)) continue;
    const found = new Set(
      queryWords(line)
        .map(stem)
        .filter((word) => asked.has(word)),
    ).size;
    const worth = found * 2 + (isDefinition(line) ? 1 : 0);
    if (worth > best.worth) best = { index, worth };
  }
  const line = Math.min(chunk.startLine + best.index, chunk.endLine);
  return { line, preview: (lines[best.index] ?? '').trim().slice(0, 200) };
}
