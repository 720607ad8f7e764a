import { isDefinition } from './chunks.ts';
import type { ChunkOutline, StoredChunk } from './store.ts';
import type { WordHit } from './wordIndex.ts';
import { queryWords, splitIdentifier, stem } from './words.ts';

/** Which half of the search found a hit; `definition`: it defines what the question names, whichever half found it. */
export type Why = 'words' | 'meaning' | 'both' | 'definition';

export interface Ranked {
  chunk: StoredChunk;
  /** Over 0; 1 is first in both halves, with no rule for or against it. */
  score: number;
  why: Why;
  /** The line that best shows why, counted from 1, and its text. */
  line: number;
  preview: string;
}

/** What the rules count. Chosen on one half of the questions of `npm run bench -- retrieval`, which judges by the other. */
export interface Gains {
  /** The name that fits the question best, of those that a chunk defines: at a full fit its relevance counts 1 + this. */
  definition: number;
  /** The share of the question's words in the names of file and folder. */
  path: number;
  /** A file all of whose hits are good: at most this share is added to its best one. */
  coherence: number;
  /** Tests, examples and code kept for old callers, where the question does not ask for them. */
  aside: number;
  /** Of two that are as good, the code stands before its declaration. */
  declaration: number;
  /** More hits of one file than this stand behind those of others, among the first `top` hits. */
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
/** The part of the words in the fusion; meaning has the rest. A name is found by its letters. */
const wordsPart = { sentence: 0.5, symbol: 0.7 } as const;
/** From this fit on, a name is what the question asks for. */
const named = 2 / 3;

/** Where the order learns of chunks; a chunk that is gone is undefined. */
export interface Reader {
  outline(id: number): ChunkOutline | undefined;
  chunk(id: number): StoredChunk | undefined;
}

interface Candidate {
  chunk: ChunkOutline;
  /** How well the best of the names it defines fits the question, from 0 to 1. */
  fit: number;
  relevance: number;
  score: number;
  halves: Exclude<Why, 'definition'>;
}

/**
 * One list from two: the hits by words in the order of their relevance, in which definitions and paths that the question
 * names count more; both halves fused by reciprocal rank; then rules for tests and for hits of the same file.
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

/** A name as it stands in code, by its looks: `parseHeader`, `tide_table`, `Store.open()`, `std::move`. */
function isSymbol(query: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$.:#]*(\(\))?$/u.test(query) && /[\p{Ll}\p{N}]\p{Lu}|[_$.:#(]/u.test(query);
}

/** How well the names a chunk defines fit the question: the harmonic mean of the shares each has of the other. */
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

/** The share of the question's words that the names of the file and its folder have, or begin with. */
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

/** Adds to the best hit of each file by the sum of what the file has. */
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

/** Fills the top with at most so many hits of a file; what had to wait comes right behind it. */
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

/** The line with most of the words asked for; without any, the first definition, or the first line with text. */
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
