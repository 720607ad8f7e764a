import { indexFrom } from '../../../base/lines.ts';

/** A piece of an answer in Markdown: a fenced block, or what stands between two. */
export interface MarkdownPiece {
  readonly kind: 'fence' | 'prose';
  readonly lines: readonly string[];
  /** What stands behind the opening fence: a language, a path. Empty for prose. */
  readonly info: string;
  /** False for a fence that never ends. */
  readonly isClosed: boolean;
}

/** In a list a fence is indented with its item. */
const fenceLine = /^([ \t]{0,12})(`{3,}|~{3,})[ \t]*([^`]*)$/;

/**
 * Takes an answer apart at its fences. A fence with a language inside a block opens a block within it: models wrap Markdown in a
 * fence that is too short. The indentation of a fence is no part of its lines.
 */
export function splitFences(lines: readonly string[]): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let at = 0;
  while (at < lines.length) {
    const opening = readFence(lines[at] ?? '');
    const start = opening === undefined ? at : at + 1;
    const end = opening === undefined ? nextFence(lines, at) : closingFence(lines, start, opening.ticks);
    const isClosed = opening === undefined || end < lines.length;
    const inner = lines.slice(start, end);
    if (opening === undefined) pieces.push({ kind: 'prose', lines: inner, info: '', isClosed });
    else {
      const { info, indentation } = opening;
      pieces.push({ kind: 'fence', lines: inner.map((line) => unindent(line, indentation)), info, isClosed });
    }
    at = opening === undefined ? end : end + 1;
  }
  return pieces;
}

interface Fence {
  readonly indentation: number;
  readonly ticks: string;
  readonly info: string;
}

function readFence(line: string): Fence | undefined {
  const [, indentation = '', ticks = '', info = ''] = fenceLine.exec(line) ?? [];
  return ticks === '' ? undefined : { indentation: indentation.length, ticks, info: info.trim() };
}

function nextFence(lines: readonly string[], from: number): number {
  const next = indexFrom(lines, from, (line) => readFence(line) !== undefined);
  return next < 0 ? lines.length : next;
}

function closingFence(lines: readonly string[], from: number, ticks: string): number {
  let depth = 1;
  for (let at = from; at < lines.length; at++) {
    const fence = readFence(lines[at] ?? '');
    if (fence === undefined || !fence.ticks.startsWith(ticks)) continue;
    depth += fence.info === '' ? -1 : 1;
    if (depth === 0) return at;
  }
  return lines.length;
}

function unindent(line: string, indentation: number): string {
  const blank = /^ */.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(blank, indentation));
}
