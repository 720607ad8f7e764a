import { textCosts } from './chunker/borders.ts';
import { findBorders } from './chunker/cut.ts';
import { grammarFor, parserOf } from './chunker/grammars.ts';
import { outlineOf } from './chunker/outline.ts';
import { maxBytes } from './chunker/size.ts';
import { readSyntax, type Syntax } from './chunker/syntax.ts';
import { readUnits, type Units } from './chunker/units.ts';

export { isDefinition } from './chunker/definition.ts';
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

/** Raised whenever the same text would be cut in another way. */
export const chunkerVersion = 2;

/**
 * Cuts a file into chunks that tile it: no hole, no overlap. Where there is a grammar for it, the borders stand before
 * declarations; else indentation and blank lines tell where.
 */
export async function chunkFile(path: string, text: string): Promise<Chunk[]> {
  const grammar = grammarFor(path);
  const units = readUnits(text);
  const costs = textCosts(text, units);
  // What fits into one chunk needs no borders.
  const parser =
    grammar === undefined || (units.bytes[units.count] ?? 0) <= maxBytes ? undefined : await parserOf(grammar);
  const syntax = parser === undefined ? undefined : readSyntax(parser, text, units, costs);
  try {
    return chunksAt(text, units, findBorders(units, syntax?.costs ?? costs), syntax);
  } finally {
    syntax?.free();
  }
}

/** The same without a grammar, for a text that has no name. */
export function chunkText(text: string): Chunk[] {
  const units = readUnits(text);
  return chunksAt(text, units, findBorders(units, textCosts(text, units)), undefined);
}

/** The text that is embedded: path and enclosing names tell the model where the code stands. */
export function embeddedText(path: string, enclosing: readonly string[], text: string): string {
  return `${[path, ...enclosing].join('\n')}\n\n${text}`;
}

function chunksAt(text: string, units: Units, borders: readonly number[], syntax: Syntax | undefined): Chunk[] {
  if (units.count === 0) return [];
  const starts = [0, ...borders];
  const outline = syntax === undefined ? outlineOf(text, units, starts) : undefined;
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? units.count;
    const startLine = units.lines[start] as number;
    return {
      startLine: startLine + 1,
      endLine: (units.lines[end - 1] as number) + 1,
      text: text.slice(units.starts[start], units.starts[end]),
      enclosing: outline?.[index] ?? syntax?.enclosing(startLine) ?? [],
    };
  });
}
