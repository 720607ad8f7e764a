import { grammarFor, parserOf } from '../../syntax/grammars.ts';
import { type NameAt, type NameRole, namesByLine } from '../../syntax/lines/definedNames.ts';
import { findBorders } from './findBorders.ts';
import { headingsOf, readMarkdown } from './markdownSections.ts';
import { readNotebook } from './notebook.ts';
import { outlineOf } from './outline.ts';
import { type Reuse, reuseBorders } from './reuse.ts';
import { textCosts } from './splitCost.ts';
import { readSyntax } from './syntax.ts';
import { countLines, readUnits, type Units } from './units.ts';

export { isDefinition } from '../../syntax/lines/definedNames.ts';
export { type Reuse, textHash } from './reuse.ts';
export { chunkTokens } from './size.ts';

/** A piece of a file. Joined in order, the texts of a file's chunks are the file. */
export interface Chunk {
  /** Counted from 1. */
  startLine: number;
  /** The last line of which the chunk has text. */
  endLine: number;
  text: string;
  /** Names of the blocks around the start of the chunk, from the outside in. Used only in the embedded text. */
  enclosing: string[];
  /** The names that the chunk defines, each once: those that stand in its text. */
  names: string[];
  /** Those of the names that are types, declared here. */
  types?: string[];
  /** Those of the names that are declared elsewhere, and only added to here. */
  mentions?: string[];
}

/** Lines of the indexed files, and how many of them are in a chunk. */
export interface Coverage {
  lines: number;
  covered: number;
}

/** Version of the cut; raised whenever the same text would be cut differently. */
export const chunkerVersion = 4;

/** Version of the names; raised whenever the same text would give others. The chunks and their vectors stay. */
export const namesVersion = 3;

/**
 * Cuts a file into chunks that tile it: no hole, no overlap. Where there is a grammar for it, the borders stand before
 * declarations; Markdown is cut by headings, a notebook by cells (their sources are tiled, outputs are left out), and
 * all else by indentation and blank lines.
 * @param reuse the texts embedded before; without it the cut depends on the text alone
 */
export async function chunkFile(path: string, text: string, reuse?: Reuse): Promise<Chunk[]> {
  if (isNotebook(path)) return chunkNotebook(text, reuse);
  if (/\.(md|mdx|markdown)$/i.test(path)) return chunkMarkdown(text, reuse);
  const grammar = grammarFor(path);
  const units = readUnits(text);
  const costs = textCosts(text, units);
  const parser = grammar === undefined ? undefined : await parserOf(grammar);
  const syntax =
    grammar === undefined || parser === undefined ? undefined : readSyntax(parser, grammar, text, units, costs);
  try {
    const names = syntax?.names ?? namesByLine(text, path);
    return chunksAt(text, units, syntax?.costs ?? costs, reuse, names, syntax?.enclosing);
  } finally {
    syntax?.free();
  }
}

/** Cuts a text without a grammar. Its path, if it has one, says by which forms it gives names. */
export function chunkText(text: string, reuse?: Reuse, path?: string): Chunk[] {
  const units = readUnits(text);
  return chunksAt(text, units, textCosts(text, units), reuse, namesByLine(text, path));
}

function chunkMarkdown(text: string, reuse: Reuse | undefined): Chunk[] {
  const units = readUnits(text);
  const { costs, sections } = readMarkdown(text, units);
  return chunksAt(text, units, costs, reuse, [], (line) => headingsOf(sections, line));
}

/** Cuts a notebook so that no chunk spans two cells: in the file, outputs lie between them. */
function chunkNotebook(text: string, reuse: Reuse | undefined): Chunk[] {
  const cells = readNotebook(text);
  if (cells === undefined) return chunkText(text, reuse);
  let heading: string[] = [];
  return cells.flatMap(({ isMarkdown, source, lines }) => {
    const chunks = isMarkdown ? chunkMarkdown(source, reuse) : chunkText(source, reuse, cellPath);
    const above = heading;
    const own = isMarkdown ? /^#{1,6}[ \t]+(.+)/m.exec(source)?.[1]?.trim() : undefined;
    if (own !== undefined) heading = [own];
    return chunks.map((chunk) => ({
      ...chunk,
      startLine: lines[chunk.startLine - 1] ?? 1,
      endLine: lines[chunk.endLine - 1] ?? 1,
      enclosing: [...above, ...chunk.enclosing],
    }));
  });
}

/** Nearly all notebooks are Python; their own word for it is optional. */
const cellPath = 'cell.py';

/** The number of lines that chunks are to tile: all lines, or those of a notebook that hold source. */
export function linesToCover(path: string, text: string): number {
  const cells = isNotebook(path) ? readNotebook(text) : undefined;
  return cells === undefined ? countLines(text) : new Set(cells.flatMap((cell) => cell.lines)).size;
}

/** The number of lines that a file's chunks, in their order, cover at least in part. */
export function coveredLines(chunks: readonly Chunk[]): number {
  let covered = 0;
  let last = 0;
  for (const { startLine, endLine } of chunks) {
    covered += Math.max(0, endLine - Math.max(startLine - 1, last));
    last = Math.max(last, endLine);
  }
  return covered;
}

function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

function chunksAt(
  text: string,
  units: Units,
  costs: Float32Array,
  reuse: Reuse | undefined,
  names: readonly NameAt[],
  enclosing?: (line: number) => string[],
): Chunk[] {
  if (units.count === 0) return [];
  const best = findBorders(units, costs);
  const starts = [0, ...(reuse === undefined ? best : reuseBorders(text, units, costs, best, reuse))];
  const outline = enclosing === undefined ? outlineOf(text, units, starts) : undefined;
  const inOrder = [...names].sort((a, b) => a.at - b.at);
  let next = 0;
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? units.count;
    const startLine = units.lines[start] as number;
    const first = next;
    while (next < inOrder.length && (inOrder[next]?.at ?? 0) < (units.starts[end] as number)) next++;
    return {
      startLine: startLine + 1,
      endLine: (units.lines[end - 1] as number) + 1,
      text: text.slice(units.starts[start], units.starts[end]),
      enclosing: outline?.[index] ?? enclosing?.(startLine) ?? [],
      ...namesOf(inOrder.slice(first, next)),
    };
  });
}

/** The names of a chunk, each once; the first role that one has of type, other and mention counts. */
function namesOf(declared: readonly NameAt[]): Pick<Chunk, 'names' | 'types' | 'mentions'> {
  const withRole = (role: NameRole): Set<string> =>
    new Set(declared.flatMap((each) => (each.role === role ? each.name : [])));
  const [types, others, mentions] = [withRole('type'), withRole('other'), withRole('mention')];
  return {
    names: [...new Set(declared.map(({ name }) => name))],
    types: [...types],
    mentions: [...mentions].filter((name) => !types.has(name) && !others.has(name)),
  };
}
