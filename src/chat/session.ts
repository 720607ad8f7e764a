import type { FieldMemory } from '../service/compat/fieldMemory.ts';
import type { ServiceRequest } from '../service/transport/transport.ts';
import { windowEnd } from './answering/answering.ts';
import { type Asking, createAsking, type NewQuestion } from './answering/asking.ts';
import { createRunningAnswers, type RunningAnswersOptions } from './answering/runningAnswers.ts';
import { type OnPiece, summarise } from './answering/summarise.ts';
import {
  type Action,
  answerOf,
  type Conversation,
  streamingAnswers,
  type TurnSummary,
} from './conversation/conversation.ts';
import {
  type ConversationState,
  type ConversationStateOptions,
  createConversationState,
} from './conversation/conversationState.ts';
import { draftRequest } from './draftRequest.ts';

export interface SessionOptions extends RunningAnswersOptions, ConversationStateOptions {}

/** A conversation in progress: it asks the service and takes in the answer. */
export interface Session extends Omit<ConversationState, 'dispatch' | 'takeIn' | 'now'>, Asking {
  /** Whether an answer is being written here. */
  readonly busy: boolean;
  /**
   * Has the model summarise older turns. Undefined where there are none to summarise, or the model's context window is not known.
   * @throws ServiceError
   */
  summarise(signal: AbortSignal, onPiece?: OnPiece): Promise<Omit<TurnSummary, 'at'> | undefined>;
  /** The request that a question would send, the last one again where none is given. Nothing is sent. @throws ServiceError */
  draft(question: NewQuestion | undefined, memory: FieldMemory): Promise<ServiceRequest | undefined>;
  /**
   * Closes the socket of a running answer; its text stays. Resolves when that is done. One that another window writes is ended,
   * too: that window stops when it hears of it.
   */
  stop(): Promise<void>;
  /** Stops the answer that this window writes, and leaves one of another window alone. */
  stopOwn(): Promise<void>;
  /** Takes answers of windows that seem to have ended for cut off, until more of them comes. */
  presumeCut(): void;
  /** Takes in what another window did. */
  follow(actions: readonly Action[]): void;
}

export function createSession(initial: Conversation, options: SessionOptions): Session {
  const state = createConversationState(initial, options);
  const { dispatch, now } = state;
  const running = createRunningAnswers(state, options);

  return {
    ...createAsking(state, running, options.newId),
    get conversation() {
      return state.conversation;
    },
    get busy() {
      return running.isBusy;
    },
    async stop() {
      while (running.isBusy) await running.stop();
      for (const elsewhere of streamingAnswers(state.conversation)) {
        const at = now();
        dispatch({ type: 'end', id: elsewhere.id, state: 'stopped', totalMs: at - elsewhere.at, at });
      }
    },
    async stopOwn() {
      // A question that waited for the running answer to stop has begun another one.
      while (running.isBusy) await running.stop(windowEnd);
    },
    presumeCut() {
      for (const id of streamingAnswers(state.conversation).map(({ id }) => id)) {
        if (!running.ids.includes(id)) state.takeIn({ type: 'presumeCut', id });
      }
    },
    draft: (question, memory) => draftRequest(state.conversation, question, options, memory),
    summarise: (signal, onPiece) => summarise(options, state.conversation, signal, onPiece),
    delete(id) {
      const ids = state.delete(id);
      // An answer that is deleted while it is written is stopped: nobody would see the rest.
      for (const each of running.ids) if (ids.includes(each)) running.abort(each);
      return ids;
    },
    follow(actions) {
      for (const action of actions) state.takeIn(action);
      for (const id of running.ids) {
        const isGone = state.conversation.deleted.has(id);
        if (isGone || answerOf(state.conversation, id)?.state !== 'streaming') running.abort(id);
      }
    },
    choose: state.choose,
    reveal: state.reveal,
    restore: state.restore,
    rename: state.rename,
    pin: state.pin,
    configure: state.configure,
    keepSummary: state.keepSummary,
  };
}
