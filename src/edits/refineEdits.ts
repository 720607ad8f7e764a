import { diffHunks } from './diff.ts';
import { joinTouching } from './lineChange.ts';
import { applyLineEdits, type LineEdit } from './place/lines/lineEdit.ts';

/** Lines between two changes, beyond which each stands by itself whatever they say. */
const mostBetween = 8;
/** The same for a bracket that is all of a change, and its other one. */
const mostInBlock = 20;
/** A longer line, in characters, says something. */
const longestBare = 40;

/**
 * The same edits with the lines left out that stay, in order. Those are one between which no line stays that says anything by itself,
 * or of which one is only the other bracket: half of them would leave a bracket without its other one.
 */
export function refineEdits(lines: readonly string[], edits: readonly LineEdit[]): LineEdit[] {
  const parts = edits.flatMap(({ line, removed, inserted }) =>
    diffHunks(lines.slice(line, line + removed), inserted).map((hunk) => ({
      line: line + hunk.line,
      removed: hunk.removed.length,
      inserted: hunk.inserted,
    })),
  );
  return joinBrackets(lines, joinDependent(lines, joinTouching(parts)));
}

/** @param edits in order, with a line between two of them */
function joinDependent(lines: readonly string[], edits: readonly LineEdit[]): LineEdit[] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const between = last === undefined ? [] : lines.slice(last.line + last.removed, edit.line);
    if (between.length > 0 && between.length <= mostBetween && between.every(isBare)) group?.push(edit);
    else groups.push([edit]);
  }
  return groups.map((group) => asOne(lines, group));
}

/** Joins a change of nothing but brackets with the nearest one that has the other brackets. @param edits in order */
function joinBrackets(lines: readonly string[], edits: readonly LineEdit[]): LineEdit[] {
  const groups: LineEdit[] = [];
  for (const edit of edits) {
    groups.push(edit);
    const from = otherBracket(lines, groups);
    if (from >= 0) groups.push(asOne(lines, groups.splice(from)));
  }
  return groups;
}

/** The place of the change that has the other brackets of the last one, or that the last one has those of; else -1. */
function otherBracket(lines: readonly string[], edits: readonly LineEdit[]): number {
  const last = edits.at(-1);
  if (last === undefined) return -1;
  const removed = (edit: LineEdit) => lines.slice(edit.line, edit.line + edit.removed);
  const isBrackets = (edit: LineEdit): boolean => [...removed(edit), ...edit.inserted].every(isBare);
  let open = balanceOf(last.inserted) - balanceOf(removed(last));
  if (open === 0) return -1;
  for (let at = edits.length - 2; at >= 0; at--) {
    const edit = edits[at] as LineEdit;
    if (last.line - edit.line - edit.removed > mostInBlock) return -1;
    open += balanceOf(edit.inserted) - balanceOf(removed(edit));
    if (open === 0) return isBrackets(last) || isBrackets(edit) ? at : -1;
  }
  return -1;
}

/** How many more brackets lines open than they close, as far as their characters tell. */
function balanceOf(lines: readonly string[]): number {
  let open = 0;
  for (const line of lines)
    for (const character of line) {
      if ('([{'.includes(character)) open++;
      else if (')]}'.includes(character)) open--;
    }
  return open;
}

/** One edit that does what several do, with the lines that stay between them in both its old and its new ones. */
function asOne(lines: readonly string[], edits: readonly LineEdit[]): LineEdit {
  const line = Math.min(...edits.map((edit) => edit.line));
  const end = Math.max(...edits.map((edit) => edit.line + edit.removed));
  const moved = edits.map((edit) => ({ ...edit, line: edit.line - line }));
  return { line, removed: end - line, inserted: applyLineEdits(lines.slice(line, end), moved) };
}

/** Whether a line says nothing by itself: it is blank, a bracket, or a word that only joins what is around it. */
function isBare(line: string): boolean {
  if (line.length > longestBare) return line.trim() === '';
  const text = line.trim();
  return (
    /^[{}()[\]<>,;]*$/.test(text) ||
    /^<?\/>$|^<\/[\w.-]*>$|^\/\*\*?$|^\*\/$/.test(text) ||
    /^(?:\} ?)?(?:else|try|catch|finally|do|then|begin|end|fi|done|esac)(?: ?[{:;,)]+)?$/.test(text) ||
    /^#(?:else|endif)$/.test(text)
  );
}
