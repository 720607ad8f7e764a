/** Work and rest in turns, so that a question asked meanwhile waits a millisecond at most. */
const sliceMs = 1;
const restMs = 20;

/** Does steps in short slices until there is none left, without keeping anything alive; gives what stops it. */
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
      // What stands against it stands against the next call as well, which says it.
      return;
    }
    later();
  }
  later();
  return () => clearTimeout(timer);
}
