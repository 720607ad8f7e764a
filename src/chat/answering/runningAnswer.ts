import type { TokenLogprob } from '../../service/chat/completion.ts';
import { type Answer, answerOf } from '../conversation/conversation.ts';
import type { ConversationState } from '../conversation/conversationState.ts';
import { type AnswerOptions, answer } from './answering.ts';

export interface RunningAnswerOptions extends AnswerOptions {
  readonly newId: () => string;
}

/** The answer that this window writes in a conversation: one at a time. */
export interface RunningAnswer {
  /** The answer's id; undefined where none is written. */
  readonly id: string | undefined;
  /** Begins an answer to a question, and resolves with it once it has ended. */
  run(question: string, options?: RunOptions): Promise<Answer | undefined>;
  /** Closes the socket; what was written stays. */
  abort(): void;
  /** Aborts, and resolves when the answer has ended. Callers look again afterwards: another one may have begun meanwhile. */
  stop(): Promise<void>;
}

export interface RunOptions {
  /** What to go on from: the new answer begins with its text. */
  readonly from?: Pick<Answer, 'text' | 'reasoning'>;
  /** Where that is a beginning with another token at its end: the answer that it was taken from, and what is known of its tokens. */
  readonly fork?: { readonly of: string; readonly tokens: readonly TokenLogprob[] };
  /** Whether all of the conversation is sent, also what the model is not known to read. */
  readonly isWhole?: boolean | undefined;
}

export function createRunningAnswer(state: ConversationState, options: RunningAnswerOptions): RunningAnswer {
  const { dispatch, now } = state;
  let running: { id: string; controller: AbortController; done: Promise<void> } | undefined;

  return {
    get id() {
      return running?.id;
    },
    async run(question, { from, fork, isWhole = false } = {}) {
      const id = options.newId();
      if (!dispatch({ type: 'answer', id, parent: question, at: now() })) return undefined;
      for (const field of ['reasoning', 'text'] as const) {
        if (from !== undefined) dispatch({ type: 'append', id, field, text: from[field] });
      }
      if (from !== undefined && fork !== undefined) {
        const isTold = fork.tokens.length > 0;
        const facts = { fork: { at: from.text.length }, ...(isTold && { hasLogprobs: true }) };
        dispatch({ type: 'describe', id, facts });
        if (isTold) options.onTokens?.(id, fork.tokens);
      }
      const controller = new AbortController();
      const conversation = () => state.conversation;
      const addVersion = (): string | undefined => {
        const other = options.newId();
        const shown = state.conversation.messages.find(({ parent }) => parent === question);
        if (!dispatch({ type: 'answer', id: other, parent: question, at: now() })) return undefined;
        // What is shown stays: the first one, or the one that the user went to.
        if (shown !== undefined) dispatch({ type: 'choose', id: shown.id, at: now() });
        return other;
      };
      const asked = { ...options, id, conversation, dispatch, addVersion, isWhole, forkOf: fork?.of };
      const done = answer(asked, controller.signal);
      const mine = { id, controller, done };
      running = mine;
      await done;
      if (running === mine) running = undefined;
      return answerOf(state.conversation, id);
    },
    abort: () => running?.controller.abort(),
    async stop() {
      running?.controller.abort();
      await running?.done;
    },
  };
}
