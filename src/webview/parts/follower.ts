/** Keeps a scrolling list at its end while the user is there, and leaves it alone once they scrolled away. */
export interface Follower {
  readonly following: boolean;
  /** Call after the content grew. @param isAll whether all of it is there, and places that are far down can be reached */
  settle(isAll: boolean): void;
  /** Goes to the end and follows again. */
  jump(): void;
  /** Does so for something that begins, unless somebody writes in the list. */
  follow(): void;
  /**
   * Goes to a place where the user was reading, as soon as it is there; whoever scrolls before stays where they are.
   * @param top gives how far to scroll, which may change with what is drawn; undefined when the place is gone
   */
  restore(top: () => number | undefined, isAll: boolean): void;
}

/** Distance from the end, in pixels, that counts as the end. */
const nearness = 24;

export function createFollower(list: HTMLElement, onChange: (following: boolean) => void): Follower {
  let following = true;
  /** The place to go to that is not drawn yet. */
  let wanted: (() => number | undefined) | undefined;

  const set = (next: boolean): void => {
    if (next === following) return;
    following = next;
    onChange(following);
  };
  const atEnd = (): boolean => list.scrollHeight - list.scrollTop - list.clientHeight <= nearness;
  const toEnd = (): void => {
    list.scrollTop = list.scrollHeight;
  };
  const jump = (): void => {
    wanted = undefined;
    toEnd();
    set(true);
  };
  // What comes must not carry away the box that somebody writes in.
  const isWriting = (): boolean => list.querySelector('textarea:focus') !== null;
  const settle = (isAll: boolean): void => {
    if (wanted !== undefined) goTo(wanted, isAll);
    else if (following && isWriting()) set(atEnd());
    else if (following) toEnd();
  };
  const goTo = (top: () => number | undefined, isAll: boolean): void => {
    wanted = isAll ? undefined : top;
    list.scrollTop = top() ?? list.scrollTop;
    set(isAll && atEnd());
  };

  // While a place is on its way, the end of what is drawn so far is not the end.
  list.addEventListener('scroll', () => set(wanted === undefined && atEnd()), { passive: true });
  for (const begun of ['wheel', 'pointerdown', 'keydown']) {
    const stay = (): void => {
      wanted = undefined;
    };
    list.addEventListener(begun, stay, { passive: true });
  }
  // A step upward stops following at once, even where it is smaller than the nearness or text comes at the same time.
  list.addEventListener(
    'wheel',
    (event) => {
      if (event.deltaY < 0 && list.scrollTop > 0) set(false);
    },
    { passive: true },
  );
  new ResizeObserver(() => settle(wanted === undefined)).observe(list);

  return {
    get following() {
      return following;
    },
    settle,
    jump,
    follow: () => (isWriting() ? settle(true) : jump()),
    restore: goTo,
  };
}
