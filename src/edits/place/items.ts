import { type Declaration, type Dialect, findDeclarations } from './declarations.ts';
import { findElisions } from './elisions.ts';
import { columnsOf, isBlank } from './lineText.ts';

/** A part of the written code at its top level. */
export interface Item {
  readonly lines: readonly string[];
  readonly declaration: Declaration | undefined;
  readonly isElision: boolean;
  /** Whether a blank line stands above it. */
  readonly isApart: boolean;
}

/** Takes code apart at its least indentation: declarations with what leads them, elisions, and lines that are neither. */
export function itemsOf(written: readonly string[], file: readonly string[], dialect: Dialect): Item[] {
  const declarations = findDeclarations(written, dialect);
  const elisions = new Set(findElisions(written, file));
  const depths = written.map((line) => (isBlank(line) ? Number.POSITIVE_INFINITY : columnsOf(line)));
  const least = depths.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const outer = declarations.filter(({ head }) => depths[head] === least);
  // Of several that begin at one line the first is meant.
  const byLead = new Map(outer.toReversed().map((declaration) => [declaration.lead, declaration]));
  const items: Item[] = [];
  let open: string[] = [];
  let isApart = false;
  const add = (item: Omit<Item, 'isApart'>): void => {
    items.push({ ...item, isApart });
    isApart = false;
  };
  const close = (): void => {
    if (open.length > 0) add({ lines: open, declaration: undefined, isElision: false });
    open = [];
  };
  for (let at = 0; at < written.length; ) {
    const line = written[at] ?? '';
    const declaration = byLead.get(at);
    if (declaration !== undefined || elisions.has(at) || isBlank(line)) close();
    if (declaration !== undefined) add({ lines: written.slice(at, declaration.end), declaration, isElision: false });
    else if (elisions.has(at)) add({ lines: [line], declaration: undefined, isElision: true });
    else if (isBlank(line)) isApart = true;
    else open.push(line);
    at = declaration?.end ?? at + 1;
  }
  close();
  return items;
}
