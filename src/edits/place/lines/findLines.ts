import type { LineRange } from '../../../base/lines.ts';
import type { Misplaced } from '../misplaced.ts';
import type { LinePair } from './indent.ts';
import { columnsOf, isBlank, type LineIndex, lineIndexOf, normalised, similarity } from './lineText.ts';

/** Where old lines stand in a file. */
export interface FoundLines {
  /** The first line, from 0, and the line after the last. */
  readonly start: number;
  readonly end: number;
  /** The old lines, blank ones left out, beside those of the file. */
  readonly pairs: readonly LinePair[];
  /** For each old line the file's, from 0; undefined for a blank one that the file does not have. */
  readonly places: readonly (number | undefined)[];
}

/** The least average likeness of lines that are not quite those of the file, and the least of any of them. */
const [leastLikeness, leastOfOne] = [0.9, 0.55];

/**
 * All places of old lines in a file, in the strictest way that finds any: to the letter; but for white space at the ends; but for
 * the indentation of them all; but for all white space, signs and blank lines.
 */
export function findLines(file: readonly string[], old: readonly string[]): FoundLines[] {
  const wanted = old.flatMap((line, at) => (isBlank(line) ? [] : [at]));
  if (wanted.length === 0) return [];
  const index = lineIndexOf(file);
  const texts = wanted.map((line) => normalised(old[line] ?? ''));
  // What is the same to the letter is the same but for white space, too.
  const starts = findSame(index, texts);
  const firsts = starts.map((start) => (index.lines[start] ?? 0) - (wanted[0] ?? 0));
  for (const key of [(line: string) => line, (line: string) => line.trimEnd()]) {
    const found = firsts.filter((first) => isAt(file, first, old, key));
    if (found.length > 0) return found.map((first) => toExact(file, first, old));
  }
  const places = starts.length > 0 ? starts : findPacked(index, texts);
  return keepShifted(places.map((start) => pairUp(file, old, index.lines.slice(start, start + wanted.length), wanted)));
}

/** All places of lines that are not quite those of the file: most are, and the others nearly. */
export function findNearLines(file: readonly string[], old: readonly string[]): FoundLines[] {
  const wanted = old.flatMap((line, at) => (isBlank(line) ? [] : [at]));
  const index = lineIndexOf(file);
  const starts = findNearly(
    index,
    wanted.map((line) => normalised(old[line] ?? '')),
  );
  return starts.map((start) => pairUp(file, old, index.lines.slice(start, start + wanted.length), wanted));
}

function isAt(file: readonly string[], first: number, old: readonly string[], key: (line: string) => string): boolean {
  return (
    first >= 0 &&
    first + old.length <= file.length &&
    old.every((line, at) => key(line) === key(file[first + at] ?? ''))
  );
}

function toExact(file: readonly string[], start: number, old: readonly string[]): FoundLines {
  const pairs = old.map((written, at) => ({ written, inFile: file[start + at] ?? '' }));
  return { start, end: start + old.length, pairs, places: old.map((_, at) => start + at) };
}

/** Where texts stand next to one another: only the places of the one that is rarest are looked at. */
function findSame({ texts, placesOf }: LineIndex, wanted: readonly string[]): number[] {
  const [rarest = 0] = byRarity(wanted, placesOf);
  return placesOf(wanted[rarest] ?? '')
    .map((place) => place - rarest)
    .filter((start) => wanted.every((text, at) => texts[start + at] === text));
}

/** The least length of lines that are compared without any white space, in characters. */
const leastPacked = 8;

/** Where texts stand that have other white space within, such as `{a}` for `{ a }`. */
function findPacked({ texts }: LineIndex, wanted: readonly string[]): number[] {
  const packed = wanted.map(pack);
  if (packed.join('').length < leastPacked) return [];
  const [first = ''] = packed;
  return texts.flatMap((text, at) =>
    text.length >= first.length &&
    pack(text) === first &&
    packed.every((line, by) => pack(texts[at + by] ?? '') === line)
      ? [at]
      : [],
  );
}

const pack = (text: string): string => text.replace(/\s+/g, '');

/** The places in a list of texts, those of the texts first that a file has least. */
function byRarity(wanted: readonly string[], placesOf: LineIndex['placesOf']): number[] {
  const counts = wanted.map((text) => placesOf(text).length);
  return [...wanted.keys()].sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
}

function pairUp(
  file: readonly string[],
  old: readonly string[],
  lines: readonly number[],
  wanted: readonly number[],
): FoundLines {
  const pairs = wanted.map((line, at) => ({ written: old[line] ?? '', inFile: file[lines[at] ?? 0] ?? '' }));
  const places: (number | undefined)[] = old.map(() => undefined);
  for (const [at, line] of wanted.entries()) places[line] = lines[at];
  // Blank lines are those that follow the same line.
  for (const [at, line] of old.entries()) {
    const before = at === 0 ? undefined : places[at - 1];
    if (isBlank(line) && before !== undefined && isBlank(file[before + 1] ?? 'x')) places[at] = before + 1;
  }
  return { start: lines[0] ?? 0, end: (lines.at(-1) ?? 0) + 1, pairs, places };
}

/** Of places that differ in white space, those whose lines are all shifted alike, where there are any. */
function keepShifted(found: FoundLines[]): FoundLines[] {
  const shifted = found.filter(({ pairs }) => {
    const shifts = new Set(pairs.map(({ written, inFile }) => columnsOf(inFile) - columnsOf(written)));
    return shifts.size <= 1;
  });
  return shifted.length > 0 ? shifted : found;
}

/** The share of lines that must be those of the file where the others are only nearly so. */
const leastSame = 0.6;

/** The most comparisons of lines for a place that is only nearly right. */
const mostCompared = 4_000_000;

/** Where texts nearly stand: at places of some of the rarest, so many that one of these has to be the same. */
function findNearly({ texts, placesOf }: LineIndex, wanted: readonly string[]): number[] {
  const mayDiffer = wanted.length - Math.ceil(wanted.length * leastSame);
  const anchors = byRarity(wanted, placesOf).slice(0, mayDiffer + 1);
  const tries = anchors.reduce((sum, at) => sum + placesOf(wanted[at] ?? '').length, 0);
  if (wanted.length < 2 || tries * wanted.length > mostCompared) return [];
  const starts = new Set(anchors.flatMap((at) => placesOf(wanted[at] ?? '').map((place) => place - at)));
  return [...starts]
    .sort((a, b) => a - b)
    .filter((start) => {
      if (start < 0 || start + wanted.length > texts.length) return false;
      const same = wanted.filter((text, at) => texts[start + at] === text).length;
      if (same < wanted.length - mayDiffer) return false;
      const each = wanted.map((text, at) => similarity(texts[start + at] ?? '', text));
      const sum = each.reduce((total, value) => total + value, 0);
      return sum / each.length >= leastLikeness && each.every((value) => value >= leastOfOne);
    });
}

/** The one place that is meant: the only one, or the only one within the selection. */
export function chooseLines(places: readonly FoundLines[], within: LineRange | undefined): FoundLines | Misplaced {
  if (places.length === 0) return 'unplaced';
  const inside =
    within === undefined ? places : places.filter(({ start, end }) => start >= within.first && end <= within.last + 1);
  const left = places.length > 1 && inside.length > 0 ? inside : places;
  const [only] = left;
  return only === undefined || left.length > 1 ? 'ambiguous' : only;
}
