import type { Dialect } from './declarations.ts';
import { findElisions } from './elisions.ts';
import type { LineEdit } from './lineEdit.ts';
import { isBlank, isTelling, lineIndexOf, normalised, shareOf, trimBlankLines } from './lineText.ts';
import { replace } from './mergeBlock.ts';
import type { Misplaced } from './misplaced.ts';
import { placeBetween } from './placeBetween.ts';
import { placeByName } from './placeByName.ts';

/** The share of a file's telling lines that code must have to be the whole of it in a new form. */
const wholeShare = 0.5;

/**
 * Finds which lines of a file a piece of code is a new form of: the whole file, the declarations of the same names, or the lines
 * from its first to its last. What the piece does not show of a file, it does not delete.
 */
export function placeCode(
  file: readonly string[],
  code: readonly string[],
  dialect: Dialect,
): readonly LineEdit[] | Misplaced {
  const written = trimBlankLines(code);
  if (written.length === 0) return 'unplaced';
  if (file.every(isBlank)) return [{ line: 0, removed: file.length, inserted: written }];
  const elisions = findElisions(written, file);
  if (elisions.length === 0 && isWhole(file, written))
    return replace(file, { first: 0, last: file.length - 1 }, written);
  if (elisions.length > 0 && hasSameEnds(file, written))
    return replace(file, { first: 0, last: file.length - 1 }, written);
  const byName = placeByName(file, written, dialect);
  if (byName !== 'unplaced') return byName;
  const between = placeBetween(file, written, elisions);
  if (between !== 'unplaced') return between;
  // A file that is abridged at its top level, and whose lines are no declarations.
  return elisions.length > 0 && shareOf(written, file) >= wholeShare
    ? replace(file, { first: 0, last: file.length - 1 }, written)
    : 'unplaced';
}

/** Whether code begins and ends with the lines of the file, such as an abridged JSON. */
function hasSameEnds(file: readonly string[], written: readonly string[]): boolean {
  const { texts } = lineIndexOf(file);
  return [0, -1].every((at) => texts.at(at) === normalised(written.at(at) ?? ''));
}

/** Whether code is a whole file in a new form: it begins and ends as the file does, and has most of its lines. */
export function isWhole(file: readonly string[], code: readonly string[]): boolean {
  const { texts, tellingCount, placesOf } = lineIndexOf(file);
  const next = code.filter((line) => !isBlank(line)).map(normalised);
  const shared = [...new Set(next)].filter(isTelling).reduce((sum, text) => sum + placesOf(text).length, 0);
  const share = shared / Math.max(1, tellingCount);
  if (share < wholeShare) return false;
  const [firsts, lasts] = [new Set(texts.slice(0, 3)), new Set(texts.slice(-3))];
  const begins = next.slice(0, 8).some((line) => firsts.has(line));
  const ends = next.slice(-8).some((line) => lasts.has(line));
  return (begins && ends) || share >= 0.9;
}
