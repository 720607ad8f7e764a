import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { nearEnough } from '../../../src/search/query/findByMeaning.ts';
import { findByWords } from '../../../src/search/query/findByWords.ts';
import { type Found, type Gains, gains, rank } from '../../../src/search/query/ranking.ts';
import type { ChunkOutline, StoredChunk } from '../../../src/search/store/files/chunkReader.ts';
import { databaseName } from '../../../src/search/store/schema/database.ts';
import type { Store } from '../../../src/search/store/store.ts';
import type { Nearest } from '../../../src/search/types.ts';
import type { AskedFinder } from './ask.ts';
import { type Finder, hitsLooked } from './baselines.ts';
import type { Prepared } from './prepare.ts';
import type { Question } from './questions.ts';
import { createFinders, type Quality, qualities } from './vectors/qualities.ts';

/**
 * Outlines are read once, and of the chunks themselves only their places, all at once: ranking reads a text for nothing
 * but the preview, and unpacking sixty of them takes longer than all the rest of a search.
 */
function quickReader({ store, index }: Pick<Prepared, 'store' | 'index'>): Pick<Store, 'outline' | 'chunk'> {
  const outlines = new Map<number, ChunkOutline | undefined>();
  const places = new Map<number, StoredChunk>();
  const database = new DatabaseSync(join(index, databaseName), { readOnly: true });
  const sql = 'SELECT c.id, f.root, f.path, c.start_line, c.end_line FROM chunks c JOIN files f ON f.id = c.file';
  for (const row of database.prepare(sql).iterate()) {
    const [id, startLine, endLine] = [row['id'], row['start_line'], row['end_line']].map(Number) as [
      number,
      number,
      number,
    ];
    places.set(id, { id, root: String(row['root']), path: String(row['path']), startLine, endLine, text: '' });
  }
  database.close();
  return {
    outline(id) {
      if (!outlines.has(id)) outlines.set(id, store.outline(id));
      return outlines.get(id);
    },
    chunk: (id) => places.get(id),
  };
}

/** Parley's search by words, with any gains; the words of a question are looked up once for all of them. */
export function createParley(prepared: Pick<Prepared, 'store' | 'index'>): (counts?: Gains) => Finder {
  const { store } = prepared;
  const reader = quickReader(prepared);
  const known = new Map<string, Found>();
  return (counts = gains) =>
    (text) => {
      const found = known.get(text) ?? findWords(store, text);
      known.set(text, found);
      return rank(found, reader, hitsLooked, counts).map(({ chunk }) => chunk);
    };
}

/** A half by meaning and what becomes of it together with the words, by the model that is stood in for. */
export type Halves = Record<Quality, Record<'alone' | 'hybrid', AskedFinder>>;

export function createHalves(prepared: Pick<Prepared, 'store' | 'index'>): Halves {
  const { store } = prepared;
  const reader = quickReader(prepared);
  const nearest = createFinders(prepared);
  const halvesOf = (quality: Quality): Halves[Quality] => {
    // As `search/query/findByMeaning.ts` leaves out what is far.
    const find = (question: Question): Nearest[] => {
      const found = nearest[quality](question);
      const least = (found[0]?.cosine ?? 0) * nearEnough;
      return found.filter(({ cosine }) => cosine > 0 && cosine >= least);
    };
    return {
      alone: (_, question) =>
        find(question)
          .flatMap(({ id }) => reader.chunk(id) ?? [])
          .slice(0, hitsLooked),
      hybrid: (text, question) =>
        rank({ ...findWords(store, text), meaning: find(question) }, reader, hitsLooked).map(({ chunk }) => chunk),
    };
  };
  return Object.fromEntries(qualities.map((quality) => [quality, halvesOf(quality)])) as Halves;
}

/** The candidates by words, as `search/query/finder.ts` finds them. */
export function findWords(store: Store, text: string): Found {
  return { text, meaning: [], ...findByWords(store, text, undefined) };
}
