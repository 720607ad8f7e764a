import { isCancelled, ServiceError } from '../../base/errors.ts';
import type { IndexStore } from './indexStore.ts';
import { IndexStoreError, type IndexStoreReason } from './indexStoreError.ts';

/** The store of a team as of now. */
export interface TeamState {
  /** Whether there is a store of a team, as of the last try. */
  readonly isUsed: boolean;
  /** Why the last try for one of these folders failed; undefined where none did. */
  problemIn(roots: readonly string[]): IndexStoreReason | undefined;
}

/** The store of a team, opened for the repository of a folder at its first use, and once more after a failure. */
export interface TeamConnection extends TeamState {
  /**
   * Works with the store. What fails there is kept as the problem.
   * @param root absolute path of the folder
   * @returns what the work gave; undefined where there is no store, or it failed
   * @throws ServiceError `cancelled`
   */
  use<T>(
    root: string,
    signal: AbortSignal,
    work: (store: IndexStore, signal: AbortSignal) => Promise<T>,
    patience?: Patience,
  ): Promise<T | undefined>;
  close(): Promise<void>;
}

/** How much is done for a store that does not answer. */
interface Patience {
  /** Whether a store that failed is left alone for a while; one that the user has no rights to, for that folder alone. */
  readonly rests?: boolean;
  /** The time after which opening and work together have failed, in milliseconds. */
  readonly ms?: number;
}

/** Opens the store for the repository of a folder; undefined where there is none. */
export type OpenStore = (root: string, signal: AbortSignal) => Promise<IndexStore | undefined>;

/** How long a store that failed is left alone, in milliseconds. */
const restMs = 60_000;

export function createTeamConnection(open: OpenStore, now: () => number = () => performance.now()): TeamConnection {
  const opened = new Map<string, IndexStore>();
  // By folder: what is done for one at the same time says nothing of another.
  const problems = new Map<string, IndexStoreReason>();
  let isUsed = false;
  let failedAt = Number.NEGATIVE_INFINITY;
  // Who may not use the repository of one folder may use that of another one.
  const refusedAt = new Map<string, number>();

  async function storeOf(root: string, signal: AbortSignal): Promise<IndexStore | undefined> {
    const known = opened.get(root);
    if (known !== undefined) return known;
    const fresh = await open(root, signal);
    // Another use may have opened one meanwhile.
    const other = opened.get(root);
    if (other !== undefined) await fresh?.close();
    else if (fresh !== undefined) opened.set(root, fresh);
    return other ?? fresh;
  }

  return {
    async use(root, signal, work, { rests = false, ms } = {}) {
      if (rests && now() < Math.max(failedAt, refusedAt.get(root) ?? failedAt) + restMs) return undefined;
      const late = ms === undefined ? undefined : AbortSignal.timeout(ms);
      let store: IndexStore | undefined;
      try {
        const bounded = late === undefined ? signal : AbortSignal.any([signal, late]);
        store = await storeOf(root, bounded);
        isUsed = store !== undefined;
        if (store === undefined) return undefined;
        const result = await work(store, bounded);
        problems.delete(root);
        return result;
      } catch (thrown) {
        const wasCancelled =
          isCancelled(thrown) || (thrown instanceof IndexStoreError && thrown.reason === 'cancelled');
        if (wasCancelled && (signal.aborted || !late?.aborted)) throw new ServiceError('cancelled');
        const error = wasCancelled ? new IndexStoreError('timeout') : thrown;
        if (!(error instanceof IndexStoreError)) throw error;
        isUsed = true;
        problems.set(root, error.reason);
        if (error.reason === 'no-rights') refusedAt.set(root, now());
        else failedAt = now();
        // A run may be at work with what was too slow for a question.
        if (store === undefined || wasCancelled) return undefined;
        if (opened.get(root) === store) opened.delete(root);
        await store.close().catch(() => undefined);
        return undefined;
      }
    },
    get isUsed() {
      return isUsed;
    },
    problemIn: (roots) => roots.map((root) => problems.get(root)).find((problem) => problem !== undefined),
    async close() {
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map((store) => store.close()));
    },
  };
}
