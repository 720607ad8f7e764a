/** What an asynchronous function gives for each item, in the order of the items. @param most how many run at once */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  most: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  // All lanes take from one iterator, so that each item is run once.
  const entries = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of entries) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  return results;
}
