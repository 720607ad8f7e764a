/** A place where a text is found: the how manieth of its line, from 0. */
export interface LineMatch {
  readonly line: number;
  readonly nth: number;
}

/** More matches are not counted: a letter that is everywhere would fill the memory. */
export const mostMatches = 20_000;

/** The places where a text stands in lines, whatever its case; none for an empty text. */
export function findInLines(lines: readonly { readonly text: string }[], wanted: string): LineMatch[] {
  const found: LineMatch[] = [];
  const folded = fold(wanted);
  for (const [line, { text }] of lines.entries()) {
    const { length } = placesIn(text, folded);
    for (let nth = 0; nth < length; nth++) {
      if (found.length >= mostMatches) return found;
      found.push({ line, nth });
    }
  }
  return found;
}

/** Where a text, as `fold` gives it, stands in another, whatever its case; none for an empty one. */
function placesIn(text: string, folded: string): number[] {
  const found: number[] = [];
  if (folded === '') return found;
  const words = fold(text);
  for (let at = words.indexOf(folded); at >= 0; at = words.indexOf(folded, at + folded.length)) found.push(at);
  return found;
}

/** In small letters, each at its place: those that would become two (`İ`) stay as they are. */
function fold(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return Array.from(text, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  ).join('');
}

/**
 * A text with another in the place of what is found in it.
 * @param nth the place that is replaced alone; absent: all of them
 */
export function replaceIn(text: string, wanted: string, other: string, nth?: number): string {
  const all = placesIn(text, fold(wanted));
  const places = nth === undefined ? all : all.slice(nth, nth + 1);
  let replaced = '';
  let done = 0;
  for (const place of places) {
    replaced += text.slice(done, place) + other;
    done = place + wanted.length;
  }
  return replaced + text.slice(done);
}

/**
 * The next match, and around at the end.
 * @param found in order
 * @param from the match to go on from: it is not the answer unless there is no other
 */
export function matchFrom(found: readonly LineMatch[], from: LineMatch, by: 1 | -1): LineMatch | undefined {
  const order = (match: LineMatch): number => match.line - from.line || match.nth - from.nth;
  if (by === 1) return found.find((match) => order(match) > 0) ?? found[0];
  return found.findLast((match) => order(match) < 0) ?? found.at(-1);
}
