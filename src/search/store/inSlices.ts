/** Slices of work alternate with equal rests, so that a question asked meanwhile waits a millisecond at most. */
const sliceMs = 1;
const restMs = 20;

/**
 * Runs steps in short slices until there is none left, without keeping the process alive; returns a function that stops
 * it.
 */
export function inSlices(step: () => boolean): () => void {
  let timer: NodeJS.Timeout;
  const later = (): void => {
    timer = setTimeout(slice, restMs).unref();
  };
  function slice(): void {
    const end = performance.now() + sliceMs;
    try {
      while (performance.now() < end) if (!step()) return;
    } catch {
      // The next call meets the same obstacle and reports it.
      return;
    }
    later();
  }
  later();
  return () => clearTimeout(timer);
}
