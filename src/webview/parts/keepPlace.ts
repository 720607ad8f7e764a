import type { Follower } from './scroll.ts';

/**
 * Makes a change to a scrolling list, and leaves what is in sight where it is on the screen, or the list at its end.
 * @param parts selects the parts of a message, by one of which the place is known
 */
export function keepPlace(list: HTMLElement, parts: string, follower: Follower, change: () => void): void {
  const anchor = follower.following ? undefined : firstInSight(list, parts);
  const before = anchor?.getBoundingClientRect().top ?? 0;
  change();
  const movedBy = anchor?.isConnected ? anchor.getBoundingClientRect().top - before : 0;
  if (anchor === undefined) follower.settle(true);
  else if (movedBy !== 0) list.scrollTop += movedBy;
}

function firstInSight(list: HTMLElement, parts: string): Element | undefined {
  const { top } = list.getBoundingClientRect();
  const first = (all: Iterable<Element>): Element | undefined =>
    [...all].find((each) => each.getBoundingClientRect().bottom > top);
  const message = first(list.querySelectorAll('article'));
  return message && (first(message.querySelectorAll(parts)) ?? message);
}
