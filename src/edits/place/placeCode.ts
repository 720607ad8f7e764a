import { isImport } from './codePieces.ts';
import { type CodeTarget, missingIn } from './codeTarget.ts';
import { findElisions } from './elisions.ts';
import { withCommas } from './jsonCommas.ts';
import type { NamedEdit } from './lines/lineEdit.ts';
import { isBlank, isTelling, lineIndexOf, normalised, shareOf, trimBlankLines } from './lines/lineText.ts';
import type { Misplaced } from './misplaced.ts';
import { rewrite } from './newForm.ts';
import { placeDeclarations } from './placeDeclarations.ts';

/**
 * Finds what code is of a file: all of it, anew; or declarations, by their names. What the code does not name stays, and what is
 * neither has no place.
 */
export function placeCode(code: readonly string[], target: CodeTarget): readonly NamedEdit[] | Misplaced {
  const { file, path, syntax } = target;
  const written = trimBlankLines(code);
  if (written.length === 0) return 'unplaced';
  if (file.every(isBlank)) return [{ line: 0, removed: file.length, inserted: written, by: 'whole' }];
  const whole = asWhole(written, target);
  if (whole !== undefined) return whole;
  const { declarations: ours, isMembers } = syntax.piece(written, path);
  const { declarations: theirs } = syntax.file(file, path);
  const range = { first: 0, end: written.length };
  const edits = placeDeclarations({ code: written, ours, theirs, isMembers, range, parent: -1, scope: -1 }, target);
  return typeof edits === 'string' ? edits : withCommas(edits, file, path);
}

/** The edits that give a file the text in which all of it is written; nothing where that leaves out what nobody named. */
export function placeWholeFile(code: readonly string[], target: CodeTarget): readonly NamedEdit[] | Misplaced {
  if (target.file.every(isBlank)) return [{ line: 0, removed: target.file.length, inserted: code, by: 'whole' }];
  return asWhole(code, target) ?? 'left-out';
}

/** The share of a file's telling lines that code without declarations must have to be all of it anew. */
const [leastFramed, leastBare] = [0.5, 0.9];

/** The edits where code is a whole file; undefined where it is a part. */
function asWhole(written: readonly string[], target: CodeTarget): readonly NamedEdit[] | Misplaced | undefined {
  const { file, path, syntax, moved, copied } = target;
  const all = { first: 0, last: file.length - 1 };
  const isFramed = hasSameEnds(file, written);
  const theirs = syntax.file(file, path).declarations;
  const isElided = findElisions(written, file).length > 0;
  if (theirs.length === 0) {
    const share = shareOf(file, written);
    const isWhole = isElided ? isFramed : (isFramed && share >= leastFramed) || share >= leastBare;
    return isWhole ? rewrite(file, all, written, 'whole') : undefined;
  }
  if (isElided) return undefined;
  const ours = syntax.piece(written, path).declarations;
  const missing = missingIn(theirs, ours).filter(
    ({ parent, key }) => (parent === -1 || !key.startsWith('value:')) && !moved.has(key),
  );
  if (missing.length === 0) {
    const outside = file.filter(
      (line, at) => isTelling(line) && !isImport(line) && !theirs.some(({ lead, end }) => at >= lead && at < end),
    );
    const isWhole =
      isFramed ||
      (outside.every((line) => lineIndexOf(written).placesOf(normalised(line)).length > 0) &&
        theirs.filter(({ parent }) => parent === -1).length > 1);
    return isWhole ? rewrite(file, all, written, 'whole') : undefined;
  }
  if (missing.every(({ key }) => copied.has(key))) return 'left-out';
  const tops = theirs.filter(({ parent }) => parent === -1).length;
  const gone = missing.filter(({ parent }) => parent === -1).length;
  // It begins and ends as the file does and shows most of it, but not all: nobody said that the rest is to go.
  return isFramed && tops > 2 && gone < tops / 2 && shareOf(file, written) >= leastFramed ? 'left-out' : undefined;
}

/** Whether code begins and ends about as the file does. */
function hasSameEnds(file: readonly string[], written: readonly string[]): boolean {
  const { texts } = lineIndexOf(file);
  const next = lineIndexOf(written).texts;
  const [firsts, lasts] = [new Set(texts.slice(0, 3)), new Set(texts.slice(-3))];
  return next.slice(0, 8).some((line) => firsts.has(line)) && next.slice(-8).some((line) => lasts.has(line));
}
