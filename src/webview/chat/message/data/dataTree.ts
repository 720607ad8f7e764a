import { element, icon } from '../../../parts/dom.ts';
import { showUnseen } from '../../../parts/unseen.ts';
import type { ViolationView } from '../../../shared/protocol/answerDataProtocol.ts';
import type { Page } from '../../page.ts';
import {
  type DataNode,
  type DataRow,
  mostRows,
  openFirst,
  readDataTree,
  reveal,
  rowsOf,
  showMore,
  shutAll,
  WrittenNumber,
} from './dataNode.ts';

/** The JSON of an answer as a tree. */
export interface DataTree {
  readonly element: HTMLElement;
  /** Goes to a place, with the focus. */
  goTo(path: ViolationView['path']): void;
}

/** Rows that are open at first. */
const firstRows = 60;
/** The longest text of a value in its row, in characters. */
const longestValue = 2_000;
/** Deeper rows are not moved in further: in a narrow view nothing would be left of them. */
const deepestIndent = 10;

export function createDataTree(page: Page, json: string, violations: readonly ViolationView[]): DataTree {
  const root = readDataTree(json);
  openFirst(root, firstRows);
  const tree = element('div', { class: 'data-tree', role: 'tree', 'aria-label': page.strings['dataTree'] });
  const rest = element('p', { class: 'note', text: page.strings['dataTooMany'], hidden: true });
  const drawn = createDrawnRows(page, root, faultsByPath(violations), { tree, rest });
  tree.addEventListener('keydown', (event) => {
    const isOther = event.ctrlKey || event.metaKey || event.altKey;
    const run = isOther || !Object.hasOwn(keys, event.key) ? undefined : keys[event.key];
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run(drawn);
  });
  tree.addEventListener('click', ({ target }) => {
    const index = Array.from(tree.children).findIndex((row) => target instanceof Node && row.contains(target));
    // Whoever marks a text with the mouse wants to copy it.
    if (index < 0 || getSelection()?.isCollapsed === false) return;
    drawn.focus(index);
    toggle(drawn);
  });
  return {
    element: element('div', {}, tree, rest),
    goTo(path) {
      const isShown = (node: DataNode): boolean => indexOf(rowsOf(root), node) >= 0;
      let node = reveal(root, path);
      if (!isShown(node)) {
        shutAll(root);
        node = reveal(root, path);
      }
      drawn.drawAt(node);
    },
  };
}

/** The rows that are on the page, one of which takes the focus. */
interface DrawnRows {
  readonly rows: readonly DataRow[];
  readonly current: number;
  focus(index: number): void;
  /** Draws anew, with the focus on the row of a node. */
  drawAt(node: DataNode): void;
}

function createDrawnRows(
  page: Page,
  root: DataNode,
  faults: Faults,
  { tree, rest }: { readonly tree: HTMLElement; readonly rest: HTMLElement },
): DrawnRows {
  let rows: DataRow[] = [];
  let current = 0;

  function draw(): void {
    rows = rowsOf(root);
    current = Math.min(current, rows.length - 1);
    tree.replaceChildren(...rows.map((row, index) => rowElement(page, row, index === current, faults)));
    rest.hidden = rows.length < mostRows;
  }

  function focus(index: number): void {
    const [before, after] = [tree.children[current], tree.children[index]];
    if (!(after instanceof HTMLElement)) return;
    before?.setAttribute('tabindex', '-1');
    after.setAttribute('tabindex', '0');
    current = index;
    after.focus({ preventScroll: true });
    after.scrollIntoView({ block: 'nearest' });
  }

  // A reader, or a click, may give the focus to any row.
  tree.addEventListener('focusin', ({ target }) => {
    const index = Array.from(tree.children).indexOf(target as Element);
    if (index < 0 || index === current) return;
    tree.children[current]?.setAttribute('tabindex', '-1');
    tree.children[index]?.setAttribute('tabindex', '0');
    current = index;
  });
  draw();
  return {
    get rows() {
      return rows;
    },
    get current() {
      return current;
    },
    focus,
    drawAt(node) {
      page.keepPlace(draw);
      focus(Math.max(0, indexOf(rows, node)));
    },
  };
}

function indexOf(rows: readonly DataRow[], node: DataNode): number {
  return rows.findIndex((row) => row.node === node && row.more === undefined);
}

const keys: Readonly<Record<string, (drawn: DrawnRows) => void>> = {
  ArrowDown: ({ rows, current, focus }) => focus(Math.min(rows.length - 1, current + 1)),
  ArrowUp: ({ current, focus }) => focus(Math.max(0, current - 1)),
  Home: ({ focus }) => focus(0),
  End: ({ rows, focus }) => focus(rows.length - 1),
  ArrowRight: stepIn,
  ArrowLeft: stepOut,
  Enter: toggle,
  ' ': toggle,
};

