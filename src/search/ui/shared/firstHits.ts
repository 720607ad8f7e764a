/** The most hits that are asked for, and the most that are shown before the user wants more. */
export const [queryLimit, firstLimit] = [100, 20] as const;

/** The hits that are shown first: without the tail of those that have but a few of the words. */
export function firstHits<T extends { readonly isWeak: boolean }>(hits: readonly T[]): readonly T[] {
  const first = hits.slice(0, firstLimit);
  return first.slice(0, first.findLastIndex(({ isWeak }) => !isWeak) + 1);
}
