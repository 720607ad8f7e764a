import type { TextChange } from '../base/lines.ts';
import type { LineEdit } from './place/lines/lineEdit.ts';

/** A document as far as edits of its lines need it. */
export interface LineSource {
  readonly lineCount: number;
  /** Characters of a line, without its ending. */
  lengthOf(line: number): number;
  readonly eol: string;
}

/**
 * An edit of lines as a change of the document's text. Deleting lines takes their line break along: the one after them, or, at the
 * end of the document, the one before.
 */
export function toTextChange({ line, removed, inserted }: LineEdit, source: LineSource): TextChange {
  const { eol, lineCount, lengthOf } = source;
  const next = line + removed;
  const start = { line, character: 0 };
  const text = inserted.join(eol);
  const endOf = (at: number) => ({ line: at, character: lengthOf(at) });
  if (inserted.length > 0 && removed > 0) return { start, end: endOf(next - 1), text };
  if (inserted.length > 0) {
    if (line < lineCount) return { start, end: start, text: text + eol };
    return { start: endOf(line - 1), end: endOf(line - 1), text: eol + text };
  }
  if (next < lineCount) return { start, end: { line: next, character: 0 }, text };
  return { start: line > 0 ? endOf(line - 1) : start, end: endOf(next - 1), text };
}

/**
 * Edits that do not overlap, those as one between which no line stays: the line break that a deletion at the end of a document takes
 * along may be that of an edit above it.
 */
export function joinTouching(edits: readonly LineEdit[]): LineEdit[] {
  const joined: LineEdit[] = [];
  for (const edit of [...edits].sort((a, b) => a.line - b.line || a.removed - b.removed)) {
    const last = joined.at(-1);
    if (last === undefined || edit.line > last.line + last.removed) joined.push(edit);
    else joined[joined.length - 1] = join(last, edit);
  }
  return joined;
}

function join(a: LineEdit, b: LineEdit): LineEdit {
  return { line: a.line, removed: a.removed + b.removed, inserted: [...a.inserted, ...b.inserted] };
}
