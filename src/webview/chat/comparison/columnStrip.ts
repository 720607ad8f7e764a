import { element } from '../../parts/dom.ts';
import type { ColumnView } from '../../shared/protocol/protocol.ts';
import type { Page } from '../page.ts';
import { type Column, createColumn } from './column.ts';

/** The columns beside each other, each brought up to date in its place. */
export interface ColumnStrip {
  readonly element: HTMLElement;
  /** @returns whether all is drawn: the rest comes with the next call */
  draw(views: readonly ColumnView[]): boolean;
  clear(): void;
}

/** Time after which the columns that are left wait for the next drawing, in milliseconds. */
const longestDraw = 8;

export function createColumnStrip(page: Page): ColumnStrip {
  const strip = element('div', { class: 'columns' });
  let columns: Column[] = [];
  /** The column that is drawn first: each takes its turn where there is not time for all. */
  let next = 0;

  /** A column for each version: one that stays keeps its element. */
  function arrange(views: readonly ColumnView[]): void {
    columns = views.map((view, index) => {
      const old = columns[index];
      if (old?.id === view.id) return old;
      const made = createColumn(page, view, index);
      if (old === undefined) strip.append(made.element);
      else old.element.replaceWith(made.element);
      return made;
    });
    while (strip.children.length > columns.length) strip.lastElementChild?.remove();
  }

  return {
    element: strip,
    draw(views) {
      arrange(views);
      const until = performance.now() + longestDraw;
      const drawn: Column[] = [];
      let isAll = true;
      const first = next;
      for (let turn = 0; turn < columns.length; turn++) {
        const at = (first + turn) % columns.length;
        const [column, view] = [columns[at], views[at]];
        if (column === undefined || view === undefined || !column.differs(view)) continue;
        if (drawn.length > 0 && performance.now() > until) {
          next = at;
          isAll = false;
          break;
        }
        if (!column.draw(view)) isAll = false;
        drawn.push(column);
      }
      for (const column of drawn) column.settle();
      strip.setAttribute('aria-busy', String(!isAll));
      return isAll;
    },
    clear() {
      columns = [];
      strip.replaceChildren();
    },
  };
}
