import { element } from '../../parts/dom.ts';
import type { MessageView } from '../../shared/protocol/messageProtocol.ts';
import { createAnswer } from '../message/answer.ts';
import { createQuestion } from '../message/question.ts';
import type { Page } from '../page.ts';

/** The place of a message in the list: the message, or, far from what is in sight, the room that it takes. */
export interface MessagePlace {
  readonly id: string;
  readonly element: HTMLElement;
  readonly isDrawn: boolean;
  /** Whether it is to be drawn. */
  isNear: boolean;
  /** Whether it is to be drawn with the next update, however long that takes: it stands where the focus was. */
  isUrgent: boolean;
  /** Whether the page has something else of it, or less. */
  differs(view: MessageView, last: boolean): boolean;
  /** @returns false when there was more than can be drawn in one go: the rest comes with the next update */
  draw(view: MessageView, last: boolean): boolean;
  /** Leaves room of this height, in pixels. */
  clear(height: number): void;
}

interface Drawn {
  readonly element: HTMLElement;
  update(view: MessageView, last: boolean): boolean;
}

/** Room for a message that was never drawn, in pixels: about that of its text in a side bar. */
const roomOf = ({ text }: MessageView): number => 60 + Math.min(text.length / 2, 20_000);

/** @param onSwap called when the element is another one */
export function createMessagePlace(
  page: Page,
  first: MessageView,
  onSwap: (before: HTMLElement, after: HTMLElement) => void,
): MessagePlace {
  let drawn: Drawn | undefined;
  let room = emptyPlace(page, first, roomOf(first));
  let shown: { view: MessageView; last: boolean; isAll: boolean } | undefined;
  const current = (): HTMLElement => drawn?.element ?? room;

  return {
    id: first.id,
    get element() {
      return current();
    },
    get isDrawn() {
      return drawn !== undefined;
    },
    isNear: false,
    isUrgent: false,
    differs: (view, last) => shown?.view !== view || shown.last !== last || !shown.isAll,
    draw(view, last) {
      const before = current();
      drawn ??= create(page, view);
      const isAll = drawn.update(view, last);
      shown = { view, last, isAll };
      if (before !== drawn.element) onSwap(before, drawn.element);
      return isAll;
    },
    clear(height) {
      const before = current();
      room = emptyPlace(page, first, height);
      drawn = undefined;
      shown = undefined;
      onSwap(before, room);
    },
  };
}

function create(page: Page, { role }: MessageView): Drawn {
  if (role === 'user') {
    const question = createQuestion(page);
    return { element: question.element, update: (view) => view.role === 'assistant' || question.update(view) };
  }
  const answer = createAnswer(page);
  return { element: answer.element, update: (view, last) => view.role === 'user' || answer.update(view, last) };
}

/** A screen reader that comes to it scrolls it into sight. */
function emptyPlace({ strings }: Page, { role }: MessageView, height: number): HTMLElement {
  const made = element('article', { class: 'undrawn', 'aria-label': strings[role === 'user' ? 'you' : 'answer'] });
  made.style.height = `${Math.round(height)}px`;
  return made;
}
