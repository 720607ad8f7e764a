import { hasCompounds, isCompoundOf } from '../letters/compounds.ts';
import { foldWithPlaces, isAscii } from '../letters/foldLetters.ts';
import { isUnspaced, lettersOf, runsOf } from '../letters/unspaced.ts';
import { stem } from '../store/stem.ts';

/** The words of an identifier in their places: of `parseHTTPHeader`, `parse`, `HTTP` and `Header`. */
const word = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{N}]+|[\p{Lo}\p{Lm}\p{M}]+/gu;
/** The most places that are told of a line, and how much of a line with other letters than ASCII is looked at. */
const [mostMatches, mostUnits] = [50, 20_000];

type Place = [start: number, end: number];

/**
 * Where words of a question stand in a line: the start and end of each, in UTF-16 units. Of letters without blanks between words, the
 * longest runs that the question has, too.
 * @param stems of the question's words
 */
export function matchesIn(line: string, stems: readonly string[]): Place[] {
  if (stems.length === 0) return [];
  if (isAscii(line)) return [...placesIn(line, stems, () => hasCompounds(line))].slice(0, mostMatches);
  const { text, starts, ends } = foldWithPlaces(line.slice(0, mostUnits));
  const found: Place[] = [];
  for (const [from, to] of placesIn(text, stems, () => hasCompounds(line))) {
    const start = starts[from] ?? 0;
    const end = ends[to - 1] ?? start;
    const last = found.at(-1);
    // A letter that stands for several may have parts of two words.
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
    if (found.length > mostMatches) break;
  }
  return found.slice(0, mostMatches);
}

/** The same in a text of plain letters. */
function* placesIn(line: string, stems: readonly string[], hasForms: () => boolean): Generator<Place> {
  let isOfCompounds: boolean | undefined;
  let count = 0;
  for (const { 0: text, index } of line.matchAll(word)) {
    if (count > mostMatches) return;
    if (isUnspaced(text)) {
      for (const [start, end] of pairPlaces(text, stems)) {
        count++;
        yield [index + start, index + end];
      }
      continue;
    }
    const lower = text.toLowerCase();
    const isForm = (): boolean => stems.some((each) => isCompoundOf(lower, each));
    if (!stems.includes(stem(lower))) {
      isOfCompounds ??= hasForms();
      if (!isOfCompounds || !isForm()) continue;
    }
    count++;
    yield [index, index + text.length];
  }
}

/** The runs of letters whose pairs the question has, or that it has alone. */
function pairPlaces(word: string, stems: readonly string[]): Place[] {
  const places: Place[] = [];
  for (const run of runsOf(word)) {
    const letters = run.isUnspaced ? lettersOf(run.text) : [];
    for (const [at, { text, start, end }] of letters.entries()) {
      const next = letters[at + 1];
      const isPair = next !== undefined && stems.includes(text + next.text);
      if (!isPair && !stems.includes(text)) continue;
      const last = places.at(-1);
      const from = run.start + start;
      const to = run.start + (isPair ? next.end : end);
      if (last !== undefined && from < last[1]) last[1] = to;
      else places.push([from, to]);
    }
  }
  return places;
}
