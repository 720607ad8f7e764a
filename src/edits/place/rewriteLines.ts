import { diffArrays } from 'diff';
import type { FoundLines } from './findLines.ts';
import { indentLike } from './indent.ts';
import { isBlank } from './lineText.ts';

/**
 * The new form of lines that were found in a file but for white space: the file's own text where old lines stay, its blank lines
 * between them, and its indentation.
 */
export function rewriteLines(
  search: readonly string[],
  next: readonly string[],
  file: readonly string[],
  { start, end, pairs, places }: FoundLines,
): readonly string[] {
  const isSame = end - start === search.length && search.every((line, at) => line === file[start + at]);
  if (isSame) return next;
  const fresh = indentLike(next, pairs);
  const written: string[] = [];
  let [old, at, done, wasKept] = [0, 0, start - 1, false];
  const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trimEnd());
  for (const { value, added, removed } of diffArrays(trimmed(search), trimmed(next))) {
    if (added) {
      written.push(...fresh.slice(at, at + value.length));
      at += value.length;
      continue;
    }
    for (const _ of value) {
      const place = places[old++];
      if (!removed) at += 1;
      if (place === undefined) continue;
      const between = file.slice(done + 1, place);
      if (between.every(isBlank) && (!removed || wasKept)) written.push(...between);
      if (!removed) written.push(file[place] ?? '');
      done = place;
      wasKept = !removed;
    }
  }
  return written;
}
