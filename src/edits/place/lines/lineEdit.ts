import type { Hunk } from '../../diff.ts';

/** A change of a text's lines: so many from `line` on, from 0, give way to others. */
export interface LineEdit {
  readonly line: number;
  readonly removed: number;
  readonly inserted: readonly string[];
}

/**
 * How an answer names the lines that leave a file: in the old text of a search/replace block or of a call; by the `-` of a diff; in
 * all of a file, or of a selection, that it gives anew; within a declaration of the same name that it gives whole.
 */
export type NamedBy = 'search' | 'diff' | 'whole' | 'declaration';

/** An edit that removes nothing. */
export interface Insertion extends LineEdit {
  readonly removed: 0;
}

/** An edit that removes lines, and says how the answer names them: there is no other way to make one. */
export interface NamedRemoval extends LineEdit {
  readonly by: NamedBy;
}

/** What placing may give: nothing leaves a file unnamed. */
export type NamedEdit = Insertion | NamedRemoval;

/** The changes between two texts as edits of the first. */
export function editsOf(hunks: readonly Hunk[]): LineEdit[] {
  return hunks.map(({ line, removed, inserted }) => ({ line, removed: removed.length, inserted }));
}

/** Carries edits out that do not overlap, in whatever order they are given. */
export function applyLineEdits(lines: readonly string[], edits: readonly LineEdit[]): string[] {
  const ordered = [...edits].sort(inOrder);
  const parts: (readonly string[])[] = [];
  let at = 0;
  for (const { line, removed, inserted } of ordered) {
    parts.push(lines.slice(at, line), inserted);
    at = line + removed;
  }
  return [...parts, lines.slice(at)].flat();
}

/** Whether two of the edits change the same lines, or insert at one place. */
export function haveOverlap(edits: readonly LineEdit[]): boolean {
  const ordered = [...edits].sort(inOrder);
  // What overlaps any later one overlaps the next.
  return ordered.some((edit, at) => {
    const next = ordered[at + 1];
    if (next === undefined) return false;
    if (edit.line === next.line) return edit.removed > 0 === next.removed > 0;
    return edit.line + edit.removed > next.line;
  });
}

function inOrder(a: LineEdit, b: LineEdit): number {
  return a.line - b.line || a.removed - b.removed;
}

/** Edits of a part of a text as edits of the text. */
export function shifted(edits: readonly NamedEdit[], by: number): NamedEdit[] {
  return edits.map((edit) => ({ ...edit, line: edit.line + by }));
}
