import type { Store } from '../store/store.ts';
import { sourceOf, spaceKey, type VectorSource } from '../types.ts';

/** The model that an index has vectors of, where it has none of this one; undefined where it has any of this one, or none at all. */
export function modelInstead(store: Store, source: VectorSource): string | undefined {
  const key = spaceKey(source);
  const other = store.knownSpace(key) === undefined ? store.otherSpace(key) : undefined;
  return other && sourceOf(other.key).model;
}
