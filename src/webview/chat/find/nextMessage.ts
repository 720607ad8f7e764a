/**
 * The next of the messages that were found, and around at the end.
 * @param found ascending places
 * @param from the place to go on from; it is not the answer unless there is no other
 */
export function nextMessage(found: readonly number[], from: number, step: 1 | -1): number | undefined {
  if (step === 1) return found.find((index) => index > from) ?? found[0];
  return found.findLast((index) => index < from) ?? found.at(-1);
}
