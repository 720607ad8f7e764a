import type { DatabaseSync } from 'node:sqlite';
import { query } from '../rows.ts';

/** Masks of the slots that a search may look at, cached while the index does not change. */
export interface Masks {
  /** A byte for each slot of a space: 1 where its text is in one of the files or, without `files`, in any file. */
  of(space: number, count: number, files?: readonly number[]): Uint8Array;
  has(files: readonly number[], file: number): boolean;
}

interface Kept {
  files: readonly number[] | undefined;
  set: ReadonlySet<number>;
  space: number;
  version: string;
  mask: Uint8Array;
}

/** Number of cached masks, for a user who switches between filters. */
const masksKept = 4;

/** Creates and caches the masks of an index. */
export function createMasks(database: DatabaseSync): Masks {
  let kept: Kept[] = [];
  const versions = [
    'PRAGMA main.data_version',
    'PRAGMA vectors_db.data_version',
    // `data_version` does not count changes of this connection.
    'SELECT total_changes() AS data_version',
  ].map((sql) => query(database, sql, { data_version: 'number' }));
  const version = (): string => versions.map((each) => each.one().data_version).join();
  const slotsOf = database.prepare(
    `SELECT DISTINCT v.slot FROM chunks c JOIN vectors v ON v.space = ?1 AND v.hash = c.hash
     WHERE ?2 IS NULL OR c.file IN (SELECT value FROM json_each(?2))`,
  );
  // Rows are read as arrays, unchecked: there is one for every text.
  slotsOf.setReturnArrays(true);

  return {
    of(space, count, files) {
      const now = version();
      const known = kept.find((each) => each.space === space && each.version === now && areSame(each.files, files));
      if (known !== undefined) return known.mask;
      const mask = new Uint8Array(count);
      const list = files === undefined ? null : JSON.stringify(files);
      for (const [slot] of slotsOf.iterate(space, list) as unknown as Iterable<[number]>) mask[slot] = 1;
      kept = [
        { files, set: new Set(files), space, version: now, mask },
        ...kept.filter((each) => each.version === now),
      ];
      kept.length = Math.min(kept.length, masksKept);
      return mask;
    },
    has: (files, file) => kept.find((each) => areSame(each.files, files))?.set.has(file) ?? files.includes(file),
  };
}

function areSame(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && a.length === b.length && a.every((value, index) => value === b[index]);
}
