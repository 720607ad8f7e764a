import { textCosts } from './chunker/borders.ts';
import { findBorders } from './chunker/cut.ts';
import { grammarFor, parserOf } from './chunker/grammars.ts';
import { headingsOf, readMarkdown } from './chunker/markdown.ts';
import { readNotebook } from './chunker/notebook.ts';
import { outlineOf } from './chunker/outline.ts';
import { type Reuse, reuseBorders } from './chunker/reuse.ts';
import { maxBytes } from './chunker/size.ts';
import { readSyntax } from './chunker/syntax.ts';
import { countLines, readUnits, type Units } from './chunker/units.ts';

export { isDefinition } from './chunker/definition.ts';
export { type Reuse, textHash } from './chunker/reuse.ts';
export { chunkTokens } from './chunker/size.ts';

/** A piece of a file. The texts of a file's chunks, put together, are the file. */
export interface Chunk {
  /** Counted from 1. */
  startLine: number;
  /** The last line the chunk has text of. */
  endLine: number;
  text: string;
  /** Names of what encloses the start of the chunk, from the outside in. Only for the embedded text. */
  enclosing: string[];
}

/** Lines of the files that are not left out, and how many of them are in a chunk. */
export interface Coverage {
  lines: number;
  covered: number;
}

/** Raised whenever the same text would be cut in another way. */
export const chunkerVersion = 3;

/**
 * Cuts a file into chunks that tile it: no hole, no overlap. Where there is a grammar for it, the borders stand before
 * declarations; Markdown is cut by headings, a notebook by cells (their sources are tiled, outputs are left out), and all
 * else by indentation and blank lines.
 * @param reuse what was embedded before; without it the cut depends on the text alone
 */
export async function chunkFile(path: string, text: string, reuse?: Reuse): Promise<Chunk[]> {
  if (isNotebook(path)) return chunkNotebook(text, reuse);
  if (/\.(md|mdx|markdown)$/i.test(path)) return chunkMarkdown(text, reuse);
  const grammar = grammarFor(path);
  const units = readUnits(text);
  const costs = textCosts(text, units);
  // What fits into one chunk needs no borders.
  const isOne = (units.bytes[units.count] ?? 0) <= maxBytes;
  const parser = grammar === undefined || isOne ? undefined : await parserOf(grammar);
  const syntax = parser === undefined ? undefined : readSyntax(parser, text, units, costs);
  try {
    return chunksAt(text, units, syntax?.costs ?? costs, reuse, syntax?.enclosing);
  } finally {
    syntax?.free();
  }
}

/** The same without a grammar, for a text that has no name. */
export function chunkText(text: string, reuse?: Reuse): Chunk[] {
  const units = readUnits(text);
  return chunksAt(text, units, textCosts(text, units), reuse);
}

function chunkMarkdown(text: string, reuse: Reuse | undefined): Chunk[] {
  const units = readUnits(text);
  const { costs, sections } = readMarkdown(text, units);
  return chunksAt(text, units, costs, reuse, (line) => headingsOf(sections, line));
}

/** No chunk goes from one cell into the next: in the file, outputs lie between them. */
function chunkNotebook(text: string, reuse: Reuse | undefined): Chunk[] {
  const cells = readNotebook(text);
  if (cells === undefined) return chunkText(text, reuse);
  let heading: string[] = [];
  return cells.flatMap(({ isMarkdown, source, lines }) => {
    const chunks = isMarkdown ? chunkMarkdown(source, reuse) : chunkText(source, reuse);
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

/** The lines of a file that chunks are to tile: all, or those of a notebook's file that hold source. */
export function linesToCover(path: string, text: string): number {
  const cells = isNotebook(path) ? readNotebook(text) : undefined;
  return cells === undefined ? countLines(text) : new Set(cells.flatMap((cell) => cell.lines)).size;
}

/** How many lines a file's chunks, in their order, have at least a part of. */
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

/** The text that is embedded: path and enclosing names tell the model where the code stands. */
export function embeddedText(path: string, enclosing: readonly string[], text: string): string {
  return `${[path, ...enclosing].join('\n')}\n\n${text}`;
}

function chunksAt(
  text: string,
  units: Units,
  costs: Float32Array,
  reuse: Reuse | undefined,
  enclosing?: (line: number) => string[],
): Chunk[] {
  if (units.count === 0) return [];
  const best = findBorders(units, costs);
  const starts = [0, ...(reuse === undefined ? best : reuseBorders(text, units, costs, best, reuse))];
  const outline = enclosing === undefined ? outlineOf(text, units, starts) : undefined;
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? units.count;
    const startLine = units.lines[start] as number;
    return {
      startLine: startLine + 1,
      endLine: (units.lines[end - 1] as number) + 1,
      text: text.slice(units.starts[start], units.starts[end]),
      enclosing: outline?.[index] ?? enclosing?.(startLine) ?? [],
    };
  });
}
