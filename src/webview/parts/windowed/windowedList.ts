import { createDrawnRows } from './drawnRows.ts';
import { createRowHeights } from './rowHeights.ts';

/**
 * A list of any length in an element that scrolls. On the page are the rows near what is in sight, and those in which the user does
 * something; of the others there is the room that they take.
 */
export interface WindowedList {
  /** The rows that are drawn, by their numbers. */
  readonly drawn: ReadonlyMap<number, HTMLElement>;
  /** The first row in sight; -1 where there are none. */
  readonly first: number;
  /**
   * Draws what came into sight; call it when the list is on the page.
   * @param isAnew whether rows have other heights than before, also those that are not drawn
   */
  update(isAnew?: boolean): void;
  /** Draws a row anew, where it is drawn. */
  redraw(row: number): void;
  /** Whether a row is in sight, or fills it. */
  isInSight(row: number): boolean;
  /** Draws a row, and scrolls to it where it is not in sight. Undefined where there is no such row. */
  reveal(row: number, place: RowPlace): HTMLElement | undefined;
}

/** Where a row comes to stand: at the nearer end of what is in sight, amid it, or at its top, also where it was in sight already. */
export type RowPlace = 'near' | 'amid' | 'top';

export interface RowSource {
  readonly count: number;
  draw(row: number): HTMLElement;
  /** Gives what tells the height of a row that was never drawn, in a list of this width; all in pixels. */
  estimator(width: number): (row: number) => number;
  /** Called when rows were drawn: the rest of the page may have marks to put in them. */
  onDraw?(): void;
  /** Called when the user scrolled, and what is in sight now is drawn. */
  onScroll?(): void;
}

/** How far from what is in sight rows are drawn, in pixels: so far, a reader scrolls between two frames. */
const near = 600;
/** The places of rows are known more exactly than those that a browser scrolls to, in pixels. */
const rounding = 1;
/** A row that was measured may let others into sight: so often this is looked at. */
const mostPasses = 4;

/** @param list the only child of the scroller with a height, and without one of its own */
export function createWindowedList(scroller: HTMLElement, list: HTMLElement, source: RowSource): WindowedList {
  const rows = createDrawnRows(list, source);
  let heights = createRowHeights(0, () => 0);
  /** Gives how far to scroll, with the heights as they are known by then: what is read, or was gone to, stays at its place. */
  let wanted = (): number => 0;
  /** `scrolledTo`: how far this list has scrolled itself; another place is one that the user scrolled to. */
  let [width, scrolledTo] = [0, 0];

  /** Keeps what is in sight where it is. */
  function hold(): void {
    const row = heights.at(scroller.scrollTop);
    const offset = scroller.scrollTop - heights.topOf(row);
    wanted = () => heights.topOf(row) + offset;
  }

  const reachable = (): number => Math.max(0, Math.min(wanted(), heights.total - scroller.clientHeight));

  function scroll(): void {
    const top = reachable();
    if (Math.abs(scroller.scrollTop - top) >= 1) scroller.scrollTop = top;
    scrolledTo = scroller.scrollTop;
  }

  function update(isAnew = false): void {
    // In a page that is hidden nothing is in sight, and all would have to be drawn again.
    if (scroller.clientHeight === 0 || source.count === 0) return;
    let isStale = isAnew || list.clientWidth !== width;
    if (isStale) {
      width = list.clientWidth;
      heights = createRowHeights(source.count, source.estimator(width));
      rows.measure(heights);
    }
    let isOther = false;
    for (let pass = 0; pass < mostPasses; pass++) {
      const isArranged = arrange();
      isOther ||= isArranged;
      if (!rows.measure(heights) && !isArranged && !isStale) break;
      isStale = false;
      rows.makeRoom(heights);
      scroll();
    }
    if (isOther) source.onDraw?.();
  }

  /** Puts on the page what is near what is in sight. Gives whether other rows were there. */
  function arrange(): boolean {
    const top = reachable();
    return rows.arrange(heights.at(top - near), heights.at(top + scroller.clientHeight + near));
  }

  function isInSight(row: number): boolean {
    const top = scroller.scrollTop - rounding;
    const bottom = scroller.scrollTop + scroller.clientHeight + rounding;
    const [start, end] = [heights.topOf(row), heights.topOf(row + 1)];
    return rows.drawn.has(row) && ((start >= top && end <= bottom) || (start <= top && end >= bottom));
  }

  function followScroll(): void {
    const isByUser = Math.abs(scroller.scrollTop - scrolledTo) >= 1;
    if (isByUser) {
      scrolledTo = scroller.scrollTop;
      hold();
    }
    update();
    if (isByUser) source.onScroll?.();
  }

  scroller.addEventListener('scroll', followScroll, { passive: true });
  // A row grows when somebody writes in it, or when the theme's font is another one.
  onResize([scroller, list], () => update());

  return {
    drawn: rows.drawn,
    get first() {
      return heights.at(scroller.scrollTop);
    },
    update,
    redraw(row) {
      if (rows.redraw(row)) source.onDraw?.();
    },
    isInSight,
    reveal(row, place) {
      if (row < 0 || row >= source.count) return undefined;
      if (place === 'top' || !isInSight(row)) {
        const isAbove = heights.topOf(row) < scroller.scrollTop;
        wanted = () => {
          const room = scroller.clientHeight - (heights.topOf(row + 1) - heights.topOf(row));
          const isAtTop = place === 'top' || room < 0 || (place === 'near' && isAbove);
          return heights.topOf(row) - (isAtTop ? 0 : place === 'near' ? room : room / 3);
        };
        scroll();
      }
      update();
      return rows.drawn.get(row);
    },
  };
}

/** Calls once a frame in which one of these elements has another size. */
function onResize(elements: readonly HTMLElement[], run: () => void): void {
  let isWaiting = false;
  const observer = new ResizeObserver(() => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      run();
    });
  });
  for (const element of elements) observer.observe(element);
}
