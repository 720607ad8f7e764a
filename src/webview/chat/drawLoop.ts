/** Draws at most once a frame, and for a small part of the time, so that clicks are handled in between. */
export interface DrawLoop {
  /** @param atOnce without a rest */
  soon(atOnce?: boolean): void;
  /** Gives whether everything was drawn. */
  now(): boolean;
}

/** Drawings longer than this, in milliseconds, are followed by a rest of `restAfterDraw` times their length. */
const slowDraw = 20;
const restAfterDraw = 3;

/** @param draw also lays out the page, which is part of its time. Gives whether everything was drawn */
export function createDrawLoop(draw: () => boolean): DrawLoop {
  let drawing = false;
  /** The timer until the next drawing. */
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  /** Time that the last drawing took, in milliseconds. */
  let drawTook = 0;

  function now(): boolean {
    const started = performance.now();
    const isAll = draw();
    drawTook = performance.now() - started;
    if (!isAll) soon();
    return isAll;
  }

  function frame(): void {
    restTimer = undefined;
    requestAnimationFrame(() => {
      drawing = false;
      now();
    });
  }

  function soon(atOnce = false): void {
    if (drawing && (restTimer === undefined || !atOnce)) return;
    clearTimeout(restTimer);
    restTimer = undefined;
    drawing = true;
    if (drawTook < slowDraw || atOnce) frame();
    else restTimer = setTimeout(frame, drawTook * restAfterDraw);
  }

  return { soon, now };
}
