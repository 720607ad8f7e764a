import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { fenced } from '../../base/codeFence.ts';
import { bytesWithin, estimateTokens } from '../../base/tokens.ts';
import type { SearchHit } from '../query/query.ts';
import type { Place } from '../types.ts';

/** How much of a hit goes into an answer: where it is, the lines that show why, or all of its lines. */
export const details = ['places', 'snippets', 'full'] as const;
export type Detail = (typeof details)[number];

export const placeSchema = z.object({
  path: z.string().describe('Relative to the folder, with /. Absolute where there are several folders.'),
  startLine: z.number().int().describe('From 1'),
  endLine: z.number().int().describe('Included'),
  line: z.number().int().optional().describe('The line that shows best why it was found'),
  why: z.enum(['words', 'meaning', 'both', 'definition']).optional(),
  score: z.number().optional(),
  text: z.string().optional(),
});
export type FoundPlace = z.infer<typeof placeSchema>;

/** Lines on each side of one that shows why a hit was found. */
const around = 2;
/** Lines of a snippet at most. */
const longestSnippet = 12;
/** Characters of a line of a snippet at most: what is on one line may be a whole table. */
const longestLine = 400;

/** A hit as far as this detail shows it. @param pathOf how a path is named in answers */
export function placeOf(
  hit: SearchHit,
  detail: Detail,
  pathOf: (place: Pick<Place, 'root' | 'path'>) => string,
): FoundPlace {
  const path = pathOf(hit);
  const { startLine, endLine, why } = hit;
  const line = Math.max(startLine, Math.min(hit.line, endLine));
  const score = Math.round(hit.score * 100) / 100;
  if (detail === 'full') return { path, startLine, endLine, line, why, score, text: hit.text };
  if (detail === 'places') return { path, startLine, endLine, line, why, score };
  const { first, last } = snippetLines(hit);
  const text = hit.text
    .split('\n')
    .slice(first - startLine, last - startLine + 1)
    .map((each) => (each.length > longestLine ? `${wholeLetters(each.slice(0, longestLine))}…` : each))
    .join('\n');
  return { path, startLine: first, endLine: last, line, why, score, text };
}

/** The lines of a hit that show best why it was found: `line` is always one of them. */
function snippetLines({ startLine, endLine, line: best, lines }: SearchHit): { first: number; last: number } {
  const line = Math.max(startLine, Math.min(best, endLine));
  const near = lines.filter((each) => Math.abs(each - line) < longestSnippet - 2 * around);
  const from = Math.max(startLine, Math.min(line, ...near) - around);
  const to = Math.min(endLine, Math.max(line, ...near) + around);
  const first = Math.max(from, Math.min(line + around, endLine) - longestSnippet + 1);
  return { first, last: Math.min(to, first + longestSnippet - 1) };
}

/** A place as text: `src/a.ts:12-40 (definition, line 14)`, or its code below. */
export function placeText({ path, startLine, endLine, line, why, text }: FoundPlace): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  // Where the code is shown, it says more than the number of its line.
  const at = text !== undefined || line === undefined || startLine === endLine ? '' : `, line ${line}`;
  const head = `${onOneLine(path)}:${lines}${why === undefined ? '' : ` (${why}${at})`}`;
  if (text === undefined) return head;
  return `${head}\n${fenced(text.replace(/\r?\n$/, ''), '')}`;
}

/** A text from outside as part of a line of ours: a name of a file may have the end of a line in it, and go on like an answer. */
export function onOneLine(text: string): string {
  const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (letter) => short[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A link to the file of a place, which a client can read by its own means. */
export function linkOf({ root, path }: Pick<Place, 'root' | 'path'>, name: string) {
  return { type: 'resource_link', uri: pathToFileURL(join(root, path)).href, name } as const;
}

/** Links without those that lead where another one does. */
export function onePerFile<T extends { uri: string }>(links: readonly T[]): T[] {
  return [...new Map(links.map((link) => [link.uri, link])).values()];
}

/** The tokens of a link to the file of a place, estimated. */
const tokensOfLink = (uri: string, name: string): number => estimateTokens(uri + name) + 20;

/**
 * The first of these places whose texts fit; at least one, whose text is cut where it alone is too long.
 * @param uris the links that go along, one for each place; a file is linked once
 */
export function fitting(places: readonly FoundPlace[], tokens: number, uris: readonly string[] = []): FoundPlace[] {
  let left = tokens;
  const fit: FoundPlace[] = [];
  const linked = new Set<string>();
  for (const [at, place] of places.entries()) {
    const uri = uris[at];
    const cost =
      estimateTokens(placeText(place)) + (uri === undefined || linked.has(uri) ? 0 : tokensOfLink(uri, place.path));
    if (cost > left) {
      if (fit.length === 0) fit.push(cut(place, tokens));
      break;
    }
    if (uri !== undefined) linked.add(uri);
    left -= cost;
    fit.push(place);
  }
  return fit;
}

/** A place with as many whole lines as the tokens allow, from its line on to both sides, or from its first line. */
function cut({ text, ...place }: FoundPlace, tokens: number): FoundPlace {
  if (text === undefined) return place;
  const lines = text.split('\n');
  const head = estimateTokens(placeText({ ...place, text: '' }));
  const best = Math.max(0, Math.min((place.line ?? place.startLine) - place.startLine, lines.length - 1));
  const costOf = (at: number): number => estimateTokens(`${lines[at] ?? ''}\n`);
  let [first, last, left] = [best, best, tokens - head - costOf(best)];
  if (left < 0) {
    const bytes = bytesWithin(tokens - head) - '…'.length * 3;
    const start = wholeLetters(
      Buffer.from(lines[best] ?? '')
        .subarray(0, Math.max(0, bytes))
        .toString('utf8'),
    );
    const line = place.startLine + best;
    return start === '' ? place : { ...place, startLine: line, endLine: line, text: `${start}…` };
  }
  for (let isMore = true; isMore; ) {
    isMore = false;
    if (last + 1 < lines.length && costOf(last + 1) <= left) {
      left -= costOf(++last);
      isMore = true;
    }
    if (first > 0 && costOf(first - 1) <= left) {
      left -= costOf(--first);
      isMore = true;
    }
  }
  return {
    ...place,
    startLine: place.startLine + first,
    endLine: place.startLine + last,
    text: lines.slice(first, last + 1).join('\n'),
  };
}

/** The start of a text without half of a letter at its end. */
const wholeLetters = (start: string): string => start.replace(/[\uD800-\uDBFF]$|\uFFFD+$/, '');
