/** A number that was written in more digits, or otherwise, than JavaScript has it: it is shown as it was written. */
export class WrittenNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value of an answer at its place in the tree. What is in it is made when it is first asked for. */
export interface DataNode {
  readonly key: string | number | undefined;
  readonly value: unknown;
  readonly parent: DataNode | undefined;
  readonly level: number;
  /** Its place among those beside it, from 0. */
  readonly index: number;
  /** How many values are in it; 0 for what holds none. */
  readonly size: number;
  isOpen: boolean;
  /** Of what is in it, those from here to there are shown. */
  from: number;
  to: number;
  child(index: number): DataNode;
  /** The place of a member or an item; negative where there is none. */
  indexOf(key: string | number): number;
}

/** How many of what is in a value are shown at first, and more at a time. */
export const pageSize = 100;
/** The most that are shown of one value at a time: those that were shown first make room. */
const mostShown = 300;

/** @param json that is whole, and not deeper than a stack */
export function readDataTree(json: string): DataNode {
  return createNode(JSON.parse(json, keepWritten), undefined, undefined, 0);
}

/** The third argument is ECMAScript's since 2025. */
function keepWritten(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source } = context ?? {};
  return typeof value === 'number' && source !== undefined && source !== String(value)
    ? new WrittenNumber(source)
    : value;
}

function createNode(value: unknown, key: DataNode['key'], parent: DataNode | undefined, index: number): DataNode {
  const isHolder = typeof value === 'object' && value !== null && !(value instanceof WrittenNumber);
  const names = isHolder && !Array.isArray(value) ? Object.keys(value) : undefined;
  const size = Array.isArray(value) ? value.length : (names?.length ?? 0);
  const children = new Map<number, DataNode>();
  let places: ReadonlyMap<string, number> | undefined;
  const node: DataNode = {
    ...{ key, value, parent, index, size },
    level: (parent?.level ?? 0) + 1,
    isOpen: false,
    from: 0,
    to: Math.min(size, pageSize),
    child(at) {
      const known = children.get(at);
      if (known !== undefined) return known;
      const own = names?.[at] ?? at;
      const made = createNode((value as Record<string | number, unknown>)[own], own, node, at);
      children.set(at, made);
      return made;
    },
    indexOf(wanted) {
      if (names === undefined) return typeof wanted === 'number' && wanted < size ? wanted : -1;
      places ??= new Map(names.map((name, at) => [name, at]));
      return places.get(String(wanted)) ?? -1;
    },
  };
  return node;
}

/** Shows more of what is in a value, after or before what is shown. */
export function showMore(node: DataNode, where: 'before' | 'after'): void {
  if (where === 'after') {
    node.to = Math.min(node.size, node.to + pageSize);
    node.from = Math.max(node.from, node.to - mostShown);
  } else {
    node.from = Math.max(0, node.from - pageSize);
    node.to = Math.min(node.to, node.from + mostShown);
  }
}

/** Opens all that a place stands in, so that it is shown. Gives the node there, or the last one on the way that there is. */
export function reveal(root: DataNode, path: readonly (string | number)[]): DataNode {
  let node = root;
  for (const key of path) {
    const index = node.indexOf(key);
    if (index < 0) return node;
    node.isOpen = true;
    if (index < node.from || index >= node.to) {
      node.from = Math.max(0, index - pageSize / 2);
      node.to = Math.min(node.size, node.from + pageSize);
    }
    node = node.child(index);
  }
  return node;
}

/** Shuts all that is open, and goes back to the beginning of each. */
export function shutAll(node: DataNode): void {
  const open = [node];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (!each.isOpen) continue;
    for (let at = each.from; at < each.to; at++) open.push(each.child(at));
    each.isOpen = false;
    each.from = 0;
    each.to = Math.min(each.size, pageSize);
  }
}

/** A row of the tree: a value, or what stands for those before or after the ones that are shown. */
export type DataRow =
  | { readonly node: DataNode; readonly more?: undefined }
  | { readonly node: DataNode; readonly more: 'before' | 'after'; readonly count: number };

/** The most rows that are drawn. */
export const mostRows = 1_000;

/** The rows of all that is open, from the top. At most `mostRows`: there may be more. */
export function rowsOf(root: DataNode): DataRow[] {
  const rows: DataRow[] = [];
  function add(node: DataNode): void {
    if (rows.length >= mostRows) return;
    rows.push({ node });
    if (!node.isOpen) return;
    if (node.from > 0) rows.push({ node, more: 'before', count: node.from });
    for (let at = node.from; at < node.to && rows.length < mostRows; at++) add(node.child(at));
    if (node.to < node.size) rows.push({ node, more: 'after', count: node.size - node.to });
  }
  add(root);
  return rows;
}

/** Opens so much, from the outside in, as fits into a few rows. */
export function openFirst(root: DataNode, most: number): void {
  let rows = 1;
  const queue = [root];
  for (let node = queue.shift(); node !== undefined && rows < most; node = queue.shift()) {
    if (node.size === 0 || (node !== root && rows + node.size > most)) continue;
    node.isOpen = true;
    rows += node.to;
    for (let at = node.from; at < Math.min(node.to, most); at++) queue.push(node.child(at));
  }
}
