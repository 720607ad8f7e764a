import type { Store } from '../store/store.ts';
import { spaceKey, type VectorSource } from '../types.ts';

/** How much of the index has vectors of a model. */
export interface Share {
  /** Key of the model's space. */
  key: string;
  /** Share of the files that have vectors, from 0 to 1. */
  share: number;
  /** Time of the count. */
  at: number;
}

/** The share of the files that meaning can find. Counting takes longer than searching, so the result is cached. */
export interface MeaningShare {
  /** The share. While it is below 1 it is counted again now and then, and after a change. */
  of(source: VectorSource): Share;
  /** Files found by meaning as well; undefined when the model has no vectors here. */
  filesDone(source: VectorSource | undefined): number | undefined;
  /** Does work that changes the index and drops the cached count, also when the work fails. */
  changed<T>(work: () => Promise<T>): Promise<T>;
  /** Number of changes of the index so far. */
  changes(): number;
  /** The cached count, if it is still valid. */
  kept(): Share | undefined;
  /** Caches a count that the caller knows to be still valid. */
  keep(share: Share): void;
}

const keptMs = 2_000;

/** Counts the files that have vectors. */
export function createMeaningShare(store: () => Store): MeaningShare {
  let counted: Share | undefined;
  let changes = 0;
  /** Changes that are under way: a question asked meanwhile goes by the last count, as counting takes long. */
  let running = 0;
  let before: Share | undefined;

  function filesDone(source: VectorSource | undefined): number | undefined {
    const key = source && spaceKey(source);
    const space = key === undefined ? undefined : store().knownSpace(key);
    if (space === undefined) return undefined;
    return counted?.share === 1 && counted.key === key ? store().counts().files : store().filesDone(space);
  }

  function count(source: VectorSource): Share {
    const key = spaceKey(source);
    const done = filesDone(source) ?? 0;
    const { files } = store().counts();
    const share = files === 0 ? 1 : done / files;
    return { key, share, at: performance.now() };
  }

  return {
    of(source) {
      const isOld = counted !== undefined && counted.share < 1 && performance.now() - counted.at > keptMs;
      if (running > 0 && counted === undefined && before?.key === spaceKey(source)) return before;
      if (counted === undefined || isOld || counted.key !== spaceKey(source)) counted = count(source);
      return counted;
    },
    filesDone,
    async changed(work) {
      running++;
      before = counted ?? before;
      try {
        return await work();
      } finally {
        running--;
        changes++;
        before = counted ?? before;
        counted = undefined;
      }
    },
    changes: () => changes,
    kept: () => counted,
    keep(share) {
      counted ??= share;
    },
  };
}
