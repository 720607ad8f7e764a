import type { Follower } from '../../parts/follower.ts';
import { markWords } from '../../parts/marks.ts';
import { type MessageList, messageTexts } from './messageList.ts';

/** Goes to a message that was searched for, and marks the words in it. */
export interface Reveal {
  /** Whether there is a message to go to that has not come yet. */
  readonly isWanted: boolean;
  begin(message: string, words: readonly string[]): void;
  /** Call when messages came. */
  update(): void;
}

/** Room above the place, in pixels. */
const above = 48;

/** @param draw draws now; gives whether everything is drawn */
export function createReveal(
  scroller: HTMLElement,
  list: MessageList,
  follower: Follower,
  draw: () => boolean,
): Reveal {
  let wanted: { readonly message: string; readonly words: readonly string[] } | undefined;

  /** How far to scroll, as far as the message is drawn. */
  function topOf(message: string, words: readonly string[]): number | undefined {
    const place = list.places.find(({ id }) => id === message);
    if (place === undefined) return undefined;
    const { element } = place;
    const [target = element] = markWords(element.querySelectorAll(messageTexts), words);
    if (place.isDrawn) focus(element);
    return scroller.scrollTop + target.getBoundingClientRect().top - scroller.getBoundingClientRect().top - above;
  }

  function update(): void {
    if (wanted === undefined || !list.places.some(({ id }) => id === wanted?.message)) return;
    const { message, words } = wanted;
    wanted = undefined;
    list.reveal(message);
    follower.restore(() => topOf(message, words), draw());
  }

  return {
    get isWanted() {
      return wanted !== undefined;
    },
    begin(message, words) {
      wanted = { message, words };
      update();
    },
    update,
  };
}

/** The keyboard goes on from the message. A page without the focus would take it from where the user is. */
function focus(message: HTMLElement): void {
  message.tabIndex = -1;
  const take = (): void => message.focus({ preventScroll: true });
  if (document.hasFocus()) take();
  else addEventListener('focus', take, { once: true });
}
