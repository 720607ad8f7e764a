import type { DatabaseSync } from 'node:sqlite';
import type { Nearest } from '../../types.ts';
import type { NearestSearch } from '../../vectors/nearest.ts';
import { query } from '../rows.ts';
import { createMasks } from './slotMasks.ts';

/** The space a query is compared with. */
interface Searched {
  space: number;
  nearest: NearestSearch;
  /** Number of slots. */
  count: number;
}

/** Finds the chunks nearest to a query, of these files or of all; the nearest first. */
export type FindChunks = (
  searched: Searched,
  vector: Float32Array,
  limit: number,
  files: readonly number[] | undefined,
  onDamage: (slot: number) => void,
) => Nearest[];

/** Finds the nearest slots of a space, and the chunks that have their texts. */
export function createFindChunks(database: DatabaseSync): FindChunks {
  const masks = createMasks(database);
  const chunksAt = query(
    database,
    'SELECT c.id, c.file FROM vectors v JOIN chunks c ON c.hash = v.hash WHERE v.space = ? AND v.slot = ? ORDER BY c.id',
    { id: 'number', file: 'number' },
  );
  const countFiles = query(database, 'SELECT count(*) AS files FROM files WHERE excluded IS NULL', { files: 'number' });

  return ({ space, nearest, count }, vector, limit, wanted, onDamage) => {
    // A list of all files does not filter and needs no mask.
    const files = wanted === undefined || wanted.length >= countFiles.one().files ? undefined : wanted;
    const damaged: number[] = [];
    const find = (allowed: Uint8Array | undefined): { slots: number; hits: Nearest[] } => {
      const near = nearest.find(vector, limit, count, allowed, (slot) => damaged.push(slot));
      const hits = near.flatMap(({ slot, cosine }) =>
        chunksAt
          .all(space, slot)
          .filter(({ file }) => files === undefined || masks.has(files, file))
          .map(({ id }) => ({ id, cosine })),
      );
      return { slots: near.length, hits: hits.slice(0, limit) };
    };
    let { slots, hits } = find(files === undefined ? undefined : masks.of(space, count, files));
    // Orphaned slots, whose texts are in no file any more, took places: the search is repeated without them.
    if (files === undefined && slots === limit && hits.length < limit) ({ hits } = find(masks.of(space, count)));
    for (const slot of damaged) onDamage(slot);
    return hits;
  };
}
