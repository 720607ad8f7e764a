import type { DatabaseSync } from 'node:sqlite';
import { query } from '../rows.ts';

/** The list of the vectors in the database, compared with their files, whose rows have checksums. */
export interface VectorList {
  /** Checks the list for a slot and repairs it where possible; false when its indexes contradict each other. */
  check(space: number, slot: number, hash: Uint8Array): boolean;
}

/** @param inTransaction does work that writes, all of it or nothing */
export function openVectorList(database: DatabaseSync, inTransaction: (work: () => void) => void): VectorList {
  const findSlot = query(database, 'SELECT slot FROM vectors_db.vectors WHERE space = ? AND hash = ?', {
    slot: 'number',
  });
  const hashesAt = query(
    database,
    'SELECT hash FROM vectors_db.vectors INDEXED BY vectors_slot WHERE space = ? AND slot = ?',
    { hash: 'blob' },
  );
  const drop = database.prepare('DELETE FROM vectors_db.vectors WHERE space = ? AND slot = ?');
  const add = database.prepare('INSERT OR IGNORE INTO vectors_db.vectors (space, hash, slot) VALUES (?, ?, ?)');

  return {
    check(space, slot, hash) {
      const slotOf = (each: Uint8Array): number | undefined => findSlot.get(space, each)?.slot;
      const listed = hashesAt.all(space, slot).map((row) => row.hash);
      const isListed = listed.some((each) => Buffer.compare(each, hash) === 0);
      const own = slotOf(hash);
      if (listed.some((each) => slotOf(each) !== slot) || (own === slot && !isListed)) return false;
      // A text stored twice is listed with another slot.
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
