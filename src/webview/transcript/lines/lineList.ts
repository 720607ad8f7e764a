import { element } from '../../parts/dom.ts';
import { createWindowedList, type RowPlace, type WindowedList } from '../../parts/windowed/windowedList.ts';
import type { PageContext } from '../pageContext.ts';
import { type Line, reserveTimes } from './line.ts';
import { drawLine, type LineActions, type LineState, setActive } from './lineRow.ts';

/** The lines, in an element that scrolls by itself. One is heard, at one is the keyboard. */
export interface LineList {
  readonly element: HTMLElement;
  /** The line at which the keyboard is. */
  readonly active: number;
  /** The line that is heard; undefined in a pause. */
  readonly current: number | undefined;
  readonly hasFocus: boolean;
  /** The first line in sight. */
  readonly first: number;
  /** The texts of lines that are drawn, by the numbers of the lines. */
  readonly drawn: ReadonlyMap<number, HTMLElement>;
  /** The line of which a node is a part; undefined where it is none of a line that is drawn. */
  lineOf(node: Node): number | undefined;
  /** Draws what is in sight; call it when the list is on the page. */
  update(): void;
  /** Shows the other text of the recording beside the lines, or does not, and draws what is in sight. */
  showBeside(isOn: boolean): void;
  /** Marks the line that is heard. Gives whether it is another one. */
  setCurrent(line: number | undefined): boolean;
  /** Whether somebody writes in a line, or is selecting some of the text: it is to stay where it is. */
  readonly isInUse: boolean;
  isInSight(line: number): boolean;
  /** Scrolls to a line that is heard, where it is not in sight. */
  follow(line: number): void;
  /** Scrolls to a line that the user asked for, where it is not in sight. */
  reveal(line: number, place: RowPlace): HTMLElement | undefined;
  /** Goes to a line with the keyboard. */
  focus(line: number, place: RowPlace): void;
  /** Draws a line anew, where it is drawn. It keeps the focus. */
  redraw(line: number): void;
  redrawAll(): void;
}

export interface LineListeners {
  /** Other lines are drawn than before. */
  onDraw(): void;
  /** The user went to another place: scrolled, or asked for a line. */
  onMove(): void;
}

/** About how high a line is that was never drawn: what `transcript.css` has, in parts of the font's size and in pixels. */
const letterWidth = 0.54;
const lineHeight = 1.5;
const widestText = 36;
const besideText = 110;
const aroundText = 6;
/** In a narrow page the text stands below its time. */
const narrow = '(max-width: 480px)';
const aboveText = 26;

/** @param actions is asked for as lines are drawn: they change when playing fails */
export function createLineList(
  page: PageContext,
  lines: readonly Line[],
  actions: () => LineActions,
  { onDraw, onMove }: LineListeners,
): LineList {
  const isTimed = lines[0]?.heard !== undefined;
  const { list, scroller } = createText(page, lines, isTimed);
  const isPressed = watchPress(list);
  let [active, current]: [number, number | undefined] = [0, undefined];
  const hasFocus = (): boolean => list.contains(document.activeElement);

  const windowed = createWindowedList(scroller, list, {
    count: lines.length,
    draw: (number) =>
      drawLine(page, lines[number] ?? { text: '', original: '' }, stateOf(lines, number, current, active), actions()),
    estimator: (width) => heightEstimator(list, lines, isTimed, width),
    onDraw() {
      keepStop();
      onDraw();
    },
    onScroll: onMove,
  });

  /** The Tab key has to come into the list, wherever it is scrolled to. */
  function keepStop(): void {
    if (!windowed.drawn.has(active)) activate(windowed.first);
  }

  function activate(line: number): void {
    if (line === active) return;
    const [before, next] = [windowed.drawn.get(active), windowed.drawn.get(line)];
    if (before !== undefined) setActive(before, false);
    if (next !== undefined) setActive(next, true);
    active = line;
  }

  const lineOf = (node: Node): number | undefined => [...windowed.drawn].find(([, row]) => row.contains(node))?.[0];

  function reveal(line: number, place: RowPlace): HTMLElement | undefined {
    const row = windowed.reveal(line, place);
    onMove();
    return row;
  }

  list.addEventListener('focusin', ({ target }) => target instanceof Node && activate(lineOf(target) ?? active));
  list.addEventListener('dblclick', ({ target }) => {
    if (!(target instanceof Element) || target.closest('button, textarea') !== null) return;
    const line = lineOf(target);
    if (line !== undefined) actions().edit(line);
  });

  return {
    element: scroller,
    get active() {
      return active;
    },
    get current() {
      return current;
    },
    get hasFocus() {
      return hasFocus();
    },
    get first() {
      return windowed.first;
    },
    drawn: windowed.drawn,
    lineOf,
    update: () => windowed.update(),
    showBeside: (isOn) => toggleBeside(scroller, windowed, isOn),
    setCurrent(line) {
      if (line === current) return false;
      if (current !== undefined) windowed.drawn.get(current)?.removeAttribute('aria-current');
      if (line !== undefined) windowed.drawn.get(line)?.setAttribute('aria-current', 'true');
      current = line;
      if (line !== undefined && !hasFocus() && windowed.drawn.has(line)) activate(line);
      return true;
    },
    get isInUse() {
      return isPressed() || list.querySelector('textarea') !== null;
    },
    isInSight: windowed.isInSight,
    follow: (line) => void windowed.reveal(line, 'amid'),
    reveal,
    focus(line, place) {
      const row = reveal(line, place);
      activate(line);
      (isTimed ? row : scroller)?.focus({ preventScroll: true });
    },
    redraw(line) {
      const held = windowed.drawn.get(line)?.contains(document.activeElement);
      windowed.redraw(line);
      if (held) windowed.drawn.get(line)?.focus({ preventScroll: true });
    },
    redrawAll() {
      for (const line of windowed.drawn.keys()) this.redraw(line);
    },
  };
}

