import { readFileName } from './fileName.ts';

/** A piece of an answer in Markdown: a fenced block, or what stands between two. */
export interface MarkdownPiece {
  readonly kind: 'fence' | 'prose';
  readonly lines: readonly string[];
  /** What stands behind the opening fence: a language, a path. Empty for prose. */
  readonly info: string;
  /** False for a fence that never ends. */
  readonly isClosed: boolean;
}

/** The line that opens a block, or closes one: then nothing is behind it. */
export interface FenceLine {
  readonly indentation: number;
  readonly ticks: string;
  readonly info: string;
}

/** A block of code within lines. */
export interface FencedBlock {
  /** Its first line, and that of its closing fence, or behind the last line. */
  readonly start: number;
  readonly end: number;
  readonly info: string;
  readonly isClosed: boolean;
}

/** In a list a fence is indented with its item. */
const fenceLine = /^([ \t]{0,12})(`{3,}|~{3,})[ \t]*([^`]*)$/;

export function readFenceLine(line: string): FenceLine | undefined {
  const [, indentation = '', ticks = '', info = ''] = fenceLine.exec(line) ?? [];
  return ticks === '' ? undefined : { indentation: indentation.length, ticks, info: info.trim() };
}

/**
 * The block that a fence opens. A fence with a language inside a block opens a block within it: models wrap Markdown in a fence that is
 * too short. Where such a one follows at once and only one closes, the block was opened twice, maybe with its file named between.
 * @param lineAt gives a line of the text
 * @param from the line behind the opening fence
 * @param to behind the last line
 * @param isWhole whether the text goes no further
 */
export function readBlock(
  lineAt: (line: number) => string,
  opening: FenceLine,
  from: number,
  to: number,
  isWhole: boolean,
): FencedBlock {
  const end = closingFence(lineAt, from, to, opening.ticks, 1);
  const block = { start: from, end, info: opening.info, isClosed: end < to };
  if (block.isClosed || !isWhole) return block;
  return openedTwice(lineAt, opening, from, to) ?? block;
}

function closingFence(
  lineAt: (line: number) => string,
  from: number,
  to: number,
  ticks: string,
  first: number,
): number {
  let depth = first;
  for (let at = from; at < to; at++) {
    const fence = readFenceLine(lineAt(at));
    if (fence === undefined || !fence.ticks.startsWith(ticks)) continue;
    depth += fence.info === '' ? -1 : 1;
    if (depth === 0) return at;
  }
  return to;
}

/** Within so many lines of the first fence the second one stands. */
const linesBetween = 3;

function openedTwice(
  lineAt: (line: number) => string,
  { ticks, info }: FenceLine,
  from: number,
  to: number,
): FencedBlock | undefined {
  if (/^(?:md|mdx|markdown)\b/i.test(info)) return undefined;
  let between = '';
  for (let at = from; at < Math.min(to, from + linesBetween); at++) {
    const line = lineAt(at);
    const fence = readFenceLine(line);
    if (fence !== undefined && fence.info !== '' && fence.ticks === ticks) {
      const end = closingFence(lineAt, at + 1, to, ticks, 1);
      return end < to ? { start: at + 1, end, info: `${fence.info} ${between}`.trim(), isClosed: true } : undefined;
    }
    const name = readFileName(line.replace(/^\s*(?:\/\/|#|--|<!--|\/\*)\s*/, '').replace(/\s*(?:-->|\*\/)\s*$/, ''));
    if (line.trim() !== '' && (name === undefined || between !== '')) return undefined;
    between = name?.path ?? between;
  }
  return undefined;
}

/** Takes an answer apart at its fences. The indentation of a fence is no part of its lines. */
export function splitFences(lines: readonly string[]): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  const lineAt = (line: number): string => lines[line] ?? '';
  let at = 0;
  while (at < lines.length) {
    const opening = readFenceLine(lineAt(at));
    if (opening === undefined) {
      const end = nextFence(lines, at);
      pieces.push({ kind: 'prose', lines: lines.slice(at, end), info: '', isClosed: true });
      at = end;
    } else {
      const { start, end, info, isClosed } = readBlock(lineAt, opening, at + 1, lines.length, true);
      const inner = lines.slice(start, end).map((line) => unindent(line, opening.indentation));
      pieces.push({ kind: 'fence', lines: inner, info, isClosed });
      at = end + 1;
    }
  }
  return pieces;
}

function nextFence(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at++) if (readFenceLine(lines[at] ?? '') !== undefined) return at;
  return lines.length;
}

function unindent(line: string, indentation: number): string {
  const blank = /^ */.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(blank, indentation));
}
