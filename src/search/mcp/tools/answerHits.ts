import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { placesLimit } from '../../query/hitsByFile.ts';
import { queryLimit } from '../../query/query.ts';
import type { FolderIndex, OutsideAnswer } from '../../registry/folderIndex.ts';
import { coverageOf, coverageSchema, coverageText, halvesText } from '../coverage.ts';
import { cursorOf, readCursor } from '../cursor.ts';
import { type Detail, details, fitting, linkOf, placeOf, placeSchema, placeText } from '../places.ts';
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
  by: z.enum(['words', 'words and meaning']),
  sentTo: z.string().optional().describe('The service that was sent the question; absent where nothing was sent'),
  coverage: coverageSchema,
  cursor: z.string().optional().describe('Goes on behind this answer; absent at its end'),
});

export interface HitsInput {
  limit: number;
  detail: Detail;
  max_tokens: number;
  cursor?: string | undefined;
}

/** Tokens that are set aside for what an answer says besides its places. */
const tokensOfNotes = 100;

/**
 * An answer in places.
 * @param asked what decides on the hits and their order
 * @param ask answers with so many hits
 */
export async function answerHits(
  index: FolderIndex,
  { limit, detail, max_tokens, cursor }: HitsInput,
  asked: unknown,
  ask: (limit: number) => Promise<OutsideAnswer>,
): Promise<CallToolResult> {
  const before = cursor === undefined ? 0 : readCursor(asked, cursor);
  if (before === undefined) throw new ToolProblem('The cursor belongs to another question. Ask without it.');
  // One more than is shown tells whether there are more.
  const answer = await ask(Math.min(queryLimit, before + limit + 1));
  const hits = spread(answer.hits.filter(({ isWeak }, at) => !isWeak || at < placesLimit)).slice(before);
  const places = hits.slice(0, limit).map((hit) => placeOf(hit, detail, (place) => namePlace(index, place)));
  const shown = fitting(places, max_tokens - tokensOfNotes);
  const isMore = hits.length > shown.length;
  const next = isMore ? cursorOf(asked, before + shown.length) : undefined;
  const coverage = await coverageOf(index);
  const by = answer.by === 'both' ? 'words and meaning' : 'words';
  const notes = [
    ...(shown.length === 0 ? ['Nothing was found.'] : []),
    ...(answer.words === 'none' ? ['There is no word to search for in the question.'] : []),
    ...(answer.leftOut === undefined ? [] : [`${answer.leftOut.path} is left out of the index; why_file says why.`]),
    ...(answer.looked === undefined
      ? []
      : [`Only ${Math.floor(answer.looked * 100)} % of the code was looked through in time.`]),
    halvesText(answer, index, coverage),
    coverageText(coverage, Date.now()),
    ...(next === undefined ? [] : [`There is more: ask again with cursor ${next}`]),
  ];
  const text = [...shown.map(placeText), notes.join('\n')].join(detail === 'places' ? '\n' : '\n\n');
  const links =
    detail === 'places' ? hits.slice(0, shown.length).map((hit, at) => linkOf(hit, shown[at]?.path ?? hit.path)) : [];
  return {
    content: [{ type: 'text', text }, ...onePerFile(links)],
    structuredContent: {
      places: shown,
      by,
      ...(answer.sentTo === undefined ? {} : { sentTo: answer.sentTo }),
      coverage,
      ...(next === undefined ? {} : { cursor: next }),
    },
  };
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

function onePerFile<T extends { uri: string }>(links: readonly T[]): T[] {
  return [...new Map(links.map((link) => [link.uri, link])).values()];
}
