import { element } from '../../parts/dom.ts';
import { createNearness } from '../../parts/nearness.ts';
import type { MessageView } from '../../shared/protocol/messageProtocol.ts';
import type { Page } from '../page.ts';
import { createMessagePlace, type MessagePlace } from './messagePlace.ts';
import { holdPlace } from './readingPlace.ts';

/**
 * The messages, each brought up to date in its place. A conversation may have thousands: on the page are those near what is in
 * sight, and the newest; of the others there is the room that they take.
 */
export interface MessageList {
  readonly element: HTMLElement;
  readonly places: readonly MessagePlace[];
  /** False when there is more to draw now than can be drawn in one go: the rest comes with the next update. */
  update(messages: readonly MessageView[]): boolean;
  /** Has a message, and what follows it on the screen, drawn with the next update, wherever it is. */
  reveal(message: string): void;
}

/** The elements of messages with what was said in them. */
export const messageTexts = '.question-label, .question-text, .thoughts, .markdown';

/** The newest message and its question, which the user waits for. */
const alwaysDrawn = 2;
/** Time after which an update leaves messages that came near to the next, in milliseconds. */
const longestUpdate = 8;

/** @param onNear called when messages came near that are to be drawn */
export function createMessageList(page: Page, onNear: () => void): MessageList {
  const list = element('div', { class: 'messages' });
  let places: readonly MessagePlace[] = [];
  const byElement = new WeakMap<Element, MessagePlace>();
  const nearness = createNearness(list, (part, isNear) => {
    const place = byElement.get(part);
    if (place === undefined || place.isNear === isNear) return;
    place.isNear = isNear;
    onNear();
  });

  function create(view: MessageView): MessagePlace {
    const place = createMessagePlace(page, view, (before, after) => replace(before, after, place));
    return place;
  }

  function enter(part: HTMLElement, place: MessagePlace): void {
    byElement.set(part, place);
    nearness.watch(part);
  }

  function replace(before: HTMLElement, after: HTMLElement, place: MessagePlace): void {
    nearness.forget(before);
    before.replaceWith(after);
    enter(after, place);
  }

  /** Gives every message a place. One in the place of another is drawn if that one was. */
  function arrange(messages: readonly MessageView[]): void {
    const before = places;
    for (const { element: gone } of before.slice(messages.length)) {
      nearness.forget(gone);
      gone.remove();
    }
    places = messages.map((view, index) => {
      const old = before[index];
      if (old?.id === view.id) return old;
      const made = create(view);
      if (old === undefined) {
        list.append(made.element);
        enter(made.element, made);
        return made;
      }
      made.isNear = old.isNear;
      made.isUrgent = old.element.contains(document.activeElement);
      replace(old.element, made.element, made);
      return made;
    });
    bringNear(places, places.length - 1, -1, (index) => places[index] !== before[index]);
  }

  return {
    element: list,
    get places() {
      return places;
    },
    update(messages) {
      arrange(messages);
      const isWanted = (place: MessagePlace, index: number): boolean =>
        place.isNear || index >= messages.length - alwaysDrawn;
      const far = farPlaces(places, isWanted);
      const isMoved = far.length > 0 || places.some((place, index) => !place.isDrawn && isWanted(place, index));
      const keepPlace = isMoved ? holdPlace(page.hold, list, places, far) : undefined;
      const heights = far.map(({ element }) => element.offsetHeight);
      for (const [i, place] of far.entries()) place.clear(heights[i] ?? 0);
      const until = performance.now() + longestUpdate;
      let isAll = true;
      // The newest is drawn first: the user waits for it.
      for (const [index, view] of [...messages.entries()].reverse()) {
        const place = places[index];
        const last = index === messages.length - 1;
        if (place === undefined || !(place.isDrawn || isWanted(place, index)) || !place.differs(view, last)) continue;
        const canWait = !last && !place.isUrgent && performance.now() > until;
        if (canWait || !place.draw(view, last)) isAll = false;
        place.isUrgent = false;
      }
      keepPlace?.();
      return isAll;
    },
    reveal(message) {
      const index = places.findIndex(({ id }) => id === message);
      if (index >= 0) bringNear(places, index, 1, () => true);
    },
  };
}

/** Has so many places drawn, from one on, as fill the screen. */
function bringNear(
  places: readonly MessagePlace[],
  from: number,
  step: 1 | -1,
  isMeant: (index: number) => boolean,
): void {
  let room = innerHeight;
  for (let at = from; room > 0 && isMeant(at); at += step) {
    const place = places[at];
    if (place === undefined) return;
    place.isNear = true;
    room -= place.element.offsetHeight;
  }
}

/** Messages that went far, but for those in which the user does something. */
function farPlaces(
  places: readonly MessagePlace[],
  isWanted: (place: MessagePlace, index: number) => boolean,
): MessagePlace[] {
  return places.filter((place, index) => place.isDrawn && !isWanted(place, index) && !isInUse(place.element));
}

/** Whether the user does something in a message that would be lost with its nodes. */
function isInUse(message: HTMLElement): boolean {
  const selection = getSelection();
  if (selection !== null && !selection.isCollapsed && selection.containsNode(message, true)) return true;
  return message.contains(document.activeElement) || message.querySelector('textarea, details[open]') !== null;
}
