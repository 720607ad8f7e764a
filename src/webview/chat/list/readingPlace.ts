import type { Hold } from '../../parts/keepPlace.ts';
import type { MessagePlace } from './messagePlace.ts';

/** Where somebody reads: the first message in sight, and how far it is scrolled out at the top, in pixels. */
export interface ReadingPlace {
  readonly message: string;
  readonly offset: number;
}

/** The place that is at the top of what is in sight, undefined where there are no messages. */
export function readingPlace(scroller: HTMLElement, places: readonly MessagePlace[]): ReadingPlace | undefined {
  const top = scroller.getBoundingClientRect().top;
  const first = places[firstInSight(top, places)];
  return first && { message: first.id, offset: top - topOf(first) };
}

/** How far the list has to be scrolled for a place to be at the top; undefined when the message is gone. */
export function scrollTopOf(
  scroller: HTMLElement,
  places: readonly MessagePlace[],
  { message, offset }: ReadingPlace,
): number | undefined {
  const place = places.find(({ id }) => id === message);
  return place && scroller.scrollTop + topOf(place) - scroller.getBoundingClientRect().top + offset;
}

/**
 * Call it before messages are drawn or cleared, and what it gives afterwards: what is in sight is again where it was on the
 * screen.
 * @param far the messages that are about to be cleared
 */
export function holdPlace(
  hold: Hold,
  list: HTMLElement,
  places: readonly MessagePlace[],
  far: readonly MessagePlace[],
): () => void {
  const scroller = list.parentElement;
  if (scroller === null) return () => {};
  const { top, bottom } = scroller.getBoundingClientRect();
  const index = firstInSight(top, places);
  // What is read is a message that stays. Where there is none, the room itself is held.
  const stays = (place: MessagePlace): boolean => place.isDrawn && !far.includes(place) && topOf(place) < bottom;
  const held = places.slice(index, index + 10).find(stays) ?? places[index];
  return held === undefined ? () => {} : hold(() => topOf(held));
}

const topOf = ({ element }: MessagePlace): number => element.getBoundingClientRect().top;

/** The index of the first message that reaches below a line across the screen. */
function firstInSight(line: number, places: readonly MessagePlace[]): number {
  let from = 0;
  let to = places.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const bottom = places[middle]?.element.getBoundingClientRect().bottom ?? 0;
    if (bottom > line) to = middle;
    else from = middle + 1;
  }
  return from;
}
