import { isDefinition } from './chunks.ts';
import type { StoredChunk } from './store.ts';
import { queryWords, splitIdentifier } from './words.ts';

/** Which half of the search found a hit. */
export type Why = 'words' | 'meaning' | 'both';

export interface Ranked {
  chunk: StoredChunk;
  /** Over 0; 1 is first in both halves, with no rule for or against it. */
  score: number;
  why: Why;
  /** The line that best shows why, counted from 1, and its text. */
  line: number;
  preview: string;
}

/** Reciprocal rank fusion, Cormack, Clarke and Büttcher, SIGIR 2009: the constant that evens out the top ranks. */
const fusionConstant = 60;
const rules = { definition: 1.3, fileName: 1.2, test: 0.75 } as const;
/** More hits than this of one file stand behind the hits of all other files. */
const hitsAFile = 2;

/**
 * One list from two: reciprocal rank fusion, then small rules (a definition or file name the question names counts more, a
 * test less), then at most two hits a file at the top.
 * @param words, meaning ids of chunks, the best first.
 */
export function rank(
  query: string,
  words: readonly number[],
  meaning: readonly number[],
  read: (id: number) => StoredChunk | undefined,
  limit: number,
): Ranked[] {
  const asked = new Set(queryWords(query).map(stem));
  const byWords = ranksOf(words);
  const byMeaning = ranksOf(meaning);
  const ranked: Ranked[] = [];
  for (const id of new Set([...words, ...meaning])) {
    const chunk = read(id);
    if (chunk === undefined) continue;
    const both = [byWords.get(id), byMeaning.get(id)];
    const fused = both.reduce<number>((sum, at) => sum + (at === undefined ? 0 : 1 / (fusionConstant + at)), 0);
    const why: Why = both[0] === undefined ? 'meaning' : both[1] === undefined ? 'words' : 'both';
    const score = (fused * (fusionConstant + 1)) / 2;
    ranked.push({ chunk, why, score: score * weightOf(chunk, asked), ...bestLine(chunk, asked) });
  }
  ranked.sort((a, b) => b.score - a.score || a.chunk.id - b.chunk.id);
  return spread(ranked).slice(0, limit);
}

function ranksOf(ids: readonly number[]): Map<number, number> {
  return new Map(ids.map((id, index) => [id, index + 1]));
}

/** The first hits of every file before the further hits of any. */
function spread(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Map<string, number>();
  const isEarly = ranked.map(({ chunk }) => {
    const file = `${chunk.root}\0${chunk.path}`;
    const count = (seen.get(file) ?? 0) + 1;
    seen.set(file, count);
    return count <= hitsAFile;
  });
  return [...ranked.filter((_, index) => isEarly[index]), ...ranked.filter((_, index) => !isEarly[index])];
}

function weightOf(chunk: StoredChunk, asked: ReadonlySet<string>): number {
  let weight = 1;
  const name = chunk.path.slice(chunk.path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  if (isNamed(name, asked)) weight *= rules.fileName;
  const definitions = chunk.text.split('\n').filter(isDefinition);
  if (definitions.some((line) => namesOf(line).some((defined) => isNamed(defined, asked)))) weight *= rules.definition;
  if (isTest(chunk.path) && !asked.has('test')) weight *= rules.test;
  return weight;
}

/** The names a definition line gives: what comes before its parameters or body. */
function namesOf(line: string): string[] {
  const head = line.replace(/[({:=<].*$/s, '').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return head.slice(-1);
}

/** All words of a name are in the question. */
function isNamed(name: string, asked: ReadonlySet<string>): boolean {
  const words = splitIdentifier(name.replaceAll('-', '_'));
  return words.length > 0 && words.every((word) => asked.has(stem(word)));
}

function isTest(path: string): boolean {
  return /(^|\/)(tests?|__tests__|spec|examples?|fixtures?)\//i.test(path) || /[._-](test|spec)\.[^/]+$/i.test(path);
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

/** Rough, for comparing two words only: the word index has its own stemmer. */
function stem(word: string): string {
  const lower = word.toLowerCase();
  const cut = lower.replace(/(ies|ied)$/, 'y').replace(/(ing|ed|es|s|e)$/, '');
  return cut.length >= 3 ? cut : lower;
}
