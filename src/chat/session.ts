import type { Patch } from '../webview/shared/protocol.ts';
import { type AnswerOptions, answer } from './answering/answering.ts';
import { canContinue } from './answering/continuation.ts';
import { type OnPiece, summarise } from './answering/summarise.ts';
import type { Attachment } from './attachment.ts';
import type { ConfigurationChange } from './configuration.ts';
import {
  type Action,
  type Answer,
  answerOf,
  type Conversation,
  type Message,
  streamingAnswer,
  type TurnSummary,
} from './conversation.ts';
import { ancestorsOf, endOfPath, passedMessages } from './path.ts';
import { reduce } from './reduce.ts';

export interface SessionOptions extends AnswerOptions {
  readonly newId: () => string;
  /** Called with each action of this session that fitted, to be kept. */
  readonly onAction: (action: Action) => void;
  /** Called after each step with the changes of the path that is shown, if there are any. */
  readonly onPatches: (patches: readonly Patch<Message>[]) => void;
  /** Called when model, system prompt, parameters or summaries are others, here or in another window. */
  readonly onConfigure: () => void;
}

export interface AskOptions {
  /** A short name for a question that Parley worded. */
  readonly label?: string | undefined;
  /** Whether all of the conversation is sent, also what the model is not known to read. */
  readonly isWhole?: boolean | undefined;
}

/** What holds for a question that is asked again. */
export type AgainOptions = Pick<AskOptions, 'isWhole'>;

/** A conversation in progress: it asks the service and takes in the answer. */
export interface Session {
  readonly conversation: Conversation;
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
  /** Shows another version of a message. */
  choose(id: string): void;
  /** Shows a message that is on another path, by the versions that lead to it. */
  reveal(id: string): void;
  /**
   * Deletes an answer, or a question with its answers. Where there are other versions, the one beside it is shown.
   * Gives the ids for `restore`.
   */
  delete(id: string): readonly string[];
  /** Brings back what was deleted, and shows it. */
  restore(ids: readonly string[]): void;
  rename(title: string): void;
  pin(isPinned: boolean): void;
  /** Gives the conversation a model, system prompt or parameters of its own, from the next request on. */
  configure(change: ConfigurationChange): void;
  /**
   * Has the model summarise older turns. Undefined where there are none to summarise, or the model's context window is not known.
   * @throws ServiceError
   */
  summarise(signal: AbortSignal, onPiece?: OnPiece): Promise<Omit<TurnSummary, 'at'> | undefined>;
  /** Has a summary sent from now on, where what it is about does not fit. */
  keepSummary(summary: Omit<TurnSummary, 'at'>): void;
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
  const { clock, newId } = options;
  let conversation = initial;
  let running: { id: string; controller: AbortController; done: Promise<void> } | undefined;

  function take(action: Action): boolean {
    const step = reduce(conversation, action);
    if (step.conversation === conversation) return false;
    conversation = step.conversation;
    if (step.patches.length > 0) options.onPatches(step.patches);
    if (action.type === 'configure' || action.type === 'summarise') options.onConfigure();
    return true;
  }

  function dispatch(action: Action): boolean {
    const isTaken = take(action);
    if (isTaken) options.onAction(action);
    return isTaken;
  }

  /** The time of an action: after all that happened, whatever the clock says, since the later choice holds. */
  const now = (): number => Math.max(clock.now(), conversation.updatedAt + 1);

  /** Stops the running answer. Callers check again afterwards: another one may have begun in the meantime. */
  async function stopRunning(): Promise<void> {
    running?.controller.abort();
    await running?.done;
  }

  /** @param from an answer to go on from */
  async function run(question: string, from?: Answer, isWhole = false): Promise<Answer | undefined> {
    const id = newId();
    if (!dispatch({ type: 'answer', id, parent: question, at: now() })) return undefined;
    for (const field of ['reasoning', 'text'] as const) {
      if (from !== undefined) dispatch({ type: 'append', id, field, text: from[field] });
    }
    const controller = new AbortController();
    const done = answer({ ...options, id, conversation: () => conversation, dispatch, isWhole }, controller.signal);
    const mine = { id, controller, done };
    running = mine;
    await done;
    if (running === mine) running = undefined;
    return answerOf(conversation, id);
  }

  const isAnswer = (message: Message): message is Answer => message.role === 'assistant';

  const isFollowed = (id: string): boolean => [...conversation.tree.values()].some(({ parent }) => parent === id);

  async function ask(question: Omit<Extract<Action, { type: 'ask' }>, 'type' | 'id' | 'at'>, isWhole = false) {
    const id = newId();
    return dispatch({ type: 'ask', id, ...question, at: now() }) ? run(id, undefined, isWhole) : undefined;
  }

