import { splitLines, type TextChange } from '../../base/lines.ts';
import type { LineEdit } from '../place/lines/lineEdit.ts';

/** What a change of a document does to its lines, without those that it only touches. @param lines as they were before */
export function toLineEdit(lines: readonly string[], { start, end, text }: TextChange): LineEdit {
  const old = lines.slice(start.line, end.line + 1);
  const before = (old[0] ?? '').slice(0, start.character);
  const after = (old.at(-1) ?? '').slice(end.character);
  const written = splitLines(before + text + after);
  let top = 0;
  while (top < old.length && top < written.length && old[top] === written[top]) top++;
  let bottom = 0;
  const most = Math.min(old.length, written.length) - top;
  while (bottom < most && old[old.length - 1 - bottom] === written[written.length - 1 - bottom]) bottom++;
  return {
    line: start.line + top,
    removed: old.length - top - bottom,
    inserted: written.slice(top, written.length - bottom),
  };
}
