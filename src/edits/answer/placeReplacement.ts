import { indexFrom, type LineRange } from '../../base/lines.ts';
import { findElisions, isElision } from '../place/elisions.ts';
import { chooseLines, type FoundLines, findLines } from '../place/findLines.ts';
import { indentLike } from '../place/indent.ts';
import type { LineEdit } from '../place/lineEdit.ts';
import { columnsOf, isBlank } from '../place/lineText.ts';
import { replace } from '../place/mergeBlock.ts';
import type { Misplaced } from '../place/misplaced.ts';
import { rewriteLines } from '../place/rewriteLines.ts';
import { type PlacedParts, reasonOf } from './resolution.ts';
import type { SearchReplaceBlock } from './searchReplace.ts';

/** Puts the new lines of a search/replace block where its old ones stand. */
export function placeReplacement(
  { readings }: SearchReplaceBlock,
  file: readonly string[],
  within: LineRange | undefined,
): PlacedParts {
  const placed = placeReadings(readings, file, within);
  if (typeof placed !== 'string') return { edits: placed, unplaced: [] };
  return { edits: [], unplaced: [{ reason: reasonOf(placed), lines: readings[0]?.search ?? [] }] };
}

function placeReadings(
  readings: SearchReplaceBlock['readings'],
  file: readonly string[],
  within: LineRange | undefined,
): readonly LineEdit[] | Misplaced {
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
function placeElided(
  file: readonly string[],
  search: readonly string[],
  next: readonly string[],
): readonly LineEdit[] | Misplaced | undefined {
  // The whole file is looked at for a line that may be one.
  const elisions = search.some(isElision) ? findElisions(search, file) : [];
  const [gap] = elisions;
  if (elisions.length !== 1 || gap === undefined) return undefined;
  const head = chooseLines(findLines(file, search.slice(0, gap)), undefined);
  if (typeof head === 'string') return head;
  const after = findLines(file, search.slice(gap + 1)).filter(({ start }) => start >= head.end);
  const tails = atDepth(after, file, head, indentLike(search, head.pairs), gap);
  const [tail] = tails;
  if (tail === undefined) return 'unplaced';
  const kept = findElisions(next, file);
  if (kept.length === 0)
    return tails.length > 1 ? 'ambiguous' : replace(file, { first: head.start, last: tail.end - 1 }, next);
  if (kept.length > 1) return 'ambiguous';
  const [at = 0] = kept;
  const written = indentLike(next, [...head.pairs, ...tail.pairs]);
  const [begin, end] = [written.slice(0, at), written.slice(at + 1)];
  // Where the end stays as it is, it does not matter which of several is meant.
  const isKept = end.length === tail.end - tail.start && end.every((line, row) => line === file[tail.start + row]);
  if (tails.length > 1 && !isKept) return 'ambiguous';
  const middle = file.slice(head.end, tail.start);
  return [{ line: head.start, removed: tail.end - head.start, inserted: [...begin, ...middle, ...end] }];
}

/** Of several ends those within the block of the lines around the elision, in the file's indentation; all where there is none. */
function atDepth(
  tails: readonly FoundLines[],
  file: readonly string[],
  head: FoundLines,
  search: readonly string[],
  gap: number,
): readonly FoundLines[] {
  const around = [search.slice(0, gap).findLast(isText), search.slice(gap + 1).find(isText)];
  const depth = Math.max(columnsOf(search[gap] ?? ''), Math.min(...around.map((line = '') => columnsOf(line))));
  const border = indexFrom(file, head.end, (line) => isText(line) && columnsOf(line) < depth);
  const inside = border < 0 ? tails : tails.filter(({ start }) => start <= border);
  return inside.length > 0 ? inside : tails;
}

const isText = (line: string): boolean => !isBlank(line);
