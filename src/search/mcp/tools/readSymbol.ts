import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { loadSyntax } from '../../../syntax/readSyntax.ts';
import type { Engine } from '../../engine.ts';
import type { FolderIndex } from '../../registry/folderIndex.ts';
import type { Place } from '../../types.ts';
import { coverageOf, coverageSchema, unsentText } from '../coverage.ts';
import { type FoundPlace, fitting, linkOf, onePerFile, onOneLine, placeSchema, placeText } from '../places.ts';
import { namePlace, readsOnly, runTool } from '../toolRun.ts';

/** The most definitions of one answer. */
const mostShown = 10;
/** The most further ones that are named. */
const mostNamed = 50;

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
      outputSchema: z.object({
        definitions: z.array(placeSchema),
        further: z.number().int().describe('Definitions that are not among these'),
        coverage: coverageSchema,
      }),
      annotations: { ...readsOnly, openWorldHint: false },
    },
    async ({ name, paths: globs = [], max_tokens }, context) =>
      runTool(index, context, async (opened, signal) => {
        const { found, isOwned } = await definitionsOf(opened, name, globs, signal);
        const places = found.map(({ place, text }): FoundPlace => {
          const { startLine, endLine } = place;
          return { path: namePlace(opened, place), startLine, endLine, text };
        });
        const shown = fitting(places.slice(0, mostShown), max_tokens);
        const rest = places.slice(shown.length).map((each) => placeText({ ...each, text: undefined }));
        const coverage = await coverageOf(opened);
        const [whole, part] = [places[0], shown[0]];
        const notes = [
          ...(found.length > 0
            ? []
            : [`Nothing in the index declares ${onOneLine(name)}. Ask search_code for what it does.`]),
          ...(found.length === 0 || isOwned
            ? []
            : [`None of these is in ${onOneLine(ownerOf(name))}, as far as the syntax tells.`]),
          ...(whole === undefined || part === undefined || part.endLine === whole.endLine
            ? []
            : [`The first definition goes on to line ${whole.endLine}. Ask with more max_tokens, or read the file.`]),
          ...(rest.length === 0 ? [] : [`Further definitions: ${rest.slice(0, mostNamed).join(', ')}`]),
          unsentText(coverage),
        ];
        const links = found.slice(0, shown.length).map(({ place }, at) => linkOf(place, shown[at]?.path ?? place.path));
        return {
          content: [
            { type: 'text', text: [...shown.map(placeText), notes.join('\n')].join('\n\n') },
            ...onePerFile(links),
          ],
          structuredContent: { definitions: shown, further: rest.length, coverage },
        };
      }),
  );
}

interface Definition {
  readonly place: Place;
  readonly text: string;
}

/** The parts of a qualified name, as languages write it: `Store.open`, `Store::open`, `Store#open`, and a call of it. */
const partsOf = (qualified: string): string[] =>
  qualified
    .replace(/\(.*\)$/s, '')
    .split(/\.|#|::|->|\//)
    .filter(Boolean);
const ownerOf = (qualified: string): string => partsOf(qualified).at(-2) ?? '';

/** The definitions of a name. `isOwned`: they are in what it is qualified with, or it is not qualified. */
async function definitionsOf(
  index: FolderIndex,
  qualified: string,
  globs: readonly string[],
  signal: AbortSignal,
): Promise<{ found: Definition[]; isOwned: boolean }> {
  const name = partsOf(qualified).at(-1) ?? qualified;
  const owner = ownerOf(qualified);
  const chunks = await index.definitions(name, globs, signal);
  const files = new Map(chunks.map(({ root, path }) => [`${root}\0${path}`, { root, path }]));
  const found: (Definition & { isOwned: boolean })[] = [];
  for (const file of files.values()) {
    const own = chunks.filter(({ root, path }) => root === file.root && path === file.path);
    found.push(...(await declaredIn(index.engine, file, name, owner, own)));
  }
  const owned = found.filter(({ isOwned }) => isOwned);
  return owner !== '' && owned.length > 0 ? { found: owned, isOwned: true } : { found, isOwned: owner === '' };
}

/** The declarations of a name in a file, or the chunks that are known to have it where its syntax does not tell. */
async function declaredIn(
  engine: Engine,
  file: Pick<Place, 'root' | 'path'>,
  name: string,
  owner: string,
  chunks: readonly (Place & { text: string })[],
): Promise<(Definition & { isOwned: boolean })[]> {
  const lines = linesInIndex(engine, file);
  const known = Array.from(lines, (line) => line ?? '');
  const { declarations } = (await loadSyntax([file.path])).file(known, file.path);
  const nameOf = (key: string): string => key.slice(key.indexOf(':') + 1);
  const named = declarations.filter(({ key }) => nameOf(key) === name);
  if (named.length === 0) return chunks.map((chunk) => ({ place: chunk, text: chunk.text, isOwned: false }));
  return named.map(({ lead, end, parent }) => {
    const around = declarations[parent]?.key;
    return {
      place: { ...file, startLine: lead + 1, endLine: end },
      text: textOf(lines.slice(lead, end)),
      isOwned: around !== undefined && nameOf(around) === owner,
    };
  });
}

/** The lines of a file as the index has them. What it leaves out, as it holds a secret, is left out here, too. */
function linesInIndex(engine: Engine, file: Pick<Place, 'root' | 'path'>): (string | undefined)[] {
  const lines: (string | undefined)[] = [];
  for (const { startLine, text } of engine.chunksAt({ ...file, startLine: 1, endLine: Number.MAX_SAFE_INTEGER })) {
    for (const [at, line] of text.split('\n').entries()) lines[startLine - 1 + at] ??= line;
  }
  return lines;
}

/** Lines as a text, whose gaps say what they are. */
function textOf(lines: readonly (string | undefined)[]): string {
  return Array.from(lines, (line, at) => {
    if (line !== undefined) return line;
    return at === 0 || lines[at - 1] !== undefined ? '[These lines are not in the index: they hold a secret.]' : '';
  }).join('\n');
}
