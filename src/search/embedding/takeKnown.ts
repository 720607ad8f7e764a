import { ServiceError } from '../../base/errors.ts';
import { nextTurn } from '../../base/nextTurn.ts';
import type { Store } from '../store/store.ts';
import { whenFree } from '../store/transaction.ts';
import { sourceName, spaceKey, type VectorSource } from '../types.ts';
import type { VectorCache } from './vectorCache.ts';

/** Texts looked up in the vector cache at once. */
const cachedAtOnce = 200;

/** Fills missing vectors of an index from earlier answers on this machine, for all files or for these. */
export type TakeKnown = (source: VectorSource, signal: AbortSignal, files?: readonly number[]) => Promise<void>;

export function createTakeKnown(store: () => Store, cache: VectorCache | undefined): TakeKnown {
  return async (source, signal, files) => {
    const name = sourceName(source);
    if (cache === undefined || name === undefined || !cache.knows(name)) return;
    const space = await spaceOf(store, source);
    let hashes: Uint8Array[] = [];
    const take = async (): Promise<void> => {
      const found = cache.find(name, hashes);
      hashes = [];
      // Cached vectors may have several lengths: the space's length is taken, or that of the last one.
      const length = store().dimensions(space) ?? found.at(-1)?.dimensions;
      const fitting = found.filter(({ dimensions }) => dimensions === length);
      await whenFree(() => store().putVectors(space, fitting), signal);
      // A search may run in between.
      await nextTurn();
      if (signal.aborted) throw new ServiceError('cancelled');
    };
    for (const { hash } of store().itemsWithout(space, files)) if (hashes.push(hash) >= cachedAtOnce) await take();
    await take();
  };
}

/** The space for the vectors of a source, created if there is none. */
export function spaceOf(store: () => Store, source: VectorSource): Promise<number> {
  return whenFree(() => store().space(spaceKey(source)));
}
