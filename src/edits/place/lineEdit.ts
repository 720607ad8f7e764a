/** A change of a text's lines: so many from `line` on, from 0, give way to others. */
export interface LineEdit {
  readonly line: number;
  readonly removed: number;
  readonly inserted: readonly string[];
}

/** Carries edits out that do not overlap, in whatever order they are given. */
export function applyLineEdits(lines: readonly string[], edits: readonly LineEdit[]): string[] {
  const ordered = [...edits].sort((a, b) => a.line - b.line || a.removed - b.removed);
  const parts: (readonly string[])[] = [];
  let at = 0;
  for (const { line, removed, inserted } of ordered) {
    parts.push(lines.slice(at, line), inserted);
    at = line + removed;
  }
  return [...parts, lines.slice(at)].flat();
}

/** Whether two edits change the same lines, or both insert at one place. */
export function overlaps(a: LineEdit, b: LineEdit): boolean {
  const [first, second] = a.line <= b.line ? [a, b] : [b, a];
  if (first.line === second.line) return first.removed > 0 === second.removed > 0;
  return first.line + first.removed > second.line;
}
