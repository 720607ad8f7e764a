import type { MessageView, Patch } from '../protocol.ts';

/** A message of which an answer's texts can grow. */
type Growing =
  | { readonly role: 'user' }
  | { readonly role: 'assistant'; readonly text: string; readonly reasoning: string };

/** The page's copy of the conversation: what was shown, and the number of the last patch in it. */
export interface Replica<M = MessageView> {
  readonly conversation: string;
  readonly seq: number;
  readonly messages: readonly M[];
}

/**
 * The replica with one patch applied. A patch that is already in it changes nothing; `undefined` when one before it is
 * missing, and the whole has to be asked for.
 */
export function applyPatch<M extends Growing>(replica: Replica<M>, patch: Patch<M>): Replica<M> | undefined {
  if (patch.conversation !== replica.conversation) return undefined;
  if (patch.seq <= replica.seq) return replica;
  if (patch.seq !== replica.seq + 1) return undefined;
  const { change } = patch;
  const messages = [...replica.messages];
  if (change.kind === 'put') {
    messages[change.index] = change.message;
  } else {
    const message = messages[change.index];
    if (message?.role !== 'assistant') return undefined;
    messages[change.index] = { ...message, [change.field]: message[change.field] + change.text };
  }
  return { ...replica, seq: patch.seq, messages };
}
