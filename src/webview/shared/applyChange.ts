import type { Change } from './protocol/protocol.ts';

/** A message of which an answer's texts can grow. */
export type Growing =
  | { readonly role: 'user' }
  | { readonly role: 'assistant'; readonly text: string; readonly reasoning: string };

/**
 * Makes one change to the messages. The host and the page both take this step, so that they cannot come to differ.
 * @returns undefined for a change of an answer that is not there
 */
export function applyChange<M extends Growing>(messages: readonly M[], change: Change<M>): readonly M[] | undefined {
  const { index } = change;
  if (change.kind === 'cut') return messages.slice(0, index);
  const next = [...messages];
  if (change.kind === 'put') {
    next[index] = change.message;
    return next;
  }
  const message = next[index];
  if (message?.role !== 'assistant') return undefined;
  next[index] =
    change.kind === 'describe'
      ? ({ ...change.facts, text: message.text, reasoning: message.reasoning } as unknown as M)
      : { ...message, [change.field]: message[change.field] + change.text };
  return next;
}
