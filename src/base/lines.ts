/** Text as lines without their endings (LF, CRLF or CR), as VS Code counts them: one more than there are line breaks. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** The same lines one after the other, for a text so long that a list of its lines would be large. */
export function* linesOf(text: string): Generator<string> {
  const breaks = /\r\n|\r|\n/g;
  let from = 0;
  for (let end = breaks.exec(text); end !== null; end = breaks.exec(text)) {
    yield text.slice(from, end.index);
    from = breaks.lastIndex;
  }
  yield text.slice(from);
}

/** The first line, from one on, for which something holds; -1 where there is none. */
export function indexFrom(lines: readonly string[], from: number, holds: (line: string) => boolean): number {
  for (let at = from; at < lines.length; at++) if (holds(lines[at] ?? '')) return at;
  return -1;
}

/** A run of whole lines of a document, from 0, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** A place in a document: line and character (UTF-16 unit), both from 0. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** A range of a document and the text that takes its place. */
export interface TextChange {
  readonly start: LinePosition;
  readonly end: LinePosition;
  readonly text: string;
}

/** The whole lines a selection touches. One that ends before a line's first character does not touch that line. */
export function widenToLines(start: LinePosition, end: LinePosition): LineRange {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { first: start.line, last };
}

/**
 * Where a run of lines stands after the document was changed. It moves with what changes above it. A change that touches it
 * leaves all that may be left of it: what was written from its first line on, or from where the change began above it.
 */
export function followLines(range: LineRange, { start, end, text }: TextChange): LineRange & { touched: boolean } {
  const added = splitLines(text).length - 1 - (end.line - start.line);
  if (start.line > range.last) return { ...range, touched: false };
  // Whole lines put before a line, or taken from there, end at its beginning and leave it as it is.
  const endsBefore = end.character === 0 && (/[\r\n]$/.test(text) || (text === '' && start.character === 0));
  if (end.line < range.first || (end.line === range.first && endsBefore)) {
    return { first: range.first + added, last: range.last + added, touched: false };
  }
  const first = Math.min(range.first, start.line);
  return { first, last: Math.max(first, range.last + added), touched: true };
}
