import { applyChange, type Growing } from '../shared/applyChange.ts';
import type { MessageView } from '../shared/protocol/messageProtocol.ts';
import type { Patch } from '../shared/protocol/protocol.ts';

/** The page's copy of the conversation: its messages, and the number of the last patch in it. */
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
  if ((patch.from ?? patch.seq) > replica.seq + 1) return undefined;
  const messages = applyChange(replica.messages, patch.change);
  return messages && { ...replica, seq: patch.seq, messages };
}
