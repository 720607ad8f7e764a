import { minBytes } from './size.ts';

/**
 * The units of a text: its lines, and pieces of lines that are longer than the smallest chunk. Typed arrays instead of
 * objects, as a large file has a hundred thousand units.
 */
export interface Units {
  count: number;
  /** Start of each unit in the text and, last, the end of the text. */
  starts: Uint32Array;
  /** Bytes of UTF-8 before each unit and, last, of the whole text. */
  bytes: Uint32Array;
  /** Line of each unit, from 0. */
  lines: Uint32Array;
  /** Columns of white space before each unit, or `blank`, or `midLine`. */
  indents: Int32Array;
  /** Hash of each unit's content. */
  hashes: Int32Array;
}

export const blank = -1;
/** The indentation of a piece that does not start its line. */
export const midLine = -2;

/** Columns of a tab. */
const tab = 4;
/** Characters after which a piece of a long line ends at the next separator. */
const leastPiece = 64;
/** Bytes after which a piece ends anywhere. */
const largestPiece = 350;

/** Cuts a text into its lines, and long lines into pieces. */
export function readUnits(text: string): Units {
  const most = countLines(text) + Math.ceil(text.length / leastPiece) + 1;
  const units: Units = {
    count: 0,
    starts: new Uint32Array(most + 1),
    bytes: new Uint32Array(most + 1),
    lines: new Uint32Array(most),
    indents: new Int32Array(most),
    hashes: new Int32Array(most),
  };
  let bytes = 0;
  for (let at = 0, line = 0; at < text.length; line++) {
    const start = at;
    const before = bytes;
    let indent = blank;
    let columns = 0;
    let hash = 0;
    for (let code = 0; at < text.length && code !== 10; at++) {
      code = text.charCodeAt(at);
      hash = Math.imul(hash ^ code, 0x01000193);
      bytes += code < 0x80 ? 1 : bytesAt(text, at, code);
      if (indent !== blank) continue;
      if (code > 32) indent = columns;
      else columns += code === 9 ? tab : 1;
    }
    if (bytes - before > minBytes) addPieces(units, text, start, at, line, indent, before);
    else add(units, start, before, line, indent, hash);
  }
  units.starts[units.count] = text.length;
  units.bytes[units.count] = bytes;
  return units;
}

/** Number of lines as an editor counts them, without an empty one at the end. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text === '' || text.endsWith('\n') ? lines : lines + 1;
}

function add(units: Units, start: number, bytes: number, line: number, indent: number, hash: number): void {
  const index = units.count++;
  units.starts[index] = start;
  units.bytes[index] = bytes;
  units.lines[index] = line;
  units.indents[index] = indent;
  units.hashes[index] = hash;
}

/**
 * Cuts a long line into pieces. Their ends depend on nearby characters, so that an edit moves few of them, and never
 * split a character.
 */
function addPieces(
  units: Units,
  text: string,
  from: number,
  to: number,
  line: number,
  indent: number,
  before: number,
): void {
  let start = from;
  let bytes = before;
  let hash = 0;
  let startBytes = before;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    hash = Math.imul(hash ^ code, 0x01000193);
    bytes += code < 0x80 ? 1 : bytesAt(text, at, code);
    const isFull = bytes - startBytes >= largestPiece && !isHigh(code);
    const isSeparated = at + 1 - start >= leastPiece && isSeparator(code);
    if (!isFull && !isSeparated && at + 1 < to) continue;
    add(units, start, startBytes, line, start === from ? indent : midLine, hash);
    start = at + 1;
    startBytes = bytes;
    hash = 0;
  }
}

/** White space, and `) , ; > ] }`. */
function isSeparator(code: number): boolean {
  return code <= 32 || code === 41 || code === 44 || code === 59 || code === 62 || code === 93 || code === 125;
}

function isHigh(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

/**
 * UTF-8 bytes of a code unit over ASCII: half of a surrogate pair has two of its four. A lone half becomes U+FFFD, as
 * Node writes it.
 */
function bytesAt(text: string, at: number, code: number): number {
  if (code < 0x800) return 2;
  if (isHigh(code)) return (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 3;
  if ((code & 0xfc00) === 0xdc00) return isHigh(text.charCodeAt(at - 1)) ? 2 : 3;
  return 3;
}
