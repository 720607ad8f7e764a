import type { Patch } from '../webview/shared/protocol.ts';
import { type AnswerOptions, answer } from './answering.ts';
import type { Attachment } from './attachment.ts';
import { type Action, type Answer, type Conversation, type Message, reduce, streamingAnswer } from './conversation.ts';

export interface SessionOptions extends AnswerOptions {
  readonly newId: () => string;
  /** Called after each step with its changes. */
  readonly onPatches: (patches: readonly Patch<Message>[]) => void;
}

/** A conversation in progress: it asks the service and takes in the answer. */
export interface Session {
  readonly conversation: Conversation;
  readonly busy: boolean;
  /** Asks, and resolves with the answer once it has ended, in whatever state. A running answer is stopped first. */
  ask(text: string, attachments: readonly Attachment[]): Promise<Answer | undefined>;
  /** Asks the last question again; the new answer replaces the last one. */
  retry(): Promise<Answer | undefined>;
  /** Closes the socket of a running answer; its text stays. Resolves when that is done. */
  stop(): Promise<void>;
  /** Goes over to another conversation. A running answer is stopped first. */
  open(conversation: Conversation): Promise<void>;
}

export function createSession(initial: Conversation, options: SessionOptions): Session {
  const { clock, newId } = options;
  let conversation = initial;
  let running: { controller: AbortController; done: Promise<void> } | undefined;

  function dispatch(action: Action): boolean {
    const step = reduce(conversation, action);
    conversation = step.conversation;
    if (step.patches.length > 0) options.onPatches(step.patches);
    return step.patches.length > 0;
  }

  /** Stops the running answer. Callers check again afterwards: another one may have begun in the meantime. */
  async function stop(): Promise<void> {
    running?.controller.abort();
    await running?.done;
  }

  async function run(): Promise<Answer | undefined> {
    const controller = new AbortController();
    const { id } = conversation;
    const done = answer({ ...options, conversation: () => conversation, dispatch }, controller.signal);
    const mine = { controller, done };
    running = mine;
    await done;
    if (running === mine) running = undefined;
    const last = conversation.messages.at(-1);
    return conversation.id === id && last?.role === 'assistant' ? last : undefined;
  }

  return {
    get conversation() {
      return conversation;
    },
    get busy() {
      return streamingAnswer(conversation) !== undefined;
    },
    stop,
    async ask(text, attachments) {
      while (running !== undefined) await stop();
      dispatch({ type: 'ask', id: newId(), answerId: newId(), text, attachments, at: clock.now() });
      return run();
    },
    async retry() {
      while (running !== undefined) await stop();
      return dispatch({ type: 'retry', answerId: newId(), at: clock.now() }) ? run() : undefined;
    },
    async open(next) {
      while (running !== undefined) await stop();
      conversation = next;
    },
  };
}
