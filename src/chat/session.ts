import { canContinue } from './answering/continuation.ts';
import { createRunningAnswer, type RunningAnswerOptions } from './answering/runningAnswer.ts';
import { type OnPiece, summarise } from './answering/summarise.ts';
import type { TokenFork } from './confidence/tokenFork.ts';
import type { Attachment } from './conversation/attachment.ts';
import {
  type Action,
  type Answer,
  answerOf,
  type Conversation,
  type Message,
  streamingAnswer,
  type TurnSummary,
} from './conversation/conversation.ts';
import {
  type ConversationState,
  type ConversationStateOptions,
  createConversationState,
} from './conversation/conversationState.ts';
import { endOfPath } from './conversation/path.ts';

export interface SessionOptions extends RunningAnswerOptions, ConversationStateOptions {}

export interface AskOptions {
  /** A short name for a question that Parley worded. */
  readonly label?: string | undefined;
  /** Whether all of the conversation is sent, also what the model is not known to read. */
  readonly isWhole?: boolean | undefined;
}

/** What holds for a question that is asked again. */
export type AgainOptions = Pick<AskOptions, 'isWhole'>;

/** A conversation in progress: it asks the service and takes in the answer. */
export interface Session extends Omit<ConversationState, 'dispatch' | 'takeIn' | 'now'> {
  /** Whether an answer is being written here. */
  readonly busy: boolean;
  /** Asks, and resolves with the answer once it has ended, in whatever state. A running answer is stopped first. */
  ask(text: string, attachments: readonly Attachment[], options?: AskOptions): Promise<Answer | undefined>;
  /** Asks a question of the path again, in other words: a new version of it, with the same attachments. */
  edit(question: string, text: string, options?: AgainOptions): Promise<Answer | undefined>;
  /** Answers a question again, the last one by itself: a new version. One before it that came to nothing, and led to nothing, is deleted. */
  retry(question?: string, options?: AgainOptions): Promise<Answer | undefined>;
  /**
   * Goes on with an answer of the path that was cut, from its last words: a new version that begins with all of its text. The cut one
   * is deleted then, unless something followed it, or another window may still be writing it.
   */
  continue(answer: string): Promise<Answer | undefined>;
  /**
   * Answers a question again with a given beginning, the text of an answer of the path up to a token and another one in its place: a
   * new version. Nothing is deleted.
   */
  forkToken(answer: string, fork: TokenFork): Promise<Answer | undefined>;
  /**
   * Has the model summarise older turns. Undefined where there are none to summarise, or the model's context window is not known.
   * @throws ServiceError
   */
  summarise(signal: AbortSignal, onPiece?: OnPiece): Promise<Omit<TurnSummary, 'at'> | undefined>;
  /**
   * Closes the socket of a running answer; its text stays. Resolves when that is done. One that another window writes is ended,
   * too: that window stops when it hears of it.
   */
  stop(): Promise<void>;
  /** Stops the answer that this window writes, and leaves one of another window alone. */
  stopOwn(): Promise<void>;
  /** Takes in what another window did. */
  follow(actions: readonly Action[]): void;
}

export function createSession(initial: Conversation, options: SessionOptions): Session {
  const { newId } = options;
  const state = createConversationState(initial, options);
  const { dispatch, now } = state;
  const running = createRunningAnswer(state, options);

  async function ask(question: Omit<Extract<Action, { type: 'ask' }>, 'type' | 'id' | 'at'>, isWhole = false) {
    const id = newId();
    return dispatch({ type: 'ask', id, ...question, at: now() }) ? running.run(id, { isWhole }) : undefined;
  }

  const isFollowed = (id: string): boolean => [...state.conversation.tree.values()].some(({ parent }) => parent === id);

  return {
    get conversation() {
      return state.conversation;
    },
    get busy() {
      return running.id !== undefined;
    },
    async stop() {
      while (running.id !== undefined) await running.stop();
      const elsewhere = streamingAnswer(state.conversation);
      if (elsewhere === undefined) return;
      const at = now();
      dispatch({ type: 'end', id: elsewhere.id, state: 'stopped', totalMs: at - elsewhere.at, at });
    },
    async stopOwn() {
      // A question that waited for the running answer to stop has begun another one.
      while (running.id !== undefined) await running.stop();
    },
    async ask(text, attachments, { label, isWhole } = {}) {
      while (running.id !== undefined) await running.stop();
      const parent = endOfPath(state.conversation);
      return ask({ parent, text, attachments, ...(label === undefined ? {} : { label }) }, isWhole);
    },
    async edit(question, text, { isWhole } = {}) {
      while (running.id !== undefined) await running.stop();
      const before = state.conversation.tree.get(question);
      if (before?.role !== 'user') return undefined;
      return ask({ parent: before.parent, text, attachments: before.attachments }, isWhole);
    },
    async retry(question, { isWhole } = {}) {
      while (running.id !== undefined) await running.stop();
      const { messages } = state.conversation;
      const of = question ?? messages.findLast(({ role }) => role === 'user')?.id;
      if (of === undefined) return undefined;
      const before = messages.filter(isAnswer).find(({ parent }) => parent === of);
      const answering = running.run(of, { isWhole });
      // What was asked after it can be gone back to as long as it is a version. What is presumed cut may still be written by
      // another window.
      const isEmpty = before?.text === '' && before.state !== 'streaming' && !before.isPresumedCut;
      if (isEmpty && !isFollowed(before.id)) dispatch({ type: 'delete', ids: [before.id], at: now() });
      return answering;
    },
    async continue(id) {
      while (running.id !== undefined) await running.stop();
      const before = state.conversation.messages.find((message) => message.id === id);
      if (before?.role !== 'assistant' || before.parent === undefined || !canContinue(before)) return undefined;
      const answering = running.run(before.parent, { from: before });
      if (!before.isPresumedCut && !isFollowed(id)) dispatch({ type: 'delete', ids: [id], at: now() });
      return answering;
    },
    async forkToken(id, { beginning, tokens }) {
      while (running.id !== undefined) await running.stop();
      const before = state.conversation.messages.find((message) => message.id === id);
      if (before?.role !== 'assistant' || before.parent === undefined) return undefined;
      const { text, reasoning } = before;
      return running.run(before.parent, { from: { text: beginning, reasoning }, fork: { of: text, tokens } });
    },
    summarise: (signal, onPiece) => summarise(options, state.conversation, signal, onPiece),
    delete(id) {
      const ids = state.delete(id);
      // An answer that is deleted while it is written is stopped: nobody would see the rest.
      if (running.id !== undefined && ids.includes(running.id)) running.abort();
      return ids;
    },
    follow(actions) {
      for (const action of actions) state.takeIn(action);
      const { id } = running;
      if (id === undefined) return;
      const isGone = state.conversation.deleted.has(id);
      if (isGone || answerOf(state.conversation, id)?.state !== 'streaming') running.abort();
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

const isAnswer = (message: Message): message is Answer => message.role === 'assistant';
