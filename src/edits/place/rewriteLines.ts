import { diffArrays } from 'diff';
import type { FoundLines } from './findLines.ts';
import { indentLike } from './indent.ts';
import { isBlank, similarity } from './lineText.ts';

/** How alike an old line and the new form of it must be. */
const leastLikeness = 0.5;

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
  let [old, at, done, wasKept, gone] = [0, 0, start - 1, false, 0];
  /** Blank lines between old lines that go: they stay above the new form of the line below them. */
  const gaps: { readonly blanks: readonly string[]; readonly above: string }[] = [];
  const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trimEnd());
  for (const { value, added, removed } of diffArrays(trimmed(search), trimmed(next))) {
    if (added) {
      for (const line of fresh.slice(at, at + value.length)) {
        const gap = gaps.findIndex(({ above }) => similarity(above, line) >= leastLikeness);
        // Fewer lines need fewer paragraphs.
        if (gap >= 0 && value.length >= gone) written.push(...(gaps.splice(0, gap + 1).at(-1)?.blanks ?? []));
        written.push(line);
      }
      at += value.length;
      continue;
    }
    gaps.length = 0;
    gone = value.length;
    for (const _ of value) {
      const place = places[old++];
      if (!removed) at += 1;
      if (place === undefined) continue;
      const between = file.slice(done + 1, place);
      if (between.every(isBlank) && (!removed || wasKept)) written.push(...between);
      else if (between.every(isBlank) && between.length > 0) gaps.push({ blanks: between, above: file[place] ?? '' });
      if (!removed) written.push(file[place] ?? '');
      done = place;
      wasKept = !removed;
    }
  }
  return written;
}
