import { diffHunks } from '../diff.ts';
import { applyLineEdits, editsOf, type NamedEdit } from './lines/lineEdit.ts';
import { isBlank } from './lines/lineText.ts';

/**
 * The same edits of a JSON with the commas that its members then need: one behind each but the last. Lines that are not changed, and
 * have none changed beside them, stay.
 */
export function withCommas(edits: readonly NamedEdit[], file: readonly string[], path: string): readonly NamedEdit[] {
  if (!/\.json[c5]?$/i.test(path) || edits.length === 0) return edits;
  const lines = applyLineEdits(file, edits);
  const touched = new Set<number>();
  for (const { line, inserted } of diffLines(file, lines))
    for (let at = line - 1; at <= line + inserted; at++) touched.add(at);
  const fixed = lines.map((line, at) => (touched.has(at) ? fixComma(line, next(lines, at)) : line));
  return editsOf(diffHunks(file, fixed)).map((edit) => ({ ...edit, by: 'declaration' as const }));
}

/** The changed lines by their places in the new text. */
function diffLines(
  file: readonly string[],
  lines: readonly string[],
): { readonly line: number; readonly inserted: number }[] {
  let shift = 0;
  return diffHunks(file, lines).map(({ line, removed, inserted }) => {
    const at = line + shift;
    shift += inserted.length - removed.length;
    return { line: at, inserted: inserted.length };
  });
}

/** The next line with text that is no remark. */
function next(lines: readonly string[], at: number): string {
  return lines.slice(at + 1).find((line) => !isBlank(line) && !/^\s*(?:\/\/|\/\*)/.test(line)) ?? '';
}

function fixComma(line: string, below: string): string {
  if (isBlank(line) || !/[{[:,]\s*(?:\/\/.*)?$/.test(line)) {
    const isMember = /["\w\]}]\s*$/.test(line) && !/^\s*\/\//.test(line);
    return isMember && /^\s*["{[\w-]/.test(below) ? `${line.trimEnd()},` : line;
  }
  return /,\s*$/.test(line) && /^\s*[}\]]/.test(below) ? line.replace(/,\s*$/, '') : line;
}
