import type { LineRange } from '../../base/lines.ts';
import type { LineEdit } from './lineEdit.ts';
import { columnsOf, isTelling, lineIndexOf, normalised, shareOf } from './lineText.ts';
import { keepFileText, replace } from './mergeBlock.ts';
import type { Misplaced } from './misplaced.ts';

/** The lines from the only place of the first line to the next place of the last one that is indented alike. */
export function placeBetween(
  file: readonly string[],
  written: readonly string[],
  elisions: readonly number[],
): readonly LineEdit[] | Misplaced {
  const isShown = (_: string, at: number): boolean => !elisions.includes(at);
  const shown = written.filter(isShown);
  const { lines, placesOf } = lineIndexOf(file);
  const linesOf = (line: string): number[] => placesOf(normalised(line)).map((place) => lines[place] ?? 0);
  const anchors = shown.filter((line) => placesOf(normalised(line)).length > 0);
  const [first, last = ''] = [anchors.find(isTelling), anchors.at(-1)];
  if (anchors.length < 2 || first === undefined) return 'unplaced';
  const ends = linesOf(last);
  const deeper = columnsOf(last) - columnsOf(first);
  const found = linesOf(first).flatMap((start) => {
    const wanted = columnsOf(file[start] ?? '') + deeper;
    const end = ends.find((at) => at > start && columnsOf(file[at] ?? '') === wanted);
    return end === undefined ? [] : [{ first: start, last: end }];
  });
  const fitting = found.filter(
    ({ first: start, last: end }) =>
      shareOf(file.slice(start, end + 1), written) >= (elisions.length > 0 ? 0 : 0.3) &&
      shareOf(written, file.slice(start, end + 1)) >= 0.3,
  );
  if (fitting.length > 1) return 'ambiguous';
  const [range] = fitting.map((each) => widenUp(file, written, first, each));
  if (range === undefined) return 'unplaced';
  const merged = replace(file, range, written);
  return merged === 'ambiguous' || merged === 'unplaced'
    ? merged
    : merged.map((edit) => ({
        ...edit,
        inserted: keepFileText(edit.inserted, file.slice(range.first, range.last + 1)),
      }));
}

/** The range with the lines above it that are written above its first, such as `{`. */
function widenUp(
  file: readonly string[],
  written: readonly string[],
  anchor: string,
  { first, last }: LineRange,
): LineRange {
  let at = written.indexOf(anchor) - 1;
  let start = first;
  while (at >= 0 && start > 0 && normalised(file[start - 1] ?? '') === normalised(written[at] ?? '')) {
    at -= 1;
    start -= 1;
  }
  return { first: start, last };
}