function toggleBeside(scroller: HTMLElement, windowed: WindowedList, isOn: boolean): void {
  const { first } = windowed;
  scroller.classList.toggle('with-beside', isOn);
  // Lines have other heights with the other text.
  windowed.update(true);
  if (first > 0) windowed.reveal(first, 'top');
}

function stateOf(lines: readonly Line[], number: number, current: number | undefined, active: number): LineState {
  const speakerBefore = lines[number - 1]?.speaker;
  return { number, of: lines.length, speakerBefore, isCurrent: number === current, isActive: number === active };
}

function createText(page: PageContext, lines: readonly Line[], isTimed: boolean) {
  const list = element(isTimed ? 'ol' : 'div', { class: isTimed ? 'segments' : 'paragraphs' });
  const scroller = element('section', { class: 'text', 'aria-label': page.strings['transcript'] }, list);
  // Without lines that take the focus, the text itself does, so that the keys scroll it.
  if (!isTimed) scroller.tabIndex = 0;
  list.classList.toggle(
    'with-signs',
    lines.some(({ reason }) => reason !== undefined),
  );
  reserveTimes(list, lines);
  return { list, scroller };
}

/** Gives what tells about how high a line is, in a list of a width; all in pixels. */
function heightEstimator(
  list: HTMLElement,
  lines: readonly Line[],
  isTimed: boolean,
  width: number,
): (line: number) => number {
  const size = Number.parseFloat(getComputedStyle(list).fontSize) || 13;
  const isNarrow = !isTimed || matchMedia(narrow).matches;
  const hasBeside = list.closest('.with-beside') !== null;
  const room = (width - (isNarrow ? 0 : besideText)) / size / (hasBeside && !isNarrow ? 2 : 1);
  const letters = Math.max(10, Math.min(widestText, room) / letterWidth);
  const around = aroundText + (isTimed && isNarrow ? aboveText : 0);
  const linesOf = (text = ''): number => Math.ceil((text.length || 1) / letters);
  return (number) => {
    const { text, beside } = lines[number] ?? {};
    const [own, other] = [linesOf(text), hasBeside && beside !== undefined ? linesOf(beside) : 0];
    return (isNarrow ? own + other : Math.max(own, other)) * size * lineHeight + around;
  };
}

/** Gives what tells whether the pointer is pressed in the list. */
function watchPress(list: HTMLElement): () => boolean {
  let isPressed = false;
  const release = (): void => {
    isPressed = false;
  };
  list.addEventListener('pointerdown', () => {
    isPressed = true;
    for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, release, { once: true });
  });
  return () => isPressed;
}
