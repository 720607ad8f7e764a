import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { FolderIndex } from '../../registry/folderIndex.ts';
import { coverageOf, coverageSchema, unsentText } from '../coverage.ts';
import { readsOnly, runTool } from '../toolRun.ts';

/** `index_status`: what the index has, and how old it is. */
export function registerIndexStatus(server: McpServer, index: () => Promise<FolderIndex>): void {
  server.registerTool(
    'index_status',
    {
      title: 'State of the index',
      description:
        'Says how much of the folder the search knows, by words and by meaning, how old that is, and which files are left out.',
      inputSchema: z.object({}),
      outputSchema: z.object({
        folders: z.array(z.string()),
        model: z
          .string()
          .optional()
          .describe('The embedding model whose vectors answer; absent where nothing may be sent'),
        coverage: coverageSchema,
        chunks: z.number().int(),
        linesCovered: z.number().int(),
        lines: z.number().int(),
        excluded: z.record(z.string(), z.number().int()).describe('Files left out, by reason'),
      }),
      annotations: { ...readsOnly, openWorldHint: false },
    },
    async (_, context) =>
      runTool(index, context, async (opened) => {
        const { indexed, coverage: covered, excluded } = opened.engine.status(opened.record.source);
        const coverage = await coverageOf(opened);
        const model = opened.record.source?.model;
        const leftOut = Object.entries(excluded).map(([reason, count]) => `${reason} ${count}`);
        const text = [
          `Folders: ${opened.folders.join(', ')}`,
          unsentText(coverage),
          `${covered.covered} of ${covered.lines} lines, in ${indexed.chunks} chunks.`,
          model === undefined ? 'Words only: no embedding model is allowed for this folder.' : `Meaning by ${model}.`,
          leftOut.length === 0 ? 'No file is left out.' : `Files left out: ${leftOut.join(', ')}.`,
        ].join('\n');
        return {
          content: [{ type: 'text', text }],
          structuredContent: {
            folders: [...opened.folders],
            ...(model === undefined ? {} : { model }),
            coverage,
            chunks: indexed.chunks,
            linesCovered: covered.covered,
            lines: covered.lines,
            excluded,
          },
        };
      }),
  );
}
