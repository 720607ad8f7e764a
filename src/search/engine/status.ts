import type { Store } from '../store/store.ts';
import { spaceKey, type VectorSource } from '../types.ts';
import type { Status } from './engineApi.ts';
import type { MeaningShare } from './meaningShare.ts';

/** Counts of an index, by words and by the vectors of a source. */
export function statusOf(store: Store, share: MeaningShare, source?: VectorSource): Status {
  // The space comes first: looking it up opens the vector files and detects lost vectors.
  const space = source === undefined ? undefined : store.knownSpace(spaceKey(source));
  return {
    indexed: store.counts(),
    coverage: store.coverage(),
    filesDone: share.filesDone(source),
    excluded: store.excluded(),
    damaged: store.damagedFiles() + (space === undefined ? 0 : store.damaged(space)),
  };
}
