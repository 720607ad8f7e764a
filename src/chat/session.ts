import type { Patch } from '../webview/shared/protocol.ts';
import { type AnswerOptions, answer } from './answering.ts';
import type { ConfigurationChange } from './configuration.ts';
import type { Attachment } from './context/attachment.ts';
import { type Action, type Answer, type Conversation, type Message, streamingAnswer } from './conversation.ts';
import { endOfPath } from './path.ts';
import { reduce } from './reduce.ts';

export interface SessionOptions extends AnswerOptions {
  readonly newId: () => string;
  /** Called with each action of this session that fitted, to be kept. */
  readonly onAction: (action: Action) => void;
  /** Called after each step with the changes of the path that is shown, if there are any. */
  readonly onPatches: (patches: readonly Patch<Message>[]) => void;
  /** Called when model, system prompt or parameters are others, here or in another window. */
  readonly onConfigure: () => void;
}

export interface AskOptions {
  /** A short name for a question that Parley worded. */
  readonly label?: string | undefined;
}

/** A conversation in progress: it asks the service and takes in the answer. */
export interface Session {
  readonly conversation: Conversation;
  /** Whether an answer is being written here. */
  readonly busy: boolean;
  /** Asks, and resolves with the answer once it has ended, in whatever state. A running answer is stopped first. */
  ask(text: string, attachments: readonly Attachment[], options?: AskOptions): Promise<Answer | undefined>;
  /** Asks a question of the path again, in other words: a new version of it, with the same attachments. */
  edit(question: string, text: string): Promise<Answer | undefined>;
  /** Answers a question again, the last one by itself: a new version. One before it that came to nothing, and led to nothing, is deleted. */
  retry(question?: string): Promise<Answer | undefined>;
  /** Shows another version of a message. */
  choose(id: string): void;
  /** Deletes an answer, or a question with its answers. Gives the ids for `restore`. */
  delete(id: string): readonly string[];
  restore(ids: readonly string[]): void;
  rename(title: string): void;
  pin(isPinned: boolean): void;
  /** Gives the conversation a model, system prompt or parameters of its own, from the next request on. */
  configure(change: ConfigurationChange): void;
  /**
   * Closes the socket of a running answer; its text stays. Resolves when that is done. One that another window writes is ended,
   * too: that window stops when it hears of it.
   */
  stop(): Promise<void>;
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
    if (action.type === 'configure') options.onConfigure();
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
  async function stop(): Promise<void> {
    running?.controller.abort();
    await running?.done;
  }

  async function run(question: string): Promise<Answer | undefined> {
    const id = newId();
    if (!dispatch({ type: 'answer', id, parent: question, at: now() })) return undefined;
    const controller = new AbortController();
    const done = answer({ ...options, id, conversation: () => conversation, dispatch }, controller.signal);
    const mine = { id, controller, done };
    running = mine;
    await done;
    if (running === mine) running = undefined;
    return answerOf(id);
  }

  function answerOf(id: string | undefined): Answer | undefined {
    const message = id === undefined ? undefined : conversation.tree.get(id);
    return message?.role === 'assistant' ? message : undefined;
  }

  async function ask(question: Omit<Extract<Action, { type: 'ask' }>, 'type' | 'id' | 'at'>) {
    const id = newId();
    return dispatch({ type: 'ask', id, ...question, at: now() }) ? run(id) : undefined;
  }

  return {
    get conversation() {
      return conversation;
    },
    get busy() {
      return running !== undefined;
    },
    async stop() {
      // A question that waited for the running answer to stop has begun another one.
      while (running !== undefined) await stop();
      const elsewhere = streamingAnswer(conversation);
      if (elsewhere === undefined) return;
      const at = now();
      dispatch({ type: 'end', id: elsewhere.id, state: 'stopped', totalMs: at - elsewhere.at, at });
    },
    async ask(text, attachments, { label } = {}) {
      while (running !== undefined) await stop();
      return ask({ parent: endOfPath(conversation), text, attachments, ...(label === undefined ? {} : { label }) });
    },
    async edit(question, text) {
      while (running !== undefined) await stop();
      const before = conversation.tree.get(question);
      if (before?.role !== 'user') return undefined;
      return ask({ parent: before.parent, text, attachments: before.attachments });
    },
    async retry(question) {
      while (running !== undefined) await stop();
      const of = question ?? conversation.messages.findLast(({ role }) => role === 'user')?.id;
      if (of === undefined) return undefined;
      const before = conversation.messages.find(({ role, parent }) => role === 'assistant' && parent === of);
      const answering = run(of);
      // What was asked after it can be gone back to as long as it is a version.
      const isFollowed = [...conversation.tree.values()].some(({ parent }) => parent === before?.id);
      if (before?.text === '' && !isFollowed) dispatch({ type: 'delete', ids: [before.id], at: now() });
      return answering;
    },
    choose: (id) => void dispatch({ type: 'choose', id, at: now() }),
    delete(id) {
      const answers = [...conversation.tree.values()].filter(
        ({ parent, role }) => parent === id && role === 'assistant',
      );
      const ids = [id, ...answers.map((message) => message.id)].filter((each) => !conversation.deleted.has(each));
      // Nobody would see what comes of it.
      if (running !== undefined && ids.includes(running.id)) running.controller.abort();
      return dispatch({ type: 'delete', ids, at: now() }) ? ids : [];
    },
    restore: (ids) => void dispatch({ type: 'restore', ids, at: now() }),
    rename: (title) => void dispatch({ type: 'rename', title, at: now() }),
    configure: (change) => void dispatch({ type: 'configure', ...change, at: now() }),
    pin: (isPinned) => void dispatch({ type: 'pin', isPinned, at: now() }),
    follow(actions) {
      for (const action of actions) take(action);
      if (running !== undefined && answerOf(running.id)?.state !== 'streaming') running.controller.abort();
    },
  };
}
