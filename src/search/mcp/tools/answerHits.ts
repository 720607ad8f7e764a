import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { placesLimit } from '../../query/hitsByFile.ts';
import { queryLimit } from '../../query/query.ts';
import type { FolderIndex, OutsideAnswer } from '../../registry/folderIndex.ts';
import { sentTo } from '../../registry/windowModel.ts';
import { coverageOf, coverageSchema, coverageText, halvesText } from '../coverage.ts';
import { cursorOf, readCursor } from '../cursor.ts';
import {
  type Detail,
  details,
  fitting,
  linkOf,
  onePerFile,
  onOneLine,
  placeOf,
  placeSchema,
  placeText,
} from '../places.ts';
import { namePlace, ToolProblem } from '../toolRun.ts';

/** The fields of a question about places in the code. */
export const hitsInput = {
  paths: z
    .array(z.string().min(1).max(500))
    .max(100)
    .optional()
    .describe(
      'Only files whose path from the folder matches one of these globs, such as src/**/*.ts. One without / is for any folder; one that begins with ! leaves files out.',
    ),
  languages: z
    .array(z.string().min(1).max(100))
    .max(50)
    .optional()
    .describe('Only files of these languages, by ids or ends of file names: typescript, py'),
  changed_since: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Only files that differ from this git branch, tag or commit, or are new: main, HEAD~5'),
  limit: z.number().int().min(1).max(queryLimit).default(10).describe('The most places of one answer'),
  detail: z
    .enum(details)
    .default('snippets')
    .describe('places: where it is, with links; snippets: the lines that show why; full: all lines of each place'),
  max_tokens: z
    .number()
    .int()
    .min(100)
    .max(100_000)
    .default(4_000)
    .describe('The most tokens of one answer, estimated'),
  cursor: z.string().max(200).optional().describe('From an answer to the same question: goes on behind it'),
};

export const hitsOutput = z.object({
  places: z.array(placeSchema),
  by: z.enum(['words', 'words and meaning', 'meaning']),
  sentTo: z.string().optional().describe('The service that was sent the question; absent where nothing was sent'),
  team: z
    .object({
      hits: z.number().int().describe('Places that it found, before they were ranked'),
      problem: z.string().optional().describe('Why it could not be asked'),
    })
    .optional()
    .describe('The index of a team, where it was asked for what has no vector on this machine'),
  coverage: coverageSchema,
  cursor: z.string().optional().describe('Goes on behind this answer; absent at its end'),
});

export interface HitsInput {
  limit: number;
  detail: Detail;
  max_tokens: number;
  cursor?: string | undefined;
}

/** Tokens that are set aside for what an answer says besides its places, and the share of an answer that is left to them at least. */
const [tokensOfNotes, leastShare] = [100, 0.5] as const;

/**
 * An answer in places.
 * @param asked what decides on the hits and their order
 * @param what the question is about: words of the agent, or code at a place
 * @param ask answers with so many hits
 */
export async function answerHits(
  index: FolderIndex,
  { limit, detail, max_tokens, cursor }: HitsInput,
  asked: unknown,
  what: 'question' | 'code',
  ask: (limit: number) => Promise<OutsideAnswer>,
): Promise<CallToolResult> {
  const before = cursor === undefined ? 0 : readCursor(asked, cursor);
  if (before === undefined) throw new ToolProblem('The cursor belongs to another question. Ask without it.');
  // All hits are asked for: only they tell how many are left where a file has more of them than are shown.
  const answer = await ask(queryLimit);
  const hits = spread(answer.hits.filter(({ isWeak }, at) => !isWeak || at < placesLimit)).slice(before);
  const places = hits.slice(0, limit).map((hit) => placeOf(hit, detail, (place) => namePlace(index, place)));
  const links = detail === 'places' ? places.map(({ path }, at) => linkOf(hits[at] ?? { root: '', path }, path)) : [];
  const tokens = Math.max(max_tokens - tokensOfNotes, Math.ceil(max_tokens * leastShare));
  const shown = fitting(
    places,
    tokens,
    links.map(({ uri }) => uri),
  );
  const next = hits.length > shown.length ? cursorOf(asked, before + shown.length) : undefined;
  const coverage = await coverageOf(index);
  const notes = [
    ...(shown.length > 0 ? [] : [before > 0 ? 'There is nothing more.' : 'Nothing was found.']),
    ...problems(answer, index),
    halvesText(answer, index, coverage, what),
    coverageText(coverage, Date.now()),
    ...(next === undefined ? [] : [`There is more: ask again with cursor ${next}`]),
  ];
  const text = [...shown.map(placeText), notes.join('\n')].join(detail === 'places' ? '\n' : '\n\n');
  const to = sentTo(answer);
  const byBoth = what === 'code' ? ('meaning' as const) : ('words and meaning' as const);
  return {
    content: [{ type: 'text', text }, ...onePerFile(links.slice(0, shown.length))],
    structuredContent: {
      places: shown,
      by: answer.by === 'both' ? byBoth : ('words' as const),
      ...(to === undefined ? {} : { sentTo: to }),
      ...(answer.team === undefined ? {} : { team: answer.team }),
      coverage,
      ...(next === undefined ? {} : { cursor: next }),
    },
  };
}

/** What keeps an answer from being all that was asked for. */
function problems({ words, leftOut, looked }: OutsideAnswer, index: FolderIndex): string[] {
  const roots = index.record.scope.roots;
  const place = leftOut && roots.map((root) => index.place(join(root, leftOut.path))).find(Boolean);
  return [
    ...(words === 'none'
      ? ['There is no word to search for in the question. Describe in words what the code does.']
      : []),
    ...(place === undefined
      ? []
      : [`${onOneLine(namePlace(index, place))} is left out of the index; why_file says why.`]),
    ...(looked === undefined ? [] : [`Only ${Math.floor(looked * 100)} % of the code was looked through in time.`]),
  ];
}

/** The hits as they are, but no more of one file than a person is shown. */
function spread<T extends { root: string; path: string }>(hits: readonly T[]): T[] {
  const seen = new Map<string, number>();
  return hits.filter(({ root, path }) => {
    const file = `${root}\0${path}`;
    const count = (seen.get(file) ?? 0) + 1;
    seen.set(file, count);
    return count <= placesLimit;
  });
}
