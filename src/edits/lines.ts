/** Text as lines without their endings (LF, CRLF or CR), as VS Code counts them: one more than there are line breaks. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** A run of whole lines of a document, from 0, both ends included. */
export interface LineRange {
  first: number;
  last: number;
}

/** A place in a document: line and character (UTF-16 unit), both from 0. */
export interface Place {
  line: number;
  character: number;
}

/** A range of a document and the text that takes its place. */
export interface TextChange {
  start: Place;
  end: Place;
  text: string;
}

/** The whole lines a selection touches. One that ends before a line's first character does not touch that line. */
export function widenToLines(start: Place, end: Place): LineRange {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { first: start.line, last };
}

/**
 * Where a run of lines stands after the document was changed. It moves with what changes above it and grows or shrinks
 * with what changes inside it; whether the lines are still the same is for the caller to compare.
 */
export function followLines(range: LineRange, change: TextChange): LineRange {
  const { start, end, text } = change;
  const added = splitLines(text).length - 1 - (end.line - start.line);
  const isAbove = start.line < range.first || (end.line === range.first && end.character === 0);
  if (isAbove) {
    const first = Math.max(0, range.first + added);
    return { first, last: Math.max(first, range.last + added) };
  }
  return start.line > range.last ? range : { first: range.first, last: Math.max(range.first, range.last + added) };
}
