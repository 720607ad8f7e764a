import type { TokenFork } from '../confidence/tokenFork.ts';
import type { Attachment } from '../conversation/attachment.ts';
import { type Action, type Answer, answerOf, type Message, type Question } from '../conversation/conversation.ts';
import type { ConversationState } from '../conversation/conversationState.ts';
import { endOfPath } from '../conversation/path.ts';
import { configurationOf } from '../parameters/configuration.ts';
import type { RequestOverride } from '../parameters/requestOverride.ts';
import { answerEach } from './answerEach.ts';
import { canContinue } from './continuation.ts';
import { repeated } from './repeated.ts';
import { canReplay } from './replay.ts';
import type { RunningAnswers } from './runningAnswers.ts';

export interface AskOptions {
  /** A short name for a question that Parley worded. */
  readonly label?: string | undefined;
  /** What the question was called while it waited; a new id without it. One that is there is not asked again. */
  readonly id?: string | undefined;
  /** Whether all of the conversation is sent, also what the model is not known to read. */
  readonly isWhole?: boolean | undefined;
}

/** A question that is not asked yet. */
export type NewQuestion = Pick<Question, 'text' | 'attachments' | 'label'>;

/** What holds for a question that is asked again. */
export type AgainOptions = Pick<AskOptions, 'isWhole'>;

/** What holds for a question that is asked in other words. */
export interface EditOptions extends AgainOptions {
  /** What goes along with it; without them, what went along before. */
  readonly attachments?: readonly Attachment[] | undefined;
}

/** All ways to ask the model. A running answer is stopped first. */
export interface Asking {
  /** Asks, and resolves with the answer once it has ended, in whatever state. A running answer is stopped first. */
  ask(text: string, attachments: readonly Attachment[], options?: AskOptions): Promise<Answer | undefined>;
  /** Asks a question of the path again, in other words or with other attachments: a new version of it. */
  edit(question: string, text: string, options?: EditOptions): Promise<Answer | undefined>;
  /** Answers a question again, the last one by itself: a new version. One before it that came to nothing, and led to nothing, is deleted. */
  retry(question?: string, options?: AgainOptions): Promise<Answer | undefined>;
  /**
   * Has a question answered by several at a time, each with a version of its own; the last question, where none is given. Resolves
   * with the one that is shown, once all have ended.
   */
  compare(
    contestants: readonly RequestOverride[],
    asking?: NewQuestion,
    options?: AgainOptions,
  ): Promise<Answer | undefined>;
  /** Asks for the answers that a service did not give with this one, though they were asked for: each with a request of its own. */
  askMissing(answer: string): Promise<Answer | undefined>;
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
   * Asks for an answer of the path once more, with the model and the parameters of then: a new version, which says how it differs.
   * Undefined where it is not known with what it was asked for.
   */
  replay(answer: string): Promise<Answer | undefined>;
}

/** Begins to answer a question. */
type Begin = (question: string) => Promise<Answer | undefined>;

export function createAsking(state: ConversationState, running: RunningAnswers, newId: () => string): Asking {
  const { dispatch, now } = state;

  async function ask(
    question: Omit<Extract<Action, { type: 'ask' }>, 'type' | 'id' | 'at'>,
    begin: Begin,
    id = newId(),
  ): Promise<Answer | undefined> {
    return dispatch({ type: 'ask', id, ...question, at: now() }) ? begin(id) : undefined;
  }

  /** Answers a question of the path again, the last one by itself. */
  async function answerAgain(question: string | undefined, begin: Begin): Promise<Answer | undefined> {
    const { messages } = state.conversation;
    const of = question ?? messages.findLast(({ role }) => role === 'user')?.id;
    if (of === undefined) return undefined;
    const before = messages.filter(isAnswer).find(({ parent }) => parent === of);
    const answering = begin(of);
    // What was asked after it can be gone back to as long as it is a version. What is presumed cut may still be written by
    // another window.
    const isEmpty = before?.text === '' && before.state !== 'streaming' && !before.isPresumedCut;
    if (isEmpty && !isFollowed(before.id)) dispatch({ type: 'delete', ids: [before.id], at: now() });
    return answering;
  }

  const isFollowed = (id: string): boolean => [...state.conversation.tree.values()].some(({ parent }) => parent === id);

  return {
    async ask(text, attachments, { label, isWhole, id } = {}) {
      while (running.isBusy) await running.stop();
      const parent = endOfPath(state.conversation);
      const question = { parent, text, attachments, ...(label === undefined ? {} : { label }) };
      return ask(question, (of) => running.run(of, { isWhole }), id);
    },
    async edit(question, text, { isWhole, attachments } = {}) {
      while (running.isBusy) await running.stop();
      const before = state.conversation.tree.get(question);
      if (before?.role !== 'user') return undefined;
      const { parent } = before;
      return ask({ parent, text, attachments: attachments ?? before.attachments }, (id) =>
        running.run(id, { isWhole }),
      );
    },
    async retry(question, { isWhole } = {}) {
      while (running.isBusy) await running.stop();
      return answerAgain(question, (of) => running.run(of, { isWhole }));
    },
    async compare(contestants, asking, { isWhole } = {}) {
      while (running.isBusy) await running.stop();
      const begin = async (of: string): Promise<Answer | undefined> => {
        const first = await answerEach(running, of, contestants, { isWhole });
        // The one that the user went to meanwhile is the one that counts.
        return state.conversation.messages.filter(isAnswer).find(({ parent }) => parent === of) ?? first;
      };
      if (asking === undefined) return answerAgain(undefined, begin);
      const { text, attachments, label } = asking;
      const parent = endOfPath(state.conversation);
      return ask({ parent, text, attachments, ...(label === undefined ? {} : { label }) }, begin);
    },
    async askMissing(id) {
      while (running.isBusy) await running.stop();
      const given = answerOf(state.conversation, id);
      if (given?.parent === undefined || !given.missing) return undefined;
      const { missing } = given;
      dispatch({ type: 'describe', id, facts: { missing: 0 } });
      const { model, parameters } = configurationOf(state.conversation.configured);
      return answerEach(running, given.parent, repeated({ model, parameters }, missing), { isBeside: true });
    },
    async continue(id) {
      while (running.isBusy) await running.stop();
      const before = state.conversation.messages.find((message) => message.id === id);
      if (before?.role !== 'assistant' || before.parent === undefined || !canContinue(before)) return undefined;
      const answering = running.run(before.parent, { from: before });
      if (!before.isPresumedCut && !isFollowed(id)) dispatch({ type: 'delete', ids: [id], at: now() });
      return answering;
    },
    async forkToken(id, { beginning, tokens }) {
      while (running.isBusy) await running.stop();
      const before = state.conversation.messages.find((message) => message.id === id);
      if (before?.role !== 'assistant' || before.parent === undefined) return undefined;
      const { text, reasoning, asked } = before;
      return running.run(before.parent, { from: { text: beginning, reasoning, asked }, fork: { of: text, tokens } });
    },
    async replay(id) {
      while (running.isBusy) await running.stop();
      const before = state.conversation.messages.find((message) => message.id === id);
      if (before?.role !== 'assistant' || before.parent === undefined || !canReplay(before)) return undefined;
      const { model, parameters } = before.askedWith ?? {};
      return running.run(before.parent, { replayOf: before, asked: { model, parameters: parameters ?? {} } });
    },
  };
}

const isAnswer = (message: Message): message is Answer => message.role === 'assistant';
