/** A place where a text is found: the how manieth of its line, from 0. */
export interface LineMatch {
  readonly line: number;
  readonly nth: number;
}

/** More matches are not counted: a letter that is everywhere would fill the memory. */
export const mostMatches = 20_000;

/** The places where a text stands in lines, whatever its case; none for an empty text. */
export function findInLines(lines: readonly { readonly text: string }[], wanted: string): LineMatch[] {
  const folded = wanted.toLowerCase();
  const found: LineMatch[] = [];
  if (folded === '') return found;
  for (const [line, { text }] of lines.entries()) {
    const words = text.toLowerCase();
    let nth = 0;
    for (let at = words.indexOf(folded); at >= 0; at = words.indexOf(folded, at + folded.length)) {
      if (found.length >= mostMatches) return found;
      found.push({ line, nth });
      nth++;
    }
  }
  return found;
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
