import type { LineRange } from '../../base/lines.ts';
import { chooseLines, type FoundLines, findLines, findNearLines } from '../place/lines/findLines.ts';
import { indentLike } from '../place/lines/indent.ts';
import type { NamedEdit } from '../place/lines/lineEdit.ts';
import { isBlank, lineIndexOf, normalised } from '../place/lines/lineText.ts';
import { rewriteLines } from '../place/lines/rewriteLines.ts';
import type { Misplaced } from '../place/misplaced.ts';
import type { DiffHunk, FileDiff } from './reading/unifiedDiff.ts';

/** A diff's edits, or the lines of the hunk that has no place, with the reason. */
export type PlacedDiff = readonly NamedEdit[] | { readonly misplaced: Misplaced; readonly lines: readonly string[] };

/**
 * Finds the places of a diff's hunks by what they keep and remove; the line numbers only tell equal places apart. They
 * are one change of the file, all or none of them.
 */
export function placeDiff({ hunks }: FileDiff, file: readonly string[], within: LineRange | undefined): PlacedDiff {
  const edits: NamedEdit[] = [];
  let shift = 0;
  for (const hunk of hunks) {
    const own = withLostSigns(withoutProse(hunk, file));
    const near = own.oldStart === undefined ? undefined : own.oldStart - 1 + shift;
    const placed = placeHunk(own, file, within, near);
    if (typeof placed === 'string') return { misplaced: placed, lines: oldLines(hunk) };
    if (near !== undefined && placed.length > 0)
      shift += placed[0] === undefined ? 0 : placed[0].line - leadingKept(own) - near;
    edits.push(...placed);
  }
  return edits;
}

/** The lines that a hunk expects in the file. */
export function oldLines({ lines }: DiffHunk): string[] {
  return lines.filter(({ kind }) => kind !== 'inserted').map(({ text }) => text);
}

/** The lines that a hunk leaves there. */
export function newLines({ lines }: DiffHunk): string[] {
  return lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text);
}

function leadingKept({ lines }: DiffHunk): number {
  const first = lines.findIndex(({ kind }) => kind !== 'kept');
  return first < 0 ? 0 : first;
}

/** Where some lines lack the sign before them, all kept ones may: then their first space is their own. */
function withLostSigns(hunk: DiffHunk): DiffHunk {
  const kept = hunk.lines.filter(({ kind }) => kind === 'kept');
  if (!kept.some(({ isBare }) => isBare)) return hunk;
  return { ...hunk, lines: hunk.lines.map((line) => (line.kind === 'kept' ? { ...line, text: line.whole } : line)) };
}

/** The hunk without lines at its end that have no sign before them, and are not in the file. */
function withoutProse(hunk: DiffHunk, file: readonly string[]): DiffHunk {
  const { placesOf } = lineIndexOf(file);
  const isProse = ({ isBare, text, kind }: DiffHunk['lines'][number]): boolean =>
    kind === 'kept' && (isBare ? placesOf(normalised(text)).length === 0 : text === '');
  const last = hunk.lines.findLastIndex((line) => !isProse(line));
  const first = hunk.lines.findIndex((line) => !(line.isBare && isProse(line)));
  return { ...hunk, lines: hunk.lines.slice(Math.max(0, first), last + 1) };
}

/** How near a hunk's line number must be to one of several places, in lines, and how far from the others. */
const [nearest, farther] = [3, 8];

function placeHunk(
  hunk: DiffHunk,
  file: readonly string[],
  within: LineRange | undefined,
  near: number | undefined,
): readonly NamedEdit[] | Misplaced {
  const old = oldLines(hunk);
  if (old.every(isBlank)) return placeInsertion(hunk, file, near);
  const found = findLines(file, old);
  const places = found.length > 0 ? found : findNearLines(file, old);
  let place = chooseLines(places, within);
  if (place === 'ambiguous' && hunk.section !== '') place = firstInSection(hunk.section, places, file) ?? place;
  if (place === 'ambiguous' && near !== undefined) {
    const byDistance = [...places].sort((a, b) => Math.abs(a.start - near) - Math.abs(b.start - near));
    const [first, second] = byDistance;
    const isNear =
      first !== undefined &&
      Math.abs(first.start - near) <= nearest &&
      Math.abs((second?.start ?? 0) - near) >= farther;
    if (isNear) place = first;
  }
  return typeof place === 'string' ? place : editsOf(hunk, old, file, place);
}

/** Lines for an empty file, or with nothing around them that says where. */
function placeInsertion(
  hunk: DiffHunk,
  file: readonly string[],
  near: number | undefined,
): readonly NamedEdit[] | Misplaced {
  const inserted = hunk.lines.filter(({ kind }) => kind === 'inserted').map(({ text }) => text);
  if (file.every(isBlank)) return [{ line: 0, removed: file.length, inserted, by: 'diff' }];
  return near === 0 || near === -1 ? [{ line: 0, removed: 0, inserted }] : 'unplaced';
}

/** The hunk's changes at its place: lines that it keeps stay as the file has them. */
function editsOf(
  { lines }: DiffHunk,
  old: readonly string[],
  file: readonly string[],
  place: FoundLines,
): readonly NamedEdit[] {
  const isExact =
    place.end - place.start === old.length &&
    old.every((line, at) => normalised(line) === normalised(file[place.start + at] ?? ''));
  const written = indentLike(
    lines.map(({ text }) => text),
    place.pairs,
  );
  if (!isExact) {
    const next = lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text);
    return [
      {
        line: place.start,
        removed: place.end - place.start,
        inserted: rewriteLines(old, next, file, place),
        by: 'diff',
      },
    ];
  }
  const edits: { line: number; removed: number; inserted: string[]; readonly by: 'diff' }[] = [];
  let line = place.start;
  let isOpen = false;
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'kept') {
      line += 1;
      isOpen = false;
      continue;
    }
    if (!isOpen) edits.push({ line, removed: 0, inserted: [], by: 'diff' });
    isOpen = true;
    const edit = edits.at(-1);
    if (edit === undefined) continue;
    if (kind === 'inserted') edit.inserted.push(written[at] ?? '');
    else {
      edit.removed += 1;
      line += 1;
    }
  }
  return edits;
}

/** The first place after the only line that a hunk's head names, such as that of a class. */
function firstInSection(
  section: string,
  places: readonly FoundLines[],
  file: readonly string[],
): FoundLines | undefined {
  const head = normalised(section);
  const { lines, texts } = lineIndexOf(file);
  const first = texts.findIndex((text) => text.startsWith(head));
  const isOnly = first >= 0 && texts.findLastIndex((text) => text.startsWith(head)) === first;
  return isOnly ? places.find(({ start }) => start >= (lines[first] ?? 0)) : undefined;
}
