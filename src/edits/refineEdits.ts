import { diffHunks } from './diff.ts';
import { joinTouching } from './lineChange.ts';
import type { LineEdit } from './place/lines/lineEdit.ts';

/** The same edits with the lines left out that stay, in order, and those that touch as one: a line stays between two. */
export function refineEdits(lines: readonly string[], edits: readonly LineEdit[]): LineEdit[] {
  const parts = edits.flatMap(({ line, removed, inserted }) =>
    diffHunks(lines.slice(line, line + removed), inserted).map((hunk) => ({
      line: line + hunk.line,
      removed: hunk.removed.length,
      inserted: hunk.inserted,
    })),
  );
  return joinTouching(parts);
}
