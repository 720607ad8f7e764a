import { diffArrays } from 'diff';
import type { LineRange } from '../../base/lines.ts';
import { findElisions } from '../place/elisions.ts';
import { chooseLines, type FoundLines, findLines } from '../place/findLines.ts';
import { indentLike } from '../place/indent.ts';
import { isBlank } from '../place/lineText.ts';
import { replace } from '../place/mergeBlock.ts';
import type { Misplaced } from '../place/misplaced.ts';
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
      return [{ line: place.start, removed: place.end - place.start, inserted: rewrite(search, next, file, place) }];
    if (place === 'ambiguous') misplaced = place;
  }
  return misplaced;
}

/** A search that leaves its middle out: from where its beginning stands to where its end does. */
function placeElided(file: readonly string[], search: readonly string[], next: readonly string[]): Placed | undefined {
  const elisions = findElisions(search, file);
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

/** The new lines, with the file's own text where they are the old ones, its blank lines between those, and its indentation. */
function rewrite(
  search: readonly string[],
  next: readonly string[],
  file: readonly string[],
  { start, end, pairs, places }: FoundLines,
): readonly string[] {
  const isSame = end - start === search.length && search.every((line, at) => line === file[start + at]);
  if (isSame) return next;
  const shifted = indentLike(next, pairs);
  const written: string[] = [];
  let [old, fresh, done, wasKept] = [0, 0, start - 1, false];
  for (const { value, added, removed } of diffArrays(
    search.map((line) => line.trimEnd()),
    next.map((line) => line.trimEnd()),
  )) {
    for (const _ of value) {
      if (added) {
        written.push(shifted[fresh++] ?? '');
        continue;
      }
      const place = places[old++];
      if (!removed) fresh += 1;
      if (place === undefined) continue;
      const between = file.slice(done + 1, place);
      if (between.every(isBlank) && (!removed || wasKept)) written.push(...between);
      if (!removed) written.push(file[place] ?? '');
      done = place;
      wasKept = !removed;
    }
  }
  return written;
}
