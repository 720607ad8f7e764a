import type { LineRange } from '../../base/lines.ts';
import type { LinePair } from './indent.ts';
import { columnsOf, isBlank, normalised, similarity } from './lineText.ts';
import type { Misplaced } from './misplaced.ts';

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
 * the indentation of them all; but for all white space and blank lines; nearly.
 */
export function findLines(file: readonly string[], old: readonly string[]): FoundLines[] {
  if (old.every(isBlank)) return [];
  for (const key of [(line: string) => line, (line: string) => line.trimEnd()]) {
    const found = findExact(file, old, key);
    if (found.length > 0) return found;
  }
  const [inFile, wanted] = [significant(file), significant(old)];
  const found = findSequence(file, old, inFile, wanted, (a, b) => normalised(a) === normalised(b));
  if (found.length > 0) return keepShifted(found);
  return findNearly(file, old, inFile, wanted);
}

function findExact(file: readonly string[], old: readonly string[], key: (line: string) => string): FoundLines[] {
  const [keys, wanted] = [file.map(key), old.map(key)];
  const found: FoundLines[] = [];
  for (let start = 0; start + wanted.length <= keys.length; start++) {
    if (wanted.some((line, at) => keys[start + at] !== line)) continue;
    const pairs = old.map((written, at) => ({ written, inFile: file[start + at] ?? '' }));
    found.push({ start, end: start + old.length, pairs, places: old.map((_, at) => start + at) });
  }
  return found;
}

function significant(lines: readonly string[]): number[] {
  return lines.flatMap((line, at) => (isBlank(line) ? [] : [at]));
}

function findSequence(
  file: readonly string[],
  old: readonly string[],
  inFile: readonly number[],
  wanted: readonly number[],
  isSame: (a: string, b: string) => boolean,
): FoundLines[] {
  const found: FoundLines[] = [];
  for (let at = 0; at + wanted.length <= inFile.length; at++) {
    if (wanted.some((line, index) => !isSame(file[inFile[at + index] ?? 0] ?? '', old[line] ?? ''))) continue;
    found.push(toFound(file, old, inFile.slice(at, at + wanted.length), wanted));
  }
  return found;
}

function toFound(
  file: readonly string[],
  old: readonly string[],
  lines: readonly number[],
  wanted: readonly number[],
): FoundLines {
  const pairs = wanted.map((line, at) => ({ written: old[line] ?? '', inFile: file[lines[at] ?? 0] ?? '' }));
  const places: (number | undefined)[] = old.map((_, at) => lines[wanted.indexOf(at)]);
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

/** The largest product of lines for which a place that is only nearly right is looked for. */
const mostCompared = 4_000_000;

function findNearly(
  file: readonly string[],
  old: readonly string[],
  inFile: readonly number[],
  wanted: readonly number[],
): FoundLines[] {
  if (wanted.length < 2 || inFile.length * wanted.length > mostCompared) return [];
  const scored: { found: FoundLines; likeness: number }[] = [];
  const [words, ours] = [new Map<number, string>(), wanted.map((line) => normalised(old[line] ?? ''))];
  const textAt = (line: number): string => {
    const known = words.get(line) ?? normalised(file[line] ?? '');
    words.set(line, known);
    return known;
  };
  for (let at = 0; at + wanted.length <= inFile.length; at++) {
    const lines = inFile.slice(at, at + wanted.length);
    const same = lines.filter((line, index) => textAt(line) === ours[index]).length;
    if (same < wanted.length * 0.6) continue;
    const each = lines.map((line, index) => similarity(file[line] ?? '', ours[index] ?? ''));
    const likeness = each.reduce((sum, value) => sum + value, 0) / each.length;
    if (likeness >= leastLikeness && Math.min(...each) >= leastOfOne)
      scored.push({ found: toFound(file, old, lines, wanted), likeness });
  }
  return scored.map(({ found }) => found);
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
