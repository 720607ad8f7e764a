import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { mostAsked } from '../../query/query.ts';
import type { FolderIndex } from '../../registry/folderIndex.ts';
import { readsOnly, runTool } from '../toolRun.ts';
import { answerHits, hitsInput, hitsOutput } from './answerHits.ts';

/** `search_code`: the places for a question. */
export function registerSearchCode(server: McpServer, index: () => Promise<FolderIndex>): void {
  server.registerTool(
    'search_code',
    {
      title: 'Search the code',
      description:
        'Finds the places in the code where something is done, by meaning and by words, the best first, as path:startLine-endLine. Describe what the code does in one sentence; a question in plain words works better than a list of keywords. Operators narrow it: "a phrase", file:*.ts, lang:py, symbol:Name, /a regular expression/, each also with - before it. Reads nothing beyond the index: to see more of a place, read the file.',
      inputSchema: z.object({
        query: z.string().trim().min(1).max(mostAsked).describe('What the code does, in plain words'),
        ...hitsInput,
      }),
      outputSchema: hitsOutput,
      annotations: { ...readsOnly, openWorldHint: true },
    },
    async ({ query, paths: globs = [], languages = [], changed_since: changedSince, ...input }, context) =>
      runTool(
        index,
        context,
        (opened, signal) =>
          answerHits(opened, input, [query, globs, languages, changedSince], 'question', (limit) =>
            opened.search({ text: query, limit, globs, languages, changedSince }, signal),
          ),
        globs.length + languages.length > 0 || changedSince !== undefined ? undefined : query,
      ),
  );
}
