import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { FolderIndex } from '../../registry/folderIndex.ts';
import type { Place } from '../../types.ts';
import { explanationText } from '../agentSentences.ts';
import { onOneLine } from '../places.ts';
import { namePlace, readPath, readsOnly, runTool, ToolProblem } from '../toolRun.ts';
import { answerHits, hitsInput, hitsOutput } from './answerHits.ts';

/** `find_similar`: places whose code is like that of a place. */
export function registerFindSimilar(server: McpServer, index: () => Promise<FolderIndex>): void {
  server.registerTool(
    'find_similar',
    {
      title: 'Find similar code',
      description:
        'Finds code like that at a place of the folder: other implementations of the same thing, copies, tests of the same kind. Code that has a vector in the index is not sent anywhere.',
      inputSchema: z.object({
        path: z.string().min(1).max(4_096).describe('The file, from the folder'),
        line: z.number().int().min(1).describe('A line of the code that others should be like'),
        ...hitsInput,
      }),
      outputSchema: hitsOutput,
      annotations: { ...readsOnly, openWorldHint: true },
    },
    async ({ path, line, paths: globs = [], languages = [], changed_since: changedSince, ...input }, context) =>
      runTool(index, context, async (opened, signal) => {
        const place = { ...readPath(opened, path), startLine: line, endLine: line };
        await opened.refresh([place], signal).catch(() => false);
        if (opened.engine.chunksAt(place).length === 0) throw new ToolProblem(await noCodeText(opened, place, signal));
        return answerHits(opened, input, [place, globs, languages, changedSince], 'code', (limit) =>
          opened.search({ text: '', limit, globs, languages, changedSince, similarTo: place }, signal),
        );
      }),
  );
}

/** Why there is no code at a place, and which lines have some. */
async function noCodeText(index: FolderIndex, place: Place, signal: AbortSignal): Promise<string> {
  const name = namePlace(index, place);
  const all = index.engine.chunksAt({ ...place, startLine: 1, endLine: Number.MAX_SAFE_INTEGER });
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) {
    const { scope, source } = index.record;
    return explanationText(name, await index.engine.why(scope, place.root, place.path, source, signal));
  }
  return `The index has no code at line ${place.startLine} of ${onOneLine(name)}. Name a line from ${first.startLine} to ${last.endLine}.`;
}
