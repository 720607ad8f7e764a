import type { RowHeights } from './rowHeights.ts';

/** The rows of a long list that are on the page, and the room for the others. */
export interface DrawnRows {
  /** By their numbers. */
  readonly drawn: ReadonlyMap<number, HTMLElement>;
  /** Puts these rows on the page, and takes those away that are not among them and not in use. Gives whether other rows were there. */
  arrange(first: number, last: number): boolean;
  /** Gives whether a row has another height than was known. */
  measure(heights: RowHeights): boolean;
  /** Leaves room for the rows that are not drawn. */
  makeRoom(heights: RowHeights): void;
  /** Draws a row anew, and gives whether it was drawn. */
  redraw(row: number): boolean;
}

export function createDrawnRows(list: HTMLElement, source: { draw(row: number): HTMLElement }): DrawnRows {
  const drawn = new Map<number, HTMLElement>();
  const inOrder = (): [number, HTMLElement][] => [...drawn].sort(([a], [b]) => a - b);

  return {
    drawn,
    arrange(first, last) {
      const far = [...drawn].filter(([row, element]) => (row < first || row > last) && !isInUse(element));
      for (const [row, element] of far) {
        element.remove();
        drawn.delete(row);
      }
      const kept = drawn.size;
      for (let row = first; row <= last; row++) if (!drawn.has(row)) drawn.set(row, source.draw(row));
      if (drawn.size === kept) return far.length > 0;
      let next = list.firstElementChild;
      // A row that stays is not moved: it would lose the focus.
      for (const [, element] of inOrder()) {
        if (element === next) next = next.nextElementSibling;
        else list.insertBefore(element, next);
      }
      return true;
    },
    measure(heights) {
      let isChanged = false;
      for (const [row, element] of drawn) {
        if (heights.set(row, element.getBoundingClientRect().height)) isChanged = true;
      }
      return isChanged;
    },
    makeRoom(heights) {
      let bottom = 0;
      for (const [row, { style }] of inOrder()) {
        style.marginTop = `${heights.topOf(row) - bottom}px`;
        bottom = heights.topOf(row + 1);
      }
      list.style.paddingBottom = `${heights.total - bottom}px`;
    },
    redraw(row) {
      const element = drawn.get(row);
      if (element === undefined) return false;
      const made = source.draw(row);
      made.style.marginTop = element.style.marginTop;
      element.replaceWith(made);
      drawn.set(row, made);
      return true;
    },
  };
}

/** Whether the user does something in a row that would be lost with its nodes: it has the focus, or an end of what is selected. */
function isInUse(row: HTMLElement): boolean {
  const selection = getSelection();
  const ends = selection?.isCollapsed === false ? [selection.anchorNode, selection.focusNode] : [];
  return [document.activeElement, ...ends].some((node) => row.contains(node));
}
