import type { Declaration } from './declarations.ts';
import type { Item } from './items.ts';
import type { LineEdit } from './lineEdit.ts';
import { columnsOf, isBlank, isTelling, lineIndexOf, normalised, shareOf } from './lineText.ts';
import { fitIndentation } from './mergeBlock.ts';
import type { Misplaced } from './misplaced.ts';

/** A line by which a file takes in another. */
export const importLine =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s|using\s|#\s*include\b|require|(?:const|let|var)\s.*=\s*require\(|package\s|@import|@use)/;

/** Whether the file has an item's lines already. */
export function isKnown({ lines }: Item, file: readonly string[]): boolean {
  return shareOf(lines, file) === 1;
}

/** A new item, by the nearest one beside it that the file has; imports go to the others of their kind. */
export function insertItem(
  items: readonly Item[],
  places: readonly (number | undefined)[],
  at: number,
  declarations: readonly Declaration[],
  file: readonly string[],
): readonly LineEdit[] | Misplaced {
  const item = items[at] as Item;
  if (isKnown(item, file) || item.lines.every((line) => !isTelling(line))) return [];
  if (item.lines.every((line) => importLine.test(line) || isBlank(line))) return insertImports(item.lines, file);
  const before = places.slice(0, at).findLastIndex((place) => place !== undefined);
  const after = places.findIndex((place, index) => index > at && place !== undefined);
  const near = before >= 0 ? before : after;
  if (near < 0 || item.declaration === undefined) return 'unplaced';
  const neighbour = declarations[places[near] as number] as Declaration;
  const model = file.slice(neighbour.head, neighbour.end);
  const head = items[near]?.declaration?.head ?? 0;
  const shown = items[near]?.lines.slice(head - (items[near]?.declaration?.lead ?? 0)) ?? [];
  const inserted = fitIndentation([...shown, ...item.lines], model).slice(shown.length);
  const isList = [item, items[near]].every((each) => each?.lines.length === 1) && !item.isApart && before === at - 1;
  const gap = !isList && needsGap(file, neighbour) ? [''] : [];
  if (before >= 0) return [{ line: neighbour.end, removed: 0, inserted: [...gap, ...inserted] }];
  return [{ line: neighbour.lead, removed: 0, inserted: [...inserted, ...gap] }];
}

/** Whether declarations are set apart by a blank line here. */
function needsGap(file: readonly string[], { lead, end }: Declaration): boolean {
  return isBlank(file[end] ?? 'x') || isBlank(file[lead - 1] ?? 'x') || end - lead > 2;
}

/** New imports go below those of the file, known ones beside them. */
export function insertImports(lines: readonly string[], file: readonly string[]): readonly LineEdit[] {
  const inFile = lineIndexOf(file);
  const places = lines.map((line) =>
    isBlank(line) ? -1 : (inFile.lines[inFile.placesOf(normalised(line))[0] ?? -1] ?? -1),
  );
  const last = file.findLastIndex((line) => importLine.test(line) && columnsOf(line) === 0);
  const edits: LineEdit[] = [];
  for (const [at, line] of lines.entries()) {
    if (isBlank(line) || (places[at] ?? 0) >= 0) continue;
    const before = places.slice(0, at).findLast((place) => place >= 0);
    const after = places.slice(at + 1).find((place) => place >= 0);
    const inserted = [line, ...(before === undefined && after === undefined && last < 0 ? [''] : [])];
    edits.push({ line: before !== undefined ? before + 1 : (after ?? last + 1), removed: 0, inserted });
  }
  return edits;
}
