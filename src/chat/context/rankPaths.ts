/** A path that can be looked for, with the forms that are compared. */
export interface SearchablePath<T> {
  readonly of: T;
  readonly path: string;
  readonly lower: string;
  /** Where the last name begins. */
  readonly nameAt: number;
}

export function searchablePath<T>(path: string, of: T): SearchablePath<T> {
  return { of, path, lower: path.toLowerCase(), nameAt: path.lastIndexOf('/') + 1 };
}

/** How well a path fits, the best first: the whole name, its beginning, a part of it, a part of the path, letters in their order. */
const tiers = 5;

/**
 * The paths that fit what was typed, the best first, and shorter ones before longer ones that fit as well. A text with a `/` is a
 * part of a path.
 */
export function rankPaths<T>(paths: Iterable<SearchablePath<T>>, typed: string, limit: number): SearchablePath<T>[] {
  const text = typed.toLowerCase();
  const found: SearchablePath<T>[][] = Array.from({ length: tiers }, () => []);
  for (const path of paths) {
    const tier = tierOf(path, text);
    if (tier !== undefined) found[tier]?.push(path);
  }
  const best: SearchablePath<T>[] = [];
  for (const tier of found) {
    if (best.length >= limit) break;
    best.push(...tier.sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1)));
  }
  return best.slice(0, limit);
}

function tierOf({ lower, nameAt }: SearchablePath<unknown>, text: string): number | undefined {
  if (lower.startsWith(text, nameAt)) return lower.length === nameAt + text.length ? 0 : 1;
  if (lower.includes(text, nameAt)) return 2;
  if (lower.includes(text)) return 3;
  return hasInOrder(lower, text) ? 4 : undefined;
}

/** Whether the letters of a text come in a path in their order. */
function hasInOrder(path: string, text: string): boolean {
  let at = 0;
  for (const letter of text) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
