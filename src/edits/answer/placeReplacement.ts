import { indexFrom, type LineRange } from '../../base/lines.ts';
import { findElisions, isElision } from '../place/elisions.ts';
import { chooseLines, type FoundLines, findLines, findNearLines } from '../place/lines/findLines.ts';
import { indentLike } from '../place/lines/indent.ts';
import type { NamedEdit } from '../place/lines/lineEdit.ts';
import { columnsOf, isBlank } from '../place/lines/lineText.ts';
import { rewriteLines } from '../place/lines/rewriteLines.ts';
import { findFolded, foldSigns, keepSigns } from '../place/lines/signs.ts';
import type { Misplaced } from '../place/misplaced.ts';
import { rewrite } from '../place/newForm.ts';
import { type Reading, readingsOf } from './reading/cleanText.ts';

/**
 * The edits that put the new lines of a search/replace block where its old ones stand.
 * @param within the lines of the file that are meant where several places fit
 * @param times how often the answer gives it
 */
export function placeReplacement(
  readings: readonly Reading[],
  file: readonly string[],
  path: string,
  within: LineRange | undefined,
  times = 1,
): readonly NamedEdit[] | Misplaced {
  const all = [...readings].sort((a, b) => b.search.length - a.search.length);
  const meant = all.flatMap((reading) => readingsOf(withoutEdges(reading), file, path));
  let misplaced: Misplaced = 'unplaced';
  const ways = [findLines, findNearLines].map(
    (find) => (reading: Reading) => placeReading(reading, file, within, find, times),
  );
  for (const place of [...ways, (reading: Reading) => placeInLine(reading, file)])
    for (const reading of meant) {
      const placed = place(reading);
      if (typeof placed !== 'string') return placed;
      if (placed === 'ambiguous') misplaced = placed;
    }
  return misplaced;
}

/** A replacement without the blank lines at the ends of both sides, which stay. */
function withoutEdges({ search, replace }: Reading): Reading {
  let [first, last] = [0, 0];
  const most = Math.min(search.length, replace.length);
  while (first < most - 1 && isBlank(search[first] ?? '') && isBlank(replace[first] ?? '')) first += 1;
  while (last < most - first - 1 && isBlank(search.at(-1 - last) ?? '') && isBlank(replace.at(-1 - last) ?? ''))
    last += 1;
  return { search: search.slice(first, search.length - last), replace: replace.slice(first, replace.length - last) };
}

type FindLines = typeof findLines;

function placeReading(
  { search, replace }: Reading,
  file: readonly string[],
  within: LineRange | undefined,
  find: FindLines,
  times: number,
): readonly NamedEdit[] | Misplaced {
  if (search.every(isBlank)) return placeEmpty(replace, file);
  const elided = find === findLines ? placeElided(file, search, replace) : undefined;
  return elided ?? placeWhole(file, search, replace, within, find, times);
}

/** The least length of a text that is looked for within lines, in characters. */
const leastInLine = 3;

/** Old text that begins or ends within a line, as calls of a tool give it: where it stands once. */
function placeInLine({ search, replace }: Reading, file: readonly string[]): readonly NamedEdit[] | Misplaced {
  const [old, text] = [search.join('\n'), file.join('\n')];
  const at = old.trim().length < leastInLine ? -1 : text.indexOf(old);
  if (at < 0) return placeFolded(search, replace, file);
  if (text.indexOf(old, at + 1) >= 0) return 'ambiguous';
  const line = text.slice(0, at).split('\n').length - 1;
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', at + old.length);
  const end = next < 0 ? text.length : next;
  const inserted = `${text.slice(from, at)}${replace.join('\n')}${text.slice(at + old.length, end)}`.split('\n');
  return [{ line, removed: search.length, inserted, by: 'search' }];
}

/** Old text within a line that has other signs in the file. */
function placeFolded(
  search: readonly string[],
  replace: readonly string[],
  file: readonly string[],
): readonly NamedEdit[] | Misplaced {
  const [old = ''] = search;
  if (search.length > 1 || old.trim().length < leastInLine) return 'unplaced';
  const wanted = foldSigns(old.trim());
  const places = file.flatMap((line, at) => {
    const found = foldSigns(line).includes(wanted) ? findFolded(line, old.trim()) : undefined;
    return found === undefined ? [] : [{ at, found }];
  });
  const [place] = places;
  if (place === undefined) return 'unplaced';
  if (places.length > 1) return 'ambiguous';
  const [start, end] = place.found;
  const line = file[place.at] ?? '';
  const fresh = replace.map((each, at) => (at === 0 ? keepSigns(each.trimStart(), line.slice(start, end)) : each));
  const inserted = `${line.slice(0, start)}${fresh.join('\n').trimEnd()}${line.slice(end)}`.split('\n');
  return [{ line: place.at, removed: 1, inserted, by: 'search' }];
}

/** No old lines: all of an empty file. In one with text nobody can tell where new lines go. */
function placeEmpty(replace: readonly string[], file: readonly string[]): readonly NamedEdit[] | Misplaced {
  return file.every(isBlank) ? [{ line: 0, removed: file.length, inserted: replace, by: 'search' }] : 'unplaced';
}

function placeWhole(
  file: readonly string[],
  search: readonly string[],
  replace: readonly string[],
  within: LineRange | undefined,
  find: FindLines,
  times: number,
): readonly NamedEdit[] | Misplaced {
  const places = find(file, search);
  // As many places as times that it is given: all are meant.
  if (times > 1 && places.length === times) return places.map((each) => editAt(each, search, replace, file));
  const place = chooseLines(places, within);
  return typeof place === 'string' ? place : [editAt(place, search, replace, file)];
}

function editAt(
  place: FoundLines,
  search: readonly string[],
  replace: readonly string[],
  file: readonly string[],
): NamedEdit {
  const inserted = rewriteLines(search, replace, file, place);
  // What goes between two blank lines takes one of them along.
  const isApart = inserted.length === 0 && isBlank(file[place.start - 1] ?? '') && isBlank(file[place.end] ?? 'x');
  const end = isApart && place.end < file.length - 1 ? place.end + 1 : place.end;
  return { line: place.start, removed: end - place.start, inserted, by: 'search' };
}

/** A search that leaves its middle out: from where its beginning stands to where its end does. */
function placeElided(
  file: readonly string[],
  search: readonly string[],
  next: readonly string[],
): readonly NamedEdit[] | Misplaced | undefined {
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
    return tails.length > 1 ? 'ambiguous' : rewrite(file, { first: head.start, last: tail.end - 1 }, next, 'search');
  if (kept.length > 1) return 'ambiguous';
  const [at = 0] = kept;
  const written = indentLike(next, [...head.pairs, ...tail.pairs]);
  const [begin, end] = [written.slice(0, at), written.slice(at + 1)];
  // Where the end stays as it is, it does not matter which of several is meant.
  const isKept = end.length === tail.end - tail.start && end.every((line, row) => line === file[tail.start + row]);
  if (tails.length > 1 && !isKept) return 'ambiguous';
  const middle = file.slice(head.end, tail.start);
  return [{ line: head.start, removed: tail.end - head.start, inserted: [...begin, ...middle, ...end], by: 'search' }];
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
