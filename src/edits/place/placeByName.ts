import { type Declaration, type Dialect, declarationsByKey, findDeclarations, isLead } from './declarations.ts';
import { editDeclaration } from './editDeclaration.ts';
import { findElisions } from './elisions.ts';
import { importLine, insertItem, isKnown } from './insertItem.ts';
import { type Item, itemsOf } from './items.ts';
import { haveOverlap, type LineEdit } from './lineEdit.ts';
import { isTelling, normalised, similarity } from './lineText.ts';
import type { Misplaced } from './misplaced.ts';
import { placeBetween } from './placeBetween.ts';

/** How like a declaration the new form of one among several of its name must be, and by how much more than the next. */
const [leastAlike, leastLead] = [0.4, 0.2];

/** Places code by the names of what it declares. */
export function placeByName(
  file: readonly string[],
  written: readonly string[],
  dialect: Dialect,
): readonly LineEdit[] | Misplaced {
  const items = itemsOf(written, file, dialect);
  const declarations = findDeclarations(file, dialect);
  if (!items.some(({ declaration }) => declaration !== undefined)) return 'unplaced';
  const places = choosePlaces(items, declarations, file, dialect);
  if (places === 'ambiguous') return places;
  if (places.every((place) => place === undefined)) return 'unplaced';
  // Statements that come between what has a name are placed as one with them.
  if (items.some((item, at) => isStatement(item) && places[at] === undefined && !isKnown(item, file))) {
    const between = placeBetween(file, written, findElisions(written, file));
    if (between !== 'unplaced') return between;
  }
  return editItems(items, places, declarations, file, dialect);
}

function isStatement({ declaration, isElision, lines }: Item): boolean {
  return (
    declaration === undefined &&
    !isElision &&
    lines.some((line) => isTelling(line) && !importLine.test(line) && !isLead(line))
  );
}

/** For each item the index of the file's declaration that it is a new form of. */
function choosePlaces(
  items: readonly Item[],
  declarations: readonly Declaration[],
  file: readonly string[],
  dialect: Dialect,
): (number | undefined)[] | 'ambiguous' {
  const byKey = declarationsByKey(file, dialect);
  const candidates = items.map(({ declaration }) => (declaration && byKey.get(declaration.key)) ?? []);
  const parents = new Set(
    candidates.filter((each) => each.length === 1).map(([only]) => declarations[only ?? 0]?.parent),
  );
  const places: (number | undefined)[] = [];
  for (const [at, each] of candidates.entries()) {
    const near = parents.size === 1 ? each.filter((index) => parents.has(declarations[index]?.parent)) : each;
    const pool = near.length > 0 ? near : each;
    const same = pool.filter((index) => isSameHead(items[at], declarations[index], file));
    const left = same.length === 1 ? same : pool;
    const chosen = left.length > 1 ? mostAlike(items[at]?.lines ?? [], left, declarations, file) : left[0];
    if (left.length > 1 && chosen === undefined) return 'ambiguous';
    places.push(chosen);
  }
  return places;
}

/** Whether a declaration is named by the very same line: overloads have one name. */
function isSameHead(item: Item | undefined, place: Declaration | undefined, file: readonly string[]): boolean {
  const { head = 0, lead = 0 } = item?.declaration ?? {};
  return normalised(item?.lines[head - lead] ?? '') === normalised(file[place?.head ?? 0] ?? '');
}

function mostAlike(
  lines: readonly string[],
  candidates: readonly number[],
  declarations: readonly Declaration[],
  file: readonly string[],
): number | undefined {
  const scored = candidates
    .map((index) => {
      const { head, end } = declarations[index] as Declaration;
      const inner = file.slice(head, end);
      return { index, score: (likeness(lines, inner) + likeness(inner, lines)) / 2 };
    })
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  return best !== undefined && best.score >= leastAlike && best.score - (next?.score ?? 0) >= leastLead
    ? best.index
    : undefined;
}

/** The most lines of a declaration by which it is told from others of its name: each is compared with each. */
const mostCompared = 200;

/** How many of a text's telling lines, the naming one left out, another has, or nearly has. */
function likeness(lines: readonly string[], others: readonly string[]): number {
  const telling = lines.filter(isTelling).slice(1, mostCompared);
  const known = others.filter(isTelling).slice(1, mostCompared);
  if (telling.length === 0) return 0;
  const sum = telling.reduce(
    (total, line) =>
      total + Math.max(0, ...known.map((other) => similarity(line, other)).filter((value) => value > 0.6)),
    0,
  );
  return sum / telling.length;
}

function editItems(
  items: readonly Item[],
  places: readonly (number | undefined)[],
  declarations: readonly Declaration[],
  file: readonly string[],
  dialect: Dialect,
): readonly LineEdit[] | Misplaced {
  const edits: LineEdit[] = [];
  for (const [at, item] of items.entries()) {
    const place = places[at];
    if (item.isElision) continue;
    const found =
      place === undefined
        ? insertItem(items, places, at, declarations, file)
        : editDeclaration(item, declarations[place] as Declaration, file, dialect, placeByName);
    if (found === 'ambiguous' || found === 'unplaced') return found;
    edits.push(...found);
  }
  return haveOverlap(edits) ? joinInsertions(edits) : edits;
}

/** New items that come at one place are one insertion; edits that overlap otherwise cannot be told apart. */
function joinInsertions(edits: readonly LineEdit[]): readonly LineEdit[] | Misplaced {
  const joined: LineEdit[] = [];
  for (const edit of edits) {
    const same = joined.findIndex((each) => each.line === edit.line && each.removed === 0 && edit.removed === 0);
    if (same >= 0) joined[same] = { ...edit, inserted: [...(joined[same]?.inserted ?? []), ...edit.inserted] };
    else joined.push(edit);
  }
  return haveOverlap(joined) ? 'ambiguous' : joined;
}
