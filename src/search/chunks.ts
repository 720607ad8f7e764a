import { charactersWithin, estimateTokens } from '../service/tokens.ts';

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
export const chunkerVersion = 1;

/** Chunks have about this many estimated tokens; only the last of a file may have fewer. */
export const chunkTokens = { min: 200, max: 400 } as const;

interface Line {
  text: string;
  tokens: number;
  /** Columns of white space; undefined for a blank line. */
  indent: number | undefined;
}

/**
 * Cuts a text into chunks that tile it: no hole, no overlap. A border is looked for between `min` and `max` tokens, best
 * before a top-level definition, then after a blank line, then where the indentation is least. A line over `max` is split.
 */
export function chunkText(text: string): Chunk[] {
  const lines = linesOf(text);
  const chunks: Chunk[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = (lines[start]?.tokens ?? 0) > chunkTokens.max ? start + 1 : findBorder(lines, start);
    const body = lines
      .slice(start, end)
      .map((line) => line.text)
      .join('');
    const enclosing = enclosingNames(lines, start);
    for (const piece of end === start + 1 ? splitLine(body) : [body]) {
      chunks.push({ startLine: start + 1, endLine: end, text: piece, enclosing });
    }
    start = end;
  }
  return chunks;
}

/** The text that is embedded: path and enclosing names tell the model where the code stands. */
export function embeddedText(path: string, enclosing: readonly string[], text: string): string {
  return `${[path, ...enclosing].join('\n')}\n\n${text}`;
}

function linesOf(text: string): Line[] {
  const parts = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return parts.map((part) => {
    const indent = part.search(/\S/);
    const columns = part.slice(0, Math.max(0, indent)).replaceAll('\t', '    ').length;
    return { text: part, tokens: estimateTokens(part), indent: indent < 0 ? undefined : columns };
  });
}

/** The index of the line before which the chunk from `start` ends. */
function findBorder(lines: readonly Line[], start: number): number {
  let tokens = 0;
  let best = { end: start + 1, score: -1 };
  for (let end = start; end < lines.length; end++) {
    const next = lines[end]?.tokens ?? 0;
    if (end > start && tokens + next > chunkTokens.max) return best.end;
    // Borders of equal worth: the later one, for fewer chunks.
    const score = tokens < chunkTokens.min ? 0 : borderScore(lines, end);
    if (end > start && score >= best.score) best = { end, score };
    tokens += next;
  }
  return lines.length;
}

/** How good a place the start of a line is for a border, over 0. */
function borderScore(lines: readonly Line[], index: number): number {
  const line = lines[index];
  const before = lines[index - 1];
  if (line?.indent === undefined) return 1;
  const opens = /^[\w@#/*"'`<([$-]/.test(line.text);
  const afterBlank = before?.indent === undefined;
  // What is said about a definition stays with it.
  if (/^\s*(\/\/|\/\*|\*|#|--|@|"""|\[)/.test(before?.text ?? '')) return 2;
  if (line.indent === 0 && opens && (afterBlank || isDefinition(line.text))) return 100;
  if (afterBlank) return 60 - Math.min(line.indent, 40);
  const dedents = (before.indent ?? 0) > line.indent && opens;
  return (dedents ? 15 : 10) - Math.min(line.indent, 18) / 2;
}

/** Whether a line starts something that has a name, in any of the usual languages. */
export function isDefinition(line: string): boolean {
  return /^\s*(export|default|public|private|protected|internal|static|async|abstract|final|pub(\(\w+\))?|unsafe|extern|const|inline|virtual|override|partial|sealed|data|open|\s)*\b(function|class|interface|enum|struct|trait|impl|type|def|fn|func|fun|module|namespace|package|object|record|protocol|extension|macro_rules!|sub|proc|CREATE (TABLE|VIEW|FUNCTION))\b/.test(
    line,
  );
}

/** First lines of the blocks around a line, found by falling indentation; at most three, the innermost ones. */
function enclosingNames(lines: readonly Line[], start: number): string[] {
  const names: string[] = [];
  let indent = lines.slice(start).find((line) => line.indent !== undefined)?.indent ?? 0;
  for (let index = start - 1; index >= 0 && indent > 0 && names.length < 3; index--) {
    const line = lines[index];
    if (line?.indent === undefined || line.indent >= indent) continue;
    indent = line.indent;
    if (/[\p{L}\p{N}]/u.test(line.text)) names.unshift(line.text.trim().slice(0, 100));
  }
  return names;
}

/** A very long line in pieces, never through the middle of a character. */
function splitLine(text: string): string[] {
  if (estimateTokens(text) <= chunkTokens.max) return [text];
  const size = charactersWithin(chunkTokens.max);
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + size);
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length) end--;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
