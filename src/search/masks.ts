import type { DatabaseSync } from 'node:sqlite';

/** Which slots a search may look at, kept as long as the index does not change. */
export interface Masks {
  /** A byte for each slot of a space: 1 where its text is in one of the files, or in any file at all. */
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

/** Filters somebody goes to and fro between. */
const masksKept = 4;

export function createMasks(database: DatabaseSync): Masks {
  let kept: Kept[] = [];
  const versions = [
    'PRAGMA main.data_version',
    'PRAGMA paid.data_version',
    // What this connection changed is in no data_version.
    'SELECT total_changes()',
  ].map((sql) => database.prepare(sql));
  const version = (): string => versions.map((statement) => Object.values(statement.get() ?? {})[0]).join();
  const slotsOf = database.prepare(
    `SELECT DISTINCT v.slot FROM chunks c JOIN vectors v ON v.space = ?1 AND v.hash = c.hash
     WHERE ?2 IS NULL OR c.file IN (SELECT value FROM json_each(?2))`,
  );
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
