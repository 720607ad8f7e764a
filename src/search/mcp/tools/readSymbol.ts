import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { loadSyntax } from '../../../syntax/readSyntax.ts';
import type { Engine } from '../../engine.ts';
import type { FolderIndex } from '../../registry/folderIndex.ts';
import type { Place } from '../../types.ts';
import { type FoundPlace, fitting, linkOf, placeSchema, placeText } from '../places.ts';
import { namePlace, readsOnly, runTool } from '../toolRun.ts';

/** The most definitions of one answer. */
const mostShown = 10;

/** `read_symbol`: the definitions of a name, with all of their lines. */
export function registerReadSymbol(server: McpServer, index: () => Promise<FolderIndex>): void {
  server.registerTool(
    'read_symbol',
    {
      title: 'Read a definition',
      description:
        'Reads the definition of a function, class, type or constant by its name: all of its lines, wherever it is. A name may be qualified: Store.open. Nothing is sent anywhere.',
      inputSchema: z.object({
        name: z.string().trim().min(1).max(500).describe('The name, as it is written in the code'),
        paths: z
          .array(z.string().min(1).max(500))
          .max(100)
          .optional()
          .describe('Only in files that match one of these globs'),
        max_tokens: z.number().int().min(100).max(100_000).default(4_000),
      }),
      outputSchema: z.object({ definitions: z.array(placeSchema), further: z.number().int() }),
      annotations: { ...readsOnly, openWorldHint: false },
    },
    async ({ name, paths: globs = [], max_tokens }, context) =>
      runTool(index, context, async (opened, signal) => {
        const found = await definitionsOf(opened, name, globs, signal);
        const places = found.map(({ place, text }): FoundPlace => {
          const { startLine, endLine } = place;
          return { path: namePlace(opened, place), startLine, endLine, text };
        });
        const shown = fitting(places.slice(0, mostShown), max_tokens);
        const rest = places.slice(shown.length).map((each) => placeText({ ...each, text: undefined }));
        const more = rest.length === 0 ? [] : [`Further definitions: ${rest.slice(0, 50).join(', ')}`];
        const none = `Nothing in the index declares ${name}. Ask search_code for what it does.`;
        const text = found.length === 0 ? none : [...shown.map(placeText), ...more].join('\n\n');
        const links = found.slice(0, shown.length).map(({ place }, at) => linkOf(place, shown[at]?.path ?? place.path));
        return {
          content: [{ type: 'text', text }, ...links],
          structuredContent: { definitions: shown, further: rest.length },
        };
      }),
  );
}

interface Definition {
  readonly place: Place;
  readonly text: string;
}

async function definitionsOf(
  index: FolderIndex,
  qualified: string,
  globs: readonly string[],
  signal: AbortSignal,
): Promise<Definition[]> {
  const parts = qualified.split(/\.|#|::|->|\//).filter(Boolean);
  const name = parts.at(-1) ?? qualified;
  const owner = parts.at(-2);
  const { engine, record, folders } = index;
  const find = () => engine.definitions(record.scope.roots, name, { globs, within: folders }, signal);
  let chunks = await find();
  if (await index.refresh(chunks, signal).catch(() => false)) chunks = await find();
  const files = new Map(chunks.map(({ root, path }) => [`${root}\0${path}`, { root, path }]));
  const found: (Definition & { isOwned: boolean })[] = [];
  for (const file of files.values()) {
    const own = chunks.filter(({ root, path }) => root === file.root && path === file.path);
    found.push(...(await declaredIn(engine, file, name, owner, own)));
  }
  const owned = found.filter(({ isOwned }) => isOwned);
  return owner !== undefined && owned.length > 0 ? owned : found;
}

/** The declarations of a name in a file, or the chunks that are known to have it where its syntax does not tell. */
async function declaredIn(
  engine: Engine,
  file: Pick<Place, 'root' | 'path'>,
  name: string,
  owner: string | undefined,
  chunks: readonly (Place & { text: string })[],
): Promise<(Definition & { isOwned: boolean })[]> {
  const lines = linesInIndex(engine, file);
  const { declarations } = (await loadSyntax([file.path])).file(lines, file.path);
  const nameOf = (key: string): string => key.slice(key.indexOf(':') + 1);
  const named = declarations.filter(({ key }) => nameOf(key) === name);
  if (named.length === 0) return chunks.map((chunk) => ({ place: chunk, text: chunk.text, isOwned: false }));
  return named.map(({ lead, end, parent }) => {
    const around = declarations[parent]?.key;
    return {
      place: { ...file, startLine: lead + 1, endLine: end },
      text: lines.slice(lead, end).join('\n'),
      isOwned: owner !== undefined && around !== undefined && nameOf(around) === owner,
    };
  });
}

/** The lines of a file as the index has them. What it leaves out, as it holds a secret, is left out here, too. */
function linesInIndex(engine: Engine, file: Pick<Place, 'root' | 'path'>): string[] {
  const lines: string[] = [];
  for (const { startLine, text } of engine.chunksAt({ ...file, startLine: 1, endLine: Number.MAX_SAFE_INTEGER })) {
    for (const [at, line] of text.split('\n').entries()) lines[startLine - 1 + at] ??= line;
  }
  return Array.from(lines, (line) => line ?? '');
}
