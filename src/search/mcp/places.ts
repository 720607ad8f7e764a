import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { fenced } from '../../base/codeFence.ts';
import { estimateTokens } from '../../base/tokens.ts';
import type { SearchHit } from '../query/query.ts';
import type { Place } from '../types.ts';

/** How much of a hit goes into an answer: where it is, the lines that show why, or all of its lines. */
export const details = ['places', 'snippets', 'full'] as const;
export type Detail = (typeof details)[number];

export const placeSchema = z.object({
  path: z.string().describe('Relative to the folder, with /. Absolute where there are several folders.'),
  startLine: z.number().int().describe('From 1'),
  endLine: z.number().int().describe('Included'),
  why: z.enum(['words', 'meaning', 'both', 'definition']).optional(),
  score: z.number().optional(),
  text: z.string().optional(),
});
export type FoundPlace = z.infer<typeof placeSchema>;

/** Lines on each side of one that shows why a hit was found. */
const around = 2;
/** Lines of a snippet at most. */
const longestSnippet = 12;

/** A hit as far as this detail shows it. @param pathOf how a path is named in answers */
export function placeOf(
  hit: SearchHit,
  detail: Detail,
  pathOf: (place: Pick<Place, 'root' | 'path'>) => string,
): FoundPlace {
  const path = pathOf(hit);
  const { startLine, endLine, why } = hit;
  const score = Math.round(hit.score * 100) / 100;
  if (detail === 'full') return { path, startLine, endLine, why, score, text: hit.text };
  if (detail === 'places') return { path, startLine, endLine, why, score };
  const { first, last } = snippetLines(hit);
  const text = hit.text
    .split('\n')
    .slice(first - startLine, last - startLine + 1)
    .join('\n');
  return { path, startLine: first, endLine: last, why, score, text };
}

/** The lines of a hit that show best why it was found. */
function snippetLines({ startLine, endLine, line, lines }: SearchHit): { first: number; last: number } {
  const near = lines.filter((each) => Math.abs(each - line) < longestSnippet - 2 * around);
  const first = Math.max(startLine, Math.min(line, ...near) - around);
  const last = Math.min(endLine, Math.max(line, ...near) + around, first + longestSnippet - 1);
  return { first, last: Math.max(last, Math.min(line, endLine)) };
}

/** A place as text: `src/a.ts:12-40 (definition)`, and its code below. */
export function placeText({ path, startLine, endLine, why, text }: FoundPlace): string {
  const head = `${path}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}${why === undefined ? '' : ` (${why})`}`;
  if (text === undefined) return head;
  return `${head}\n${fenced(text.replace(/\n$/, ''), '')}`;
}

/** A link to the file of a place, which a client can read by its own means. */
export function linkOf({ root, path }: Pick<Place, 'root' | 'path'>, name: string) {
  return { type: 'resource_link', uri: pathToFileURL(join(root, path)).href, name } as const;
}

/** The first of these places whose texts fit; at least one, whose text is cut where it alone is too long. */
export function fitting(places: readonly FoundPlace[], tokens: number): FoundPlace[] {
  let left = tokens;
  const fit: FoundPlace[] = [];
  for (const place of places) {
    const cost = estimateTokens(placeText(place));
    if (cost <= left) {
      left -= cost;
      fit.push(place);
      continue;
    }
    if (fit.length === 0) fit.push(cut(place, tokens));
    break;
  }
  return fit;
}

/** A place whose text goes as far as the tokens do, by whole lines. */
function cut(place: FoundPlace, tokens: number): FoundPlace {
  const lines = place.text?.split('\n') ?? [];
  let kept = 0;
  let cost = estimateTokens(placeText({ ...place, text: '' }));
  while (kept < lines.length && cost < tokens) cost += estimateTokens(`${lines[kept++]}\n`);
  const text = lines.slice(0, Math.max(1, kept - 1)).join('\n');
  return { ...place, endLine: place.startLine + text.split('\n').length - 1, text: text.slice(0, tokens * 4) };
}
