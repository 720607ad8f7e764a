/** A place in a file that was found. */
interface Found {
  readonly isWeak: boolean;
}

/** The most hits that are shown before the user wants more, and the most of them in one file. */
export const [firstLimit, placesLimit] = [20, 3] as const;

/**
 * Hits by their files: the file with the best hit first, and each with its hits, the best first.
 * @param hits the best first
 */
export function hitsByFile<T>(hits: readonly T[], fileOf: (hit: T) => string): T[][] {
  const files = new Map<string, T[]>();
  for (const hit of hits) {
    const file = files.get(fileOf(hit));
    if (file === undefined) files.set(fileOf(hit), [hit]);
    else file.push(hit);
  }
  return [...files.values()];
}

/**
 * The hits that are shown first, by their files: the best places of each, so that one file does not fill the list, and without the
 * tail of those that have but a few of the words.
 */
export function firstHits<T extends Found>(hits: readonly T[], fileOf: (hit: T) => string): T[] {
  const telling = hits.slice(0, hits.findLastIndex(({ isWeak }) => !isWeak) + 1);
  return hitsByFile(telling, fileOf)
    .flatMap((file) => file.slice(0, placesLimit))
    .slice(0, firstLimit);
}
