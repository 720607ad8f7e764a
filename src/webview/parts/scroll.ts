/** Keeps a scrolling list at its end while the user is there, and leaves it alone once they scrolled away. */
export interface Follower {
  readonly following: boolean;
  /** Call after the content grew. */
  settle(): void;
  /** Goes to the end and follows again. */
  jump(): void;
  /** Does so for something that begins, unless somebody writes in the list. */
  follow(): void;
  /** Goes to a place where the user was reading. */
  restore(top: number): void;
}

/** Distance from the end, in pixels, that counts as the end. */
const nearness = 24;

export function createFollower(list: HTMLElement, onChange: (following: boolean) => void): Follower {
  let following = true;

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
    toEnd();
    set(true);
  };
  // What comes must not carry away the box that somebody writes in.
  const isWriting = (): boolean => list.querySelector('textarea:focus') !== null;
  const settle = (): void => {
    if (!following) return;
    if (isWriting()) set(atEnd());
    else toEnd();
  };

  list.addEventListener('scroll', () => set(atEnd()), { passive: true });
  // A step upward stops following at once, even where it is smaller than the nearness or text comes at the same time.
  list.addEventListener(
    'wheel',
    (event) => {
      if (event.deltaY < 0 && list.scrollTop > 0) set(false);
    },
    { passive: true },
  );
  new ResizeObserver(settle).observe(list);

  return {
    get following() {
      return following;
    },
    settle,
    jump,
    follow: () => (isWriting() ? settle() : jump()),
    restore(top) {
      list.scrollTop = top;
      set(atEnd());
    },
  };
}
