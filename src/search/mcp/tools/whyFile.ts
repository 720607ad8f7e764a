import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { FolderIndex } from '../../registry/folderIndex.ts';
import { explanationText } from '../agentSentences.ts';
import { coverageOf, coverageSchema, unsentText } from '../coverage.ts';
import { onOneLine } from '../places.ts';
import { namePlace, readPath, readsOnly, runTool, ToolProblem } from '../toolRun.ts';

/** `why_file`: whether a file is in the index, and why not. */
export function registerWhyFile(server: McpServer, index: () => Promise<FolderIndex>): void {
  server.registerTool(
    'why_file',
    {
      title: 'Why is this file (not) in the index?',
      description:
        'Says whether the search knows a file, and by which rule it does not. Use it when a file that is there is not found.',
      inputSchema: z.object({ path: z.string().min(1).max(4_096).describe('The file, from the folder') }),
      outputSchema: z.object({ path: z.string(), kind: z.string(), reason: z.string(), coverage: coverageSchema }),
      annotations: { ...readsOnly, openWorldHint: false },
    },
    async ({ path }, context) =>
      runTool(index, context, async (opened, signal) => {
        const place = readPath(opened, path);
        const { source, scope } = opened.record;
        const name = namePlace(opened, place);
        const isFolder = await stat(join(place.root, place.path)).then(
          (found) => found.isDirectory(),
          () => false,
        );
        if (isFolder) throw new ToolProblem(`${onOneLine(name) || 'This'} is a folder. Name a file in it.`);
        const explanation = await opened.engine.why(scope, place.root, place.path, source, signal);
        const reason = explanationText(name, explanation);
        const coverage = await coverageOf(opened);
        const text = `${reason}\n${unsentText(coverage)}`;
        return {
          content: [{ type: 'text', text }],
          structuredContent: { path: name, kind: explanation.kind, reason, coverage },
        };
      }),
  );
}
