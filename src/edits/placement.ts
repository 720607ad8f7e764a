import type { LineRange } from '../base/lines.ts';

/** Where code belongs in a document. */
export interface Placement {
  /** The lines of the document that the code takes the place of. */
  readonly lines: LineRange;
  /** Whether they stay, and the code comes after them. */
  readonly isAfter: boolean;
}

/** The share of a document's lines that code must have to be the whole of it in a new form. */
const wholeShare = 0.6;

/**
 * Finds the place of a piece of code in a document: the lines from its first to its last line, where the document has both; the
 * whole document, where most of it is in the code; else after a line. Nothing is guessed by which lines would go that the code
 * does not know.
 * @param code without blank lines at its borders
 * @param after the line that the code comes after if it has no place of its own, as that of the cursor
 */
export function placeCode(document: readonly string[], code: readonly string[], after: number): Placement {
  const all = { first: 0, last: document.length - 1 };
  if (document.every((line) => line.trim() === '')) return { lines: all, isAfter: false };
  const found = findBetween(document, code);
  if (found !== undefined) return { lines: found, isAfter: false };
  if (isWhole(document, code)) return { lines: all, isAfter: false };
  const line = Math.max(0, Math.min(after, document.length - 1));
  return { lines: { first: line, last: line }, isAfter: true };
}

/** The lines from the only place of the first line to the next place of the last one that is indented alike. */
function findBetween(document: readonly string[], code: readonly string[]): LineRange | undefined {
  const [first = '', last = ''] = [code[0], code.at(-1)];
  // A line such as `}` begins nothing.
  if (!/\w/.test(first)) return undefined;
  const places = document.flatMap((line, at) => (line.trim() === first.trim() ? [at] : []));
  const start = places[0];
  if (start === undefined || places.length > 1) return undefined;
  if (code.length === 1) return { first: start, last: start };
  const deeper = indentation(last) - indentation(first);
  const wanted = indentation(document[start] ?? '') + deeper;
  const end = document.findIndex(
    (line, at) => at > start && line.trim() === last.trim() && indentation(line) === wanted,
  );
  return end === -1 ? undefined : { first: start, last: end };
}

function isWhole(document: readonly string[], code: readonly string[]): boolean {
  const known = new Set(code.map((line) => line.trim()));
  const lines = document.map((line) => line.trim()).filter((line) => /\w/.test(line));
  return lines.length > 0 && lines.filter((line) => known.has(line)).length / lines.length >= wholeShare;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}
