import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { embeddedText } from '../../../../src/search/chunker/outline.ts';
import { databaseName } from '../../../../src/search/store/schema/database.ts';
import { indexedWords } from '../../../../src/search/store/words.ts';
import type { Nearest } from '../../../../src/search/types.ts';
import { createNoise, createRandom, unit } from '../../search/vectors.ts';
import type { Prepared } from '../prepare.ts';
import type { Question } from '../questions.ts';
import { hashedVector } from './hashedFeatures.ts';
import { createLsa } from './lsa.ts';

/** Finds the chunks nearest to a question, the nearest first. */
export type FindNearest = (question: Question) => readonly Nearest[];

/** As many as `search/query/findByMeaning.ts` takes. */
const candidates = 100;

/** How far a question is from the chunk that answers it, as the length of the noise beside the chunk's own vector. */
const noises = { 'noisy neighbours, far': 2.6, 'noisy neighbours, near': 1.9 } as const;

/** What stands in for models of different quality, from a poor one to one that knows the answers. */
export const qualities = ['hashed features', 'LSA', ...(Object.keys(noises) as (keyof typeof noises)[])] as const;
export type Quality = (typeof qualities)[number];

interface Place {
  readonly id: number;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The finders of all qualities over the chunks of a project. */
export function createFinders({ store, index }: Pick<Prepared, 'store' | 'index'>): Record<Quality, FindNearest> {
  const places = readPlaces(join(index, databaseName));
  const texts = places.map(({ id, path }) => embeddedText(path, [], store.chunk(id)?.text ?? ''));
  const words = texts.map(wordsOf);
  const hashed = words.map(hashedVector);
  const lsa = createLsa(words);
  const noisy = (noise: number): FindNearest => {
    return (question) => {
      const random = createRandom(createHash('sha256').update(question.text).digest().readInt32LE());
      const target = targetOf(question, places, random());
      const own = lsa.documents[target];
      if (own === undefined) return [];
      const chance = unit(createNoise(random, own.length));
      return nearest(places, lsa.documents, unit(own.map((value, at) => value + noise * (chance[at] as number))));
    };
  };
  return {
    'hashed features': ({ text }) => nearest(places, hashed, hashedVector(wordsOf(text))),
    LSA: ({ text }) => nearest(places, lsa.documents, lsa.query(wordsOf(text))),
    'noisy neighbours, far': noisy(noises['noisy neighbours, far']),
    'noisy neighbours, near': noisy(noises['noisy neighbours, near']),
  };
}

/** Lower-case words, identifiers as they are and in parts. */
const wordsOf = (text: string): string[] =>
  indexedWords(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}_$]+/gu) ?? [];

function readPlaces(path: string): Place[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const sql = 'SELECT c.id, f.path, c.start_line, c.end_line FROM chunks c JOIN files f ON f.id = c.file ORDER BY c.id';
  const places = database
    .prepare(sql)
    .all()
    .map((row) => ({
      id: Number(row['id']),
      path: String(row['path']),
      startLine: Number(row['start_line']),
      endLine: Number(row['end_line']),
    }));
  database.close();
  return places;
}

/** The chunk that answers a question: the first with a line of the answer, or any of the file. @param chance from 0 to 1 */
function targetOf({ paths, lines }: Question, places: readonly Place[], chance: number): number {
  const own = places.flatMap((place, at) => (place.path === paths[0] ? [{ ...place, at }] : []));
  const first = own.find(({ startLine, endLine }) => lines && startLine <= lines.end && endLine >= lines.start);
  return (first ?? own[Math.floor(chance * own.length)])?.at ?? -1;
}

function nearest(places: readonly Place[], vectors: readonly Float32Array[], asked: Float32Array): Nearest[] {
  const all = places.map(({ id }, at) => ({ id, cosine: dot(vectors[at] as Float32Array, asked) }));
  return all.sort((a, b) => b.cosine - a.cosine || a.id - b.id).slice(0, candidates);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
