import type { DatabaseSync } from 'node:sqlite';

/** The list of the vectors in the database, held against what the files say: their rows have checksums. */
export interface VectorList {
  /** Whether the list is right of a slot, or could be put right; false when it does not fit itself. */
  check(space: number, slot: number, hash: Uint8Array): boolean;
}

export function openVectorList(database: DatabaseSync, inTransaction: (work: () => void) => void): VectorList {
  const findSlot = database.prepare('SELECT slot FROM paid.vectors WHERE space = ? AND hash = ?');
  const hashesAt = database.prepare(
    'SELECT hash FROM paid.vectors INDEXED BY vectors_slot WHERE space = ? AND slot = ?',
  );
  const drop = database.prepare('DELETE FROM paid.vectors WHERE space = ? AND slot = ?');
  const add = database.prepare('INSERT OR IGNORE INTO paid.vectors (space, hash, slot) VALUES (?, ?, ?)');

  return {
    check(space, slot, hash) {
      const slotOf = (each: Uint8Array): number | undefined => {
        const row = findSlot.get(space, each);
        return row === undefined ? undefined : Number(row['slot']);
      };
      const listed = hashesAt.all(space, slot).map((row) => row['hash'] as Uint8Array);
      const isListed = listed.some((each) => Buffer.compare(each, hash) === 0);
      const own = slotOf(hash);
      if (listed.some((each) => slotOf(each) !== slot) || (own === slot && !isListed)) return false;
      // A text may have come twice: then another slot stands for it.
      const isDouble = listed.length === 0 && own !== undefined;
      if (isDouble || (listed.length === 1 && isListed)) return true;
      inTransaction(() => {
        drop.run(space, slot);
        add.run(space, hash, slot);
      });
      return true;
    },
  };
}
