import type { LineRange } from '../../base/lines.ts';
import { applyLineEdits, type LineEdit } from '../place/lines/lineEdit.ts';

/** What is changed of one file, as a plan has it. */
interface ChangedFile {
  readonly path: string;
  readonly edits: readonly LineEdit[];
  readonly isDeleted?: boolean | undefined;
  readonly renamedTo?: string | undefined;
}

type Files = ReadonlyMap<string, readonly string[]>;

/** The files as changes leave them, new ones among them. */
export function leftBy(changed: readonly ChangedFile[], files: Files): Map<string, readonly string[]> {
  const left = new Map(files);
  for (const { path, edits, isDeleted, renamedTo } of changed) {
    const lines = applyLineEdits(left.get(path) ?? [], edits);
    if (isDeleted || renamedTo !== undefined) left.delete(path);
    if (!isDeleted) left.set(renamedTo ?? path, lines);
  }
  return left;
}

/** Where lines of a file are once it is changed; lines that are replaced themselves are where what replaces them is. */
export function movedRange({ first, last }: LineRange, edits: readonly LineEdit[]): LineRange {
  const moved = (line: number): number =>
    edits.reduce((sum, edit) => {
      if (edit.line + edit.removed <= line) return sum + edit.inserted.length - edit.removed;
      // Within replaced lines: as far down as there are lines in their place.
      if (edit.line < line) return sum - Math.max(0, line - edit.line - Math.max(0, edit.inserted.length - 1));
      return sum;
    }, line);
  const start = Math.max(0, moved(first));
  return { first: start, last: Math.max(start, moved(last)) };
}
