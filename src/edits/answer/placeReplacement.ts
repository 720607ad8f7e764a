import type { LineRange } from '../../base/lines.ts';
import { findElisions, isElision } from '../place/elisions.ts';
import { chooseLines, findLines } from '../place/findLines.ts';
import { indentLike } from '../place/indent.ts';
import { isBlank } from '../place/lineText.ts';
import { replace } from '../place/mergeBlock.ts';
import type { Misplaced } from '../place/misplaced.ts';
import { rewriteLines } from '../place/rewriteLines.ts';
import type { Placed } from './resolution.ts';
import type { SearchReplaceBlock } from './searchReplace.ts';

/** Puts the new lines of a search/replace block where its old ones stand. */
export function placeReplacement(
  { readings }: SearchReplaceBlock,
  file: readonly string[],
  within: LineRange | undefined,
): Placed {
  let misplaced: Misplaced = 'unplaced';
  for (const { search, replace: next } of [...readings].sort((a, b) => b.search.length - a.search.length)) {
    if (search.every(isBlank))
      return file.every(isBlank) ? [{ line: 0, removed: file.length, inserted: next }] : 'unplaced';
    const elided = placeElided(file, search, next);
    if (elided !== undefined) return elided;
    const place = chooseLines(findLines(file, search), within);
    if (typeof place !== 'string')
      return [
        { line: place.start, removed: place.end - place.start, inserted: rewriteLines(search, next, file, place) },
      ];
    if (place === 'ambiguous') misplaced = place;
  }
  return misplaced;
}

/** A search that leaves its middle out: from where its beginning stands to where its end does. */
function placeElided(file: readonly string[], search: readonly string[], next: readonly string[]): Placed | undefined {
  // The whole file is looked at for a line that may be one.
  const elisions = search.some(isElision) ? findElisions(search, file) : [];
  const [gap] = elisions;
  if (elisions.length !== 1 || gap === undefined) return undefined;
  const head = chooseLines(findLines(file, search.slice(0, gap)), undefined);
  if (typeof head === 'string') return head;
  const tails = findLines(file, search.slice(gap + 1)).filter(({ start }) => start >= head.end);
  const [tail] = tails;
  if (tail === undefined) return 'unplaced';
  const kept = findElisions(next, file);
  const old = file.slice(head.start, tail.end);
  if (kept.length === 0)
    return tails.length > 1 ? 'ambiguous' : replace(file, { first: head.start, last: tail.end - 1 }, next);
  const middle = file.slice(head.end, tail.start);
  if (kept.length > 1) return 'ambiguous';
  const [at = 0] = kept;
  const written = indentLike(next, [...head.pairs, ...tail.pairs]);
  return [
    { line: head.start, removed: old.length, inserted: [...written.slice(0, at), ...middle, ...written.slice(at + 1)] },
  ];
}
