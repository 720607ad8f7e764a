/**
 * Lines that stand once in either text and in the same order: pairs of their places, ascending in both. They tell which parts of two
 * texts belong together.
 */
export function uniqueMatches(oldLines: readonly string[], newLines: readonly string[]): (readonly [number, number])[] {
  const oldPlaces = placesOfUnique(oldLines);
  const pairs: [number, number][] = [];
  for (const [line, at] of placesOfUnique(newLines)) {
    const old = oldPlaces.get(line);
    // A blank line tells nothing.
    if (old !== undefined && old >= 0 && at >= 0 && line.trim() !== '') pairs.push([old, at]);
  }
  return longestAscending(pairs.sort(([a], [b]) => a - b));
}

/** The place of each line; -1 for one that stands there more than once. */
function placesOfUnique(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at);
  return places;
}

/** The longest run of pairs whose second members ascend, too (patience sorting, n log n). */
function longestAscending(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  /** Of each length, the pair that ends the run whose end is the lowest. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, [, place]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  }
  const found: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) found.push(pairs[at] as readonly [number, number]);
  return found.reverse();
}
