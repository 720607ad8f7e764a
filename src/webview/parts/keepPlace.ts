import type { Follower } from './follower.ts';

/**
 * Call it before a change, and what it gives afterwards: what is held is again where it was on the screen.
 * @param top gives where that is, in pixels
 */
export type Hold = (top: () => number) => () => void;

/**
 * A hold that stays within a pixel of the place through any number of changes: a browser scrolls by whole pixels, and the
 * parts that are left over would else add up.
 */
export function createHold(scroller: HTMLElement): Hold {
  /** How far what was held last is from its place, in pixels. */
  let off = 0;
  return (top) => {
    const place = top() - off;
    return () => {
      if (Math.abs(top() - place) >= 1) scroller.scrollTop += top() - place;
      const left = top() - place;
      // At an end of the list the place cannot be reached, and is given up.
      off = Math.abs(left) < 1 ? left : 0;
    };
  };
}

/**
 * Makes a change to a scrolling list, and leaves what is in sight where it is on the screen, or the list at its end.
 * @param parts selects the parts of a message, by one of which the place is known
 */
export function keepPlace(
  list: HTMLElement,
  parts: string,
  { follower, hold }: { follower: Follower; hold: Hold },
  change: () => void,
): void {
  const anchor = follower.following ? undefined : firstInSight(list, parts);
  const back = anchor && hold(() => anchor.getBoundingClientRect().top);
  change();
  if (anchor === undefined) follower.settle(true);
  else if (anchor.isConnected) back?.();
}

function firstInSight(list: HTMLElement, parts: string): Element | undefined {
  const { top } = list.getBoundingClientRect();
  const first = (all: Iterable<Element>): Element | undefined =>
    [...all].find((each) => each.getBoundingClientRect().bottom > top);
  const message = first(list.querySelectorAll('article'));
  return message && (first(message.querySelectorAll(parts)) ?? message);
}
