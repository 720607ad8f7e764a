/**
 * Sorts paths into reading order: those named in `near`, then those whose folder is the fewest steps away from the
 * folder of one of them. Equally near paths keep their order. All relative, with `/`.
 */
export function nearFirst(paths: readonly string[], near: readonly string[]): readonly string[] {
  if (near.length === 0) return paths;
  const named = new Set(near);
  const folders = [...new Set(near.map(folderOf))].map(partsOf);
  const distances = new Map<string, number>();
  const distanceOf = (path: string): number => {
    if (named.has(path)) return -1;
    const folder = folderOf(path);
    const known = distances.get(folder);
    if (known !== undefined) return known;
    const parts = partsOf(folder);
    const distance = Math.min(...folders.map((other) => stepsBetween(parts, other)));
    distances.set(folder, distance);
    return distance;
  };
  // Node's sort is stable.
  return paths
    .map((path) => ({ path, distance: distanceOf(path) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ path }) => path);
}

/** Steps up to the common folder of two, and down again. */
function stepsBetween(one: readonly string[], other: readonly string[]): number {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  return one.length + other.length - 2 * common;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function partsOf(folder: string): string[] {
  return folder === '' ? [] : folder.split('/');
}
