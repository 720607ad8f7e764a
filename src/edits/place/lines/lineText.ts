import { isBlank } from '../../../syntax/textLines.ts';
import { foldSigns } from './signs.ts';

export { columnsOf, isBlank } from '../../../syntax/textLines.ts';

/** The white space that a line begins with. */
export function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** A line for comparison: without its indentation and its end, and with plain signs. */
export function normalised(line: string): string {
  return foldSigns(line.trim()).trim();
}

/** Whether a line says anything by itself: `}` and `end` stand in every file many times. */
export function isTelling(line: string): boolean {
  return (
    (/\w{2}/.test(line) || /[\p{L}\p{N}_]{2}|\p{Lo}/u.test(line)) &&
    !/^\s*(?:end|else|try|fi|done|esac|begin|do|then|return|break|pass)\s*[;:{]?\s*$/.test(line)
  );
}

/** The lines without blank ones at both ends. */
export function trimBlankLines(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => !isBlank(line));
  return start < 0 ? [] : trimEnd(lines.slice(start));
}

/** The lines without the blank ones at their end. */
export function trimEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

/** How alike two lines are, from 0 to 1: the share of their words and signs that both have, in order or not. A sign counts little. */
export function similarity(a: string, b: string): number {
  const [one, other] = [normalised(a), normalised(b)];
  if (one === other) return 1;
  const [ours, theirs] = [wordsOf(one), wordsOf(other)];
  if (ours.length === 0 || theirs.length === 0) return 0;
  const left = new Map<string, number>();
  for (const word of ours) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of theirs) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared += weightOf(word);
  }
  const total = [...ours, ...theirs].reduce((sum, word) => sum + weightOf(word), 0);
  return (2 * shared) / total;
}

const weightOf = (word: string): number => (/[\p{L}\p{N}_]/u.test(word) ? 1 : 0.25);

/** The longest line, in characters, that is taken apart into words. */
const longestCompared = 2_000;

function wordsOf(text: string): readonly string[] {
  return text.slice(0, longestCompared).match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** The share of one text's telling lines that another has. */
export function shareOf(lines: readonly string[], others: readonly string[]): number {
  const { placesOf } = lineIndexOf(others);
  const telling = lines.filter(isTelling);
  return telling.filter((line) => placesOf(normalised(line)).length > 0).length / Math.max(1, telling.length);
}

/** The lines of a text by what they say. Blank lines are left out. */
export interface LineIndex {
  /** The lines of the text, from 0, in order. */
  readonly lines: readonly number[];
  /** What these lines say, normalised. */
  readonly texts: readonly string[];
  /** How many of them say anything by themselves. */
  readonly tellingCount: number;
  /** Where a normalised text stands, as places in `lines`, in order. */
  placesOf(text: string): readonly number[];
}

const indices = new WeakMap<readonly string[], LineIndex>();

/** The index of a text, which is read once for all that is looked for in it. */
export function lineIndexOf(text: readonly string[]): LineIndex {
  const known = indices.get(text) ?? makeIndex(text);
  indices.set(text, known);
  return known;
}

function makeIndex(text: readonly string[]): LineIndex {
  const [lines, texts]: [number[], string[]] = [[], []];
  const places = new Map<string, number[]>();
  let tellingCount = 0;
  for (const [line, written] of text.entries()) {
    if (isBlank(written)) continue;
    const said = normalised(written);
    const same = places.get(said);
    if (same === undefined) places.set(said, [lines.length]);
    else same.push(lines.length);
    if (isTelling(said)) tellingCount += 1;
    lines.push(line);
    texts.push(said);
  }
  return { lines, texts, tellingCount, placesOf: (said) => places.get(said) ?? [] };
}
