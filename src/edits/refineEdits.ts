import { diffHunks } from './diff.ts';
import type { LineEdit } from './place/lineEdit.ts';

/** The same edits with the lines left out that stay, in order, and those that touch as one: a line stays between two. */
export function refineEdits(lines: readonly string[], edits: readonly LineEdit[]): LineEdit[] {
  const parts = edits.flatMap(({ line, removed, inserted }) =>
    diffHunks(lines.slice(line, line + removed), inserted).map((hunk) => ({
      line: line + hunk.line,
      removed: hunk.removed.length,
      inserted: hunk.inserted,
    })),
  );
  const refined: LineEdit[] = [];
  for (const part of parts.sort((a, b) => a.line - b.line || a.removed - b.removed)) {
    const last = refined.at(-1);
    if (last === undefined || part.line > last.line + last.removed) refined.push(part);
    else refined[refined.length - 1] = joined(last, part);
  }
  return refined;
}

function joined(a: LineEdit, b: LineEdit): LineEdit {
  return { line: a.line, removed: a.removed + b.removed, inserted: [...a.inserted, ...b.inserted] };
}
