import type { CodeTarget } from './codeTarget.ts';
import { applyLineEdits, type LineEdit } from './lines/lineEdit.ts';
import { columnsOf } from './lines/lineText.ts';

/**
 * Whether edits break a file that is sound: brackets out of balance, a statement that is never reached, members of a type in its own
 * column. Without a grammar for the file nothing is told.
 */
export function breaksFile(
  edits: readonly LineEdit[],
  { file, path, syntax }: Pick<CodeTarget, 'file' | 'path' | 'syntax'>,
): boolean {
  const before = syntax.parsed(file, path);
  const lines = applyLineEdits(file, edits);
  const after = syntax.parsed(lines, path);
  if (before === undefined || after === undefined) return false;
  // A grammar may lack what the language has: brackets that were in balance go out of it only where their number changes.
  const net = edits.reduce(
    (sum, { line, removed, inserted }) => sum + netOf(inserted) - netOf(file.slice(line, line + removed)),
    0,
  );
  if (net !== 0 && before.unbalanced === 0 && after.unbalanced > 0) return true;
  if (after.dead.length > before.dead.length) return true;
  return shallowMembers(after.declarations, lines) > shallowMembers(before.declarations, file);
}

/** How many brackets lines open and do not close. */
function netOf(lines: readonly string[]): number {
  return lines.reduce(
    (sum, line) => sum + (line.match(/[{([]/g)?.length ?? 0) - (line.match(/[})\]]/g)?.length ?? 0),
    0,
  );
}

/** How many members of types stand no deeper than the type itself. */
function shallowMembers(
  all: ReturnType<CodeTarget['syntax']['file']>['declarations'],
  lines: readonly string[],
): number {
  return all.filter(({ parent, head }) => {
    const outer = all[parent];
    if (outer === undefined || !outer.key.startsWith('type:') || outer.key.startsWith('type:[') || outer.head === head)
      return false;
    return (
      columnsOf(lines[head] ?? '') <= columnsOf(lines[outer.head] ?? '') &&
      outer.body !== undefined &&
      head > outer.head
    );
  }).length;
}