/** Opens or shuts what has the focus, or shows more of it. */
function toggle({ rows, current, drawAt }: DrawnRows): void {
  const row = rows[current];
  if (row === undefined) return;
  const { node, more } = row;
  if (more !== undefined) {
    const edge = more === 'after' ? node.to : node.from - 1;
    showMore(node, more);
    drawAt(node.child(edge));
  } else if (node.size > 0) {
    node.isOpen = !node.isOpen;
    drawAt(node);
  }
}

function stepIn(drawn: DrawnRows): void {
  const row = drawn.rows[drawn.current];
  if (row === undefined || row.more !== undefined || row.node.size === 0) return;
  if (row.node.isOpen) drawn.focus(drawn.current + 1);
  else toggle(drawn);
}

function stepOut(drawn: DrawnRows): void {
  const row = drawn.rows[drawn.current];
  if (row === undefined) return;
  const { node, more } = row;
  if (more === undefined && node.isOpen && node.size > 0) {
    toggle(drawn);
    return;
  }
  const outer = more === undefined ? node.parent : node;
  if (outer !== undefined) drawn.focus(indexOf(drawn.rows, outer));
}

interface Faults {
  /** What is wrong at a place. */
  readonly at: ReadonlyMap<string, readonly string[]>;
  /** How many places within one are wrong. */
  readonly within: ReadonlyMap<string, number>;
}

function faultsByPath(violations: readonly ViolationView[]): Faults {
  const at = new Map<string, string[]>();
  const within = new Map<string, number>();
  for (const { path, sentence } of violations) {
    const own = JSON.stringify(path);
    at.set(own, [...(at.get(own) ?? []), sentence]);
    for (let length = 0; length < path.length; length++) {
      const outer = JSON.stringify(path.slice(0, length));
      within.set(outer, (within.get(outer) ?? 0) + 1);
    }
  }
  return { at, within };
}

function pathOf(node: DataNode): (string | number)[] {
  const path: (string | number)[] = [];
  for (let each: DataNode | undefined = node; each?.key !== undefined; each = each.parent) path.unshift(each.key);
  return path;
}

function rowElement({ strings }: Page, row: DataRow, isCurrent: boolean, faults: Faults): HTMLElement {
  const { node, more } = row;
  const level = more === undefined ? node.level : node.level + 1;
  const made = element('div', {
    class: more === undefined ? 'data-row' : 'data-row data-more',
    role: 'treeitem',
    tabindex: isCurrent ? '0' : '-1',
    'aria-level': String(level),
  });
  made.style.paddingInlineStart = `${Math.min(level - 1, deepestIndent) * 12}px`;
  if (more !== undefined) {
    const text = strings[more === 'after' ? 'dataMore' : 'dataBefore'] ?? '';
    made.append(icon('ellipsis'), element('span', { text: text.replace('{0}', String(row.count)) }));
    return made;
  }
  made.setAttribute('aria-setsize', String(node.parent?.size ?? 1));
  made.setAttribute('aria-posinset', String(node.index + 1));
  if (node.size > 0) made.setAttribute('aria-expanded', String(node.isOpen));
  const mark =
    node.size === 0 ? element('span', { class: 'data-mark' }) : icon(node.isOpen ? 'chevron-down' : 'chevron-right');
  const key = node.key === undefined ? [] : [element('span', { class: 'data-key', text: String(node.key) }), ': '];
  const line = element('span', { class: 'data-line' }, ...key, valueElement(strings, node));
  made.append(mark, line);
  const path = JSON.stringify(pathOf(node));
  for (const sentence of faults.at.get(path) ?? []) made.append(faultElement(sentence));
  const inside = faults.within.get(path) ?? 0;
  if (inside > 0 && !node.isOpen)
    made.append(faultElement((strings['dataInside'] ?? '').replace('{0}', String(inside))));
  showUnseen(made);
  return made;
}

function faultElement(sentence: string): HTMLElement {
  return element('span', { class: 'data-fault' }, icon('error'), element('span', { text: sentence }));
}

function valueElement(strings: Page['strings'], { value, size }: DataNode): HTMLElement {
  const counted = (one: string, many: string): string =>
    (strings[size === 1 ? one : many] ?? '').replace('{0}', String(size));
  if (value instanceof WrittenNumber) return element('span', { class: 'data-number', text: value.text });
  if (Array.isArray(value))
    return element('span', { class: 'data-count', text: size === 0 ? '[]' : counted('dataItem', 'dataItems') });
  if (typeof value === 'object' && value !== null)
    return element('span', { class: 'data-count', text: size === 0 ? '{}' : counted('dataMember', 'dataMembers') });
  const text = typeof value === 'string' ? `"${value}"` : String(value);
  const shown = text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
  return element('span', { class: `data-${value === null ? 'null' : typeof value}`, text: shown });
}