  function reveal(id: string): void {
    const message = conversation.tree.get(id);
    if (message === undefined) return;
    // Made anew by a choice alone: to find it takes a walk through the whole conversation.
    let passed = passedMessages(conversation);
    const isPassed = ({ id }: Message): boolean => passed.has(id);
    const choose = ({ id }: Message): void => {
      if (dispatch({ type: 'choose', id, at: now() })) passed = passedMessages(conversation);
    };
    for (const each of [...ancestorsOf(conversation, id), message]) {
      if (isPassed(each)) continue;
      choose(each);
      if (isPassed(each) || each.role !== 'user') continue;
      // A deleted question right after a question is passed after those of its answers alone that nothing else follows.
      const answers = [...conversation.tree.values()].filter(
        ({ role, parent }) => role === 'assistant' && parent === each.parent,
      );
      for (const answer of answers) if (!isPassed(each)) choose(answer);
    }
  }

  return {
    get conversation() {
      return conversation;
    },
    get busy() {
      return running !== undefined;
    },
    async stop() {
      while (running !== undefined) await stopRunning();
      const elsewhere = streamingAnswer(conversation);
      if (elsewhere === undefined) return;
      const at = now();
      dispatch({ type: 'end', id: elsewhere.id, state: 'stopped', totalMs: at - elsewhere.at, at });
    },
    async stopOwn() {
      // A question that waited for the running answer to stop has begun another one.
      while (running !== undefined) await stopRunning();
    },
    async ask(text, attachments, { label, isWhole } = {}) {
      while (running !== undefined) await stopRunning();
      const parent = endOfPath(conversation);
      return ask({ parent, text, attachments, ...(label === undefined ? {} : { label }) }, isWhole);
    },
    async edit(question, text, { isWhole } = {}) {
      while (running !== undefined) await stopRunning();
      const before = conversation.tree.get(question);
      if (before?.role !== 'user') return undefined;
      return ask({ parent: before.parent, text, attachments: before.attachments }, isWhole);
    },
    async retry(question, { isWhole } = {}) {
      while (running !== undefined) await stopRunning();
      const of = question ?? conversation.messages.findLast(({ role }) => role === 'user')?.id;
      if (of === undefined) return undefined;
      const before = conversation.messages.filter(isAnswer).find(({ parent }) => parent === of);
      const answering = run(of, undefined, isWhole);
      // What was asked after it can be gone back to as long as it is a version. What is presumed cut may still be written by
      // another window.
      const isEmpty = before?.text === '' && before.state !== 'streaming' && !before.isPresumedCut;
      if (isEmpty && !isFollowed(before.id)) dispatch({ type: 'delete', ids: [before.id], at: now() });
      return answering;
    },
    async continue(id) {
      while (running !== undefined) await stopRunning();
      const before = conversation.messages.find((message) => message.id === id);
      if (before?.role !== 'assistant' || before.parent === undefined || !canContinue(before)) return undefined;
      const answering = run(before.parent, before);
      if (!before.isPresumedCut && !isFollowed(id)) dispatch({ type: 'delete', ids: [id], at: now() });
      return answering;
    },
    choose: (id) => void dispatch({ type: 'choose', id, at: now() }),
    reveal,
    delete(id) {
      const answers = [...conversation.tree.values()].filter(
        ({ parent, role }) => parent === id && role === 'assistant',
      );
      const ids = [id, ...answers.map((message) => message.id)].filter((each) => !conversation.deleted.has(each));
      // An answer that is deleted while it is written is stopped: nobody would see the rest.
      if (running !== undefined && ids.includes(running.id)) running.controller.abort();
      const beside = versionBeside(conversation.messages, id);
      if (!dispatch({ type: 'delete', ids, at: now() })) return [];
      if (beside !== undefined) dispatch({ type: 'choose', id: beside, at: now() });
      return ids;
    },
    restore(ids) {
      const [first] = ids;
      if (dispatch({ type: 'restore', ids, at: now() }) && first !== undefined) reveal(first);
    },
    rename: (title) => void dispatch({ type: 'rename', title, at: now() }),
    configure: (change) => void dispatch({ type: 'configure', ...change, at: now() }),
    summarise: (signal, onPiece) => summarise(options, conversation, signal, onPiece),
    keepSummary: (summary) => void dispatch({ type: 'summarise', ...summary, at: now() }),
    pin: (isPinned) => void dispatch({ type: 'pin', isPinned, at: now() }),
    follow(actions) {
      for (const action of actions) take(action);
      if (running === undefined) return;
      const { id, controller } = running;
      const isGone = conversation.deleted.has(id);
      if (isGone || answerOf(conversation, id)?.state !== 'streaming') controller.abort();
    },
  };
}

/** The version that is shown when one of the path is deleted: the one after it, else the one before. */
function versionBeside(path: readonly Message[], id: string): string | undefined {
  const { versions = [] } = path.find((message) => message.id === id) ?? {};
  const index = versions.indexOf(id);
  return versions[index + 1] ?? versions[index - 1];
}
