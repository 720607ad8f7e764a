import type { AnswerView, MessageView } from '../shared/protocol/messageProtocol.ts';
import type { Patch } from '../shared/protocol/protocol.ts';
import { applyPatch, type Replica } from './replica.ts';

/** The page's copy of the conversation, as it comes in. */
export interface Incoming {
  readonly replica: Replica;
  /** Whether an answer is being written. */
  readonly isBusy: boolean;
  /** Takes the whole conversation. */
  reset(replica: Replica): void;
  /** Takes patches. Gives how soon to draw them; undefined where a patch is missing. */
  receive(patches: readonly Patch<MessageView>[]): 'at-once' | 'soon' | undefined;
}

export interface IncomingEvents {
  /** Called when a patch is missing, once until the whole conversation has come: nothing else helps. */
  onMissing(): void;
  /** Called when an answer begins. */
  onBegin(): void;
  onEnd(answer: AnswerView): void;
}

export function createIncoming({ onMissing, onBegin, onEnd }: IncomingEvents): Incoming {
  let replica: Replica = { conversation: '', seq: 0, messages: [] };
  let asked = false;

  function askForAll(): void {
    if (!asked) onMissing();
    asked = true;
  }

  /** @returns whether the user waits for it: a message, or the end of one */
  function tell({ change }: Patch<MessageView>, before: Replica): boolean {
    if (change.kind === 'append' || replica === before) return false;
    const message = replica.messages[change.index];
    const isEnded = message?.role === 'assistant' && message.state !== 'streaming';
    if (change.kind === 'cut') return true;
    const isSame = before.messages[change.index]?.id === message?.id;
    // Questions and ended answers that are new here belong to a version that is chosen.
    if (isEnded && isSame) onEnd(message);
    else if (message?.role === 'assistant' && !isEnded && !isSame) onBegin();
    return change.kind === 'put' || isEnded;
  }

  return {
    get replica() {
      return replica;
    },
    get isBusy() {
      const last = replica.messages.at(-1);
      return last?.role === 'assistant' && last.state === 'streaming';
    },
    reset({ conversation, seq, messages }) {
      asked = false;
      replica = { conversation, seq, messages };
    },
    receive(patches) {
      let isWaitedFor = false;
      for (const patch of patches) {
        const before = replica;
        const next = applyPatch(replica, patch);
        if (next === undefined) {
          askForAll();
          return undefined;
        }
        replica = next;
        isWaitedFor = tell(patch, before) || isWaitedFor;
      }
      return isWaitedFor ? 'at-once' : 'soon';
    },
  };
}
