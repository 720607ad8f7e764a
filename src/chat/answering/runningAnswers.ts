import type { TokenLogprob } from '../../service/chat/completion.ts';
import { type Answer, answerOf } from '../conversation/conversation.ts';
import type { ConversationState } from '../conversation/conversationState.ts';
import type { RequestOverride } from '../parameters/requestOverride.ts';
import { type AnswerOptions, answer, type windowEnd } from './answering.ts';

export interface RunningAnswersOptions extends AnswerOptions {
  readonly newId: () => string;
}

/** The answers that this window writes in a conversation: one, or several to one question that are compared. */
export interface RunningAnswers {
  /** Whether any is written. */
  readonly isBusy: boolean;
  /** Their ids, one for each request. */
  readonly ids: readonly string[];
  /** Begins an answer to a question, and resolves with it once it has ended. */
  run(question: string, options?: RunOptions): Promise<Answer | undefined>;
  /** Closes the socket of one; what was written stays. */
  abort(id: string): void;
  /** Aborts all, because the user says so or the window ends, and resolves when they have ended. Callers look again afterwards: another one may have begun meanwhile. */
  stop(why?: typeof windowEnd): Promise<void>;
}

export interface RunOptions {
  /** What to go on from: the new answer begins with its text. */
  readonly from?: Pick<Answer, 'text' | 'reasoning' | 'asked'>;
  /** Where that is a beginning with another token at its end: the answer that it was taken from, and what is known of its tokens. */
  readonly fork?: { readonly of: string; readonly tokens: readonly TokenLogprob[] };
  /** An answer whose request is sent once more, and with which this one is compared. */
  readonly replayOf?: Answer | undefined;
  /** Whether all of the conversation is sent, also what the model is not known to read. */
  readonly isWhole?: boolean | undefined;
  /** What it is asked with in the place of what the conversation has. */
  readonly asked?: RequestOverride | undefined;
  /** Whether the version that is shown stays. */
  readonly isBeside?: boolean | undefined;
}

interface Running {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export function createRunningAnswers(state: ConversationState, options: RunningAnswersOptions): RunningAnswers {
  const { dispatch, now } = state;
  const running = new Map<string, Running>();

  /** Begins a version of the answer to a question. @param isBeside what is shown stays: the first one, or the one that the user went to */
  function begin(question: string, isBeside: boolean): string | undefined {
    const id = options.newId();
    const shown = state.conversation.messages.find(({ role, parent }) => role === 'assistant' && parent === question);
    if (!dispatch({ type: 'answer', id, parent: question, at: now() })) return undefined;
    if (isBeside && shown !== undefined) dispatch({ type: 'choose', id: shown.id, at: now() });
    return id;
  }

  return {
    get isBusy() {
      return running.size > 0;
    },
    get ids() {
      return [...running.keys()];
    },
    async run(question, { from, fork, replayOf, isWhole = false, asked = from?.asked, isBeside = false } = {}) {
      const id = begin(question, isBeside);
      if (id === undefined) return undefined;
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
      const addVersion = (): string | undefined => begin(question, true);
      const request = {
        ...options,
        id,
        conversation,
        dispatch,
        addVersion,
        replayOf,
        isWhole,
        asked,
        forkOf: fork?.of,
      };
      const done = answer(request, controller.signal);
      running.set(id, { controller, done });
      await done;
      running.delete(id);
      return answerOf(state.conversation, id);
    },
    abort: (id) => running.get(id)?.controller.abort(),
    async stop(why) {
      const all = [...running.values()];
      for (const { controller } of all) controller.abort(why);
      await Promise.all(all.map(({ done }) => done));
    },
  };
}
