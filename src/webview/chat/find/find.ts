import { createFindBar } from '../../parts/findBar.ts';
import type { Follower } from '../../parts/follower.ts';
import { markCurrent } from '../../parts/marks.ts';
import type { MessageView } from '../../shared/protocol/messageProtocol.ts';
import type { MessageList } from '../list/messageList.ts';
import type { Page } from '../page.ts';
import { createFoundPlaces } from './foundPlaces.ts';
import { nextMessage } from './nextMessage.ts';

/** Finds a text in the conversation as it is read, in messages that are not drawn, too. */
export interface Find {
  readonly element: HTMLElement;
  /** Opens the bar; a few words that are selected are what is to be found. */
  open(): void;
  focus(): void;
  /** Call when messages were drawn: what is found in them is marked. @param isAll whether all of them is drawn */
  update(isAll: boolean): void;
}

export interface FindParts {
  readonly scroller: HTMLElement;
  readonly list: MessageList;
  readonly follower: Follower;
  messages(): readonly MessageView[];
  /** Draws now; gives whether everything is drawn. */
  draw(): boolean;
}

/** The longest selection, in characters, that is taken for what is to be found. */
const longestSelection = 200;
/** Room above the place, in pixels. */
const above = 48;

export function createFind(page: Page, { scroller, list, follower, messages, draw }: FindParts): Find {
  const bar = createFindBar(page.strings, { changed: begin, step, closed: page.focusBox });
  /**
   * The message that is shown, and which of its marks; -1 is the last one, which is known once all of the message is drawn. So is
   * whether there is one that was asked for after those that were drawn (`isSought`).
   */
  let current = { message: -1, mark: 0, isSought: false };
  /** Whether all that is near was drawn with the last drawing. */
  let isAllDrawn = true;

  const places = createFoundPlaces(page.markdown, list, messages);
  const found = (): number[] => places.messages(bar.wanted);

  /** Marks what is drawn. Gives the marks of the current message. */
  const mark = (): Range[] => places.mark(bar.wanted, current.message);

  /** Gives the place in words. */
  function show(): string {
    const all = found();
    markCurrent(mark().at(current.mark));
    return bar.showPlace(all.indexOf(current.message) + 1, all.length);
  }

  /** Goes to a mark of a message; -1 is its last one. @param isSought whether it may come as more of the message is drawn */
  function goTo(message: number, at: number, isSought = false): void {
    const place = list.places[message];
    if (place === undefined) return;
    current = { message, mark: at, isSought };
    list.reveal(place.id);
    const isAll = draw();
    follower.restore(() => {
      const all = mark();
      const target = all.at(current.mark) ?? all.at(-1) ?? list.places[message]?.element;
      return (
        target && scroller.scrollTop + target.getBoundingClientRect().top - scroller.getBoundingClientRect().top - above
      );
    }, isAll);
    page.announce(show());
  }

  /** Which of so many marks of the current message is shown. */
  const currentMark = (length: number): number => (current.mark < 0 ? Math.max(0, length - 1) : current.mark);

  function step(by: 1 | -1): void {
    const { length } = mark();
    const next = currentMark(length) + by;
    const isShown = found().includes(current.message);
    const message = nextMessage(found(), current.message, by);
    const isSought = current.mark >= 0 && next >= length && !isAllDrawn;
    if (isShown && next >= 0 && (next < length || isSought)) goTo(current.message, next, isSought);
    else if (message !== undefined) goTo(message, by === 1 ? 0 : -1);
  }

  /** Call it when all is drawn: the last mark is known, and whether the one that was asked for has come. */
  function settle(): void {
    if (current.mark >= 0 && !current.isSought) return;
    const { length } = mark();
    const isMissing = current.mark >= length;
    if (current.mark < 0 || isMissing) current.mark = Math.max(0, length - 1);
    current.isSought = false;
    // The next message cannot be drawn within this drawing.
    if (isMissing) queueMicrotask(() => step(1));
  }

  /** Goes to the first place from the one that is shown, or from what is in sight, as the text to find is written. */
  function begin(): void {
    const top = scroller.getBoundingClientRect().top;
    const inSight = list.places.findIndex(({ element }) => element.getBoundingClientRect().bottom > top);
    const message = nextMessage(found(), (current.message < 0 ? inSight : current.message) - 1, 1);
    if (message !== undefined) {
      goTo(message, 0);
      return;
    }
    current = { message: -1, mark: 0, isSought: false };
    const said = show();
    if (bar.wanted !== '') page.announce(said);
  }

  return {
    element: bar.element,
    open() {
      const selected = getSelection()?.toString() ?? '';
      bar.open(selected.length <= longestSelection && !selected.includes('\n') ? selected : '');
    },
    focus: bar.focus,
    update(isAll) {
      if (bar.wanted === '') return;
      show();
      isAllDrawn = isAll;
      if (isAll) settle();
    },
  };
}
