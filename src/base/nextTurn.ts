/** Resolves in the next turn of the event loop: events that wait for this thread, such as Stop, go before. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Bytes or characters of an answer that are worked on in one turn: some milliseconds on a slow machine. */
export const turnSize = 64 * 1024;
