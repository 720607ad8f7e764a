import { diffArrays, diffWordsWithSpace } from 'diff';
import type { TextChange } from '../base/lines.ts';

/** A run of lines with one fate. `oldLine` and `newLine` say where it begins in either text, from 0. */
export interface Run {
  kind: 'kept' | 'removed' | 'inserted';
  lines: string[];
  oldLine: number;
  newLine: number;
}

/** Lines of the old text (maybe none) that give way to lines of the new one (maybe none). `line` is from 0. */
export interface Hunk {
  line: number;
  removed: string[];
  inserted: string[];
}

/** The largest difference, in lines, that is computed exactly; a larger one is shown as one change, or it would take too long. */
const maxDistance = 500;

/** How the new lines come from the old ones: all runs in order, so that kept and removed ones make up the old text. */
export function diffRuns(oldLines: readonly string[], newLines: readonly string[]): Run[] {
  const parts = diffArrays([...oldLines], [...newLines], { maxEditLength: maxDistance }) ?? [
    { value: [...oldLines], removed: true, added: false },
    { value: [...newLines], removed: false, added: true },
  ];
  let [oldLine, newLine] = [0, 0];
  return parts.map(({ value, added, removed }) => {
    const run: Run = { kind: added ? 'inserted' : removed ? 'removed' : 'kept', lines: value, oldLine, newLine };
    if (!added) oldLine += value.length;
    if (!removed) newLine += value.length;
    return run;
  });
}

/** The changes alone, in order: runs that follow one another without a kept line between them are one hunk. */
export function diffHunks(oldLines: readonly string[], newLines: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let isOpen = false;
  for (const { kind, lines, oldLine } of diffRuns(oldLines, newLines)) {
    if (kind !== 'kept') {
      if (!isOpen) hunks.push({ line: oldLine, removed: [], inserted: [] });
      // Lines are pushed one by one: a spread of a very long run would not fit on the stack.
      for (const line of lines) hunks.at(-1)?.[kind].push(line);
    }
    isOpen = kind !== 'kept';
  }
  return hunks;
}

/** The parts of a line that its new form does not have: pairs of start and end character. */
export function removedParts(oldLine: string, newLine: string): [number, number][] {
  let at = 0;
  return (
    diffWordsWithSpace(oldLine, newLine, { maxEditLength: 200 })?.flatMap(({ value, added, removed }) => {
      if (added) return [];
      const start = at;
      at += value.length;
      return removed ? [[start, at] as [number, number]] : [];
    }) ?? [[0, oldLine.length]]
  );
}

/** A document as far as line edits need it. */
export interface LineSource {
  lineCount: number;
  /** Characters of a line, without its ending. */
  lengthOf(line: number): number;
  eol: string;
}

/**
 * A hunk of the lines that begin at `firstLine`, as a change of the document's text. Deleting lines takes their line
 * break along: the one after them, or, at the end of the document, the one before.
 */
export function hunkToChange(hunk: Hunk, firstLine: number, source: LineSource): TextChange {
  const { eol, lineCount, lengthOf } = source;
  const line = firstLine + hunk.line;
  const next = line + hunk.removed.length;
  const start = { line, character: 0 };
  const text = hunk.inserted.join(eol);
  const endOf = (at: number) => ({ line: at, character: lengthOf(at) });
  if (hunk.inserted.length > 0 && hunk.removed.length > 0) return { start, end: endOf(next - 1), text };
  if (hunk.inserted.length > 0) {
    if (line < lineCount) return { start, end: start, text: text + eol };
    return { start: endOf(line - 1), end: endOf(line - 1), text: eol + text };
  }
  if (next < lineCount) return { start, end: { line: next, character: 0 }, text };
  return { start: line > 0 ? endOf(line - 1) : start, end: endOf(next - 1), text };
}
