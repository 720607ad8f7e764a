/** Tells which parts of a scrolling list are near what is in sight. */
export interface Nearness {
  watch(part: Element): void;
  forget(part: Element): void;
}

/** How far from what is in sight is near, in pixels: so far, a reader scrolls before there is time to draw. */
const near = 800;

/**
 * @param list the list, in the element that scrolls
 * @param onChange called some time after a part that is watched has come near or has gone; at first for all that are watched
 */
export function createNearness(list: Element, onChange: (part: Element, isNear: boolean) => void): Nearness {
  let observer: IntersectionObserver | undefined;

  function begin(): IntersectionObserver {
    const root = list.parentElement;
    const tell = (entries: readonly IntersectionObserverEntry[]): void => {
      // In a page that is hidden nothing is in sight, and all would have to be drawn again.
      if (root?.clientHeight === 0) return;
      for (const { target, isIntersecting } of entries) onChange(target, isIntersecting);
    };
    return new IntersectionObserver(tell, { root, rootMargin: `${near}px 0px` });
  }

  return {
    watch(part) {
      // The list stands nowhere yet when it is made.
      observer ??= begin();
      observer.observe(part);
    },
    forget: (part) => observer?.unobserve(part),
  };
}
