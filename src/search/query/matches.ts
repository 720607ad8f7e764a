import { stem } from '../store/stem.ts';

/** The words of an identifier in their places: of `parseHTTPHeader`, `parse`, `HTTP` and `Header`. */
const word = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{N}]+|[\p{Lo}\p{Lm}]+/gu;
/** The most places that are told of a line. */
const mostMatches = 50;

/**
 * Where words of a question stand in a line: the start and end of each, in UTF-16 units.
 * @param stems of the question's words
 */
export function matchesIn(line: string, stems: readonly string[]): [start: number, end: number][] {
  const found: [number, number][] = [];
  if (stems.length === 0) return found;
  for (const { 0: text, index } of line.matchAll(word)) {
    if (!stems.includes(stem(text.toLowerCase()))) continue;
    found.push([index, index + text.length]);
    if (found.length === mostMatches) break;
  }
  return found;
}
