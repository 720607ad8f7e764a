import type { DatabaseSync } from 'node:sqlite';
import type { NearestSearch } from '../../vectors/nearest.ts';
import type { VectorFiles } from '../../vectors/vectorFiles.ts';
import { inSlices } from '../inSlices.ts';
import { storageReason } from '../storageError.ts';
import { busyTimeoutMs, inTransaction } from '../transaction.ts';
import { openVectorList } from './vectorList.ts';

/** The open files of a space, and the search over them. */
export interface OpenSpace {
  files: VectorFiles;
  nearest: NearestSearch;
}

/** Finds corrupted vectors on the disk and removes them. */
export interface VectorRepair {
  /** Drops the vector of a corrupted slot, so that its text is embedded again. */
  forget(space: number, slot: number): void;
  /** Detects at once rows missing at the ends of a space's files, and checks the others in the background. */
  inspect(space: number, open: OpenSpace, count: number): void;
  /** Checks all of them at once, as a run that is short has to. One that another window keeps from being written is left for later. */
  inspectNow(space: number, open: OpenSpace, count: number): void;
  /** Whether a check of the vectors found their database corrupted: its indexes contradict each other. */
  isCorrupted(): boolean;
  /** Stops all checks. */
  stop(): void;
}

/** @param canWrite false: corrupted vectors are skipped and not removed */
export function createVectorRepair(database: DatabaseSync, canWrite: boolean): VectorRepair {
  const list = openVectorList(database, (work) => inTransaction(database, work));
  const checks = new Set<() => void>();
  let corrupted = false;

  function forget(space: number, which: 'slot >= ?' | 'slot = ?', slot: number, waitMs = 0): void {
    if (!canWrite) return;
    const isKnown = database.prepare(`SELECT 1 FROM vectors WHERE space = ? AND ${which} LIMIT 1`);
    if (isKnown.get(space, slot) === undefined) return;
    const work = (): void => {
      database
        .prepare(`INSERT OR IGNORE INTO damaged SELECT space, hash FROM vectors WHERE space = ? AND ${which}`)
        .run(space, slot);
      database.prepare(`DELETE FROM vectors WHERE space = ? AND ${which}`).run(space, slot);
    };
    try {
      inTransaction(database, work, waitMs);
    } catch (error) {
      // Another window is writing, and a question must not wait: the lost vector is found again later.
      if (storageReason(error) !== 'busy') throw error;
    }
  }

  /** Checks a slot; false while another window writes and the check has to be repeated. */
  function inspectSlot(space: number, { files, nearest }: OpenSpace, slot: number): boolean {
    const state = files.check(slot);
    if (state === 'mended') nearest.reload(slot);
    if (state === 'damaged') forget(space, 'slot = ?', slot);
    const hash = state === 'damaged' ? undefined : files.readHash(slot);
    try {
      corrupted ||= hash !== undefined && !list.check(space, slot, hash);
      return true;
    } catch (error) {
      if (storageReason(error) !== 'busy') throw error;
      return false;
    }
  }

  return {
    forget: (space, slot) => forget(space, 'slot = ?', slot),
    inspect(space, open, count) {
      if (!canWrite) return;
      const rows = open.files.rows();
      // Missing vectors are dropped first, as the next count must not include them.
      if (rows.vectors < count) forget(space, 'slot >= ?', rows.vectors, busyTimeoutMs);
      for (let slot = rows.bits; slot < Math.min(count, rows.vectors); slot++) open.files.check(slot);
      let slot = 0;
      const stop = inSlices(() => {
        if (slot >= count || corrupted) return false;
        if (inspectSlot(space, open, slot)) slot++;
        return true;
      });
      checks.add(stop);
    },
    inspectNow(space, open, count) {
      if (!canWrite) return;
      for (let slot = 0; slot < count && !corrupted; slot++) inspectSlot(space, open, slot);
    },
    isCorrupted: () => corrupted,
    stop() {
      for (const stop of checks) stop();
    },
  };
}
