import { type Disposable, type Event, EventEmitter } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { Patch } from '../../../webview/shared/protocol.ts';
import type { OnPiece } from '../../answering/summarise.ts';
import type { TokenFork } from '../../confidence/tokenFork.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import type { Answer, Conversation, Message, Question } from '../../conversation/conversation.ts';
import { changesOf } from '../../parameters/configuration.ts';
import type { AgainOptions, AskOptions, Session } from '../../session.ts';
import { type ConversationSwitch, createConversationSwitch, type SwitchOptions } from './conversationSwitch.ts';
import { forkConversation } from './forkConversation.ts';
import type { LiveConversation } from './liveConversation.ts';
import type { OpenConversations } from './openConversations.ts';
import type { Queued } from './questionQueues.ts';

/** The conversation that one surface shows, and what is done in it. Each surface has its own, and goes on to others by itself. */
export interface ShownConversation extends Pick<ConversationSwitch, 'open' | 'onDidSwitch'>, Disposable {
  readonly conversation: Conversation;
  /** Resolves when the conversation that was shown last is read from disk. All other actions wait for it. */
  restored(): Promise<void>;
  ask(text: string, attachments: readonly Attachment[], options?: AskOptions): Promise<Answer | undefined>;
  /** Asks now, or, while an answer is being written, when that has ended. One that failed or was stopped waits for the next. */
  askNext(text: string, attachments: readonly Attachment[], options?: AskOptions): Promise<void>;
  /** The questions of the conversation that are not asked yet. */
  readonly queue: readonly Queued[];
  takeBack(id: string): Queued | undefined;
  edit(question: string, text: string, options?: AgainOptions): Promise<Answer | undefined>;
  retry(question?: string, options?: AgainOptions): Promise<Answer | undefined>;
  /** Goes on with an answer that was cut, the last one by itself. */
  continue(answer?: string): Promise<Answer | undefined>;
  /** Answers again with a given beginning. */
  forkToken(answer: string, fork: TokenFork): Promise<Answer | undefined>;
  stop(): Promise<void>;
  /** Does something to a conversation that asks nothing, to the one that is shown by itself. */
  change(id: string | undefined, run: (session: Session) => void): Promise<void>;
  /** Has older turns summarised, to be sent in their place. @throws ServiceError */
  summarise(signal: AbortSignal, onPiece: OnPiece): Promise<void>;
  startNew(): Promise<void>;
  /**
   * Begins a conversation with all up to an answer, or with what led to a question, and shows it; from the last message by itself.
   * Gives the question, to be asked in other words there.
   */
  fork(message?: string): Promise<Question | undefined>;
  readonly onDidPatch: Event<readonly Patch<Message>[]>;
  /** Fires when model, system prompt, parameters or summaries of the conversation are others. */
  readonly onDidConfigure: Event<void>;
  readonly onDidChangeQueue: Event<void>;
}

export function createShownConversation(conversations: OpenConversations, options: SwitchOptions): ShownConversation {
  const owned = new Disposables();
  const patched = owned.add(new EventEmitter<readonly Patch<Message>[]>());
  const configured = owned.add(new EventEmitter<void>());
  const queueChanged = owned.add(new EventEmitter<void>());
  const at = owned.add(createConversationSwitch(conversations, options));
  const { restored, remember, open } = at;
  const conversation = (): Conversation => at.current.session.conversation;

  async function ask(begin: (session: Session) => Promise<Answer | undefined>): Promise<Answer | undefined> {
    await restored();
    const answering = conversations.ask(at.current, begin);
    await remember();
    return answering;
  }

  owned.add(
    conversations.onDidPatch(({ conversation, patches }) => {
      if (conversation !== at.current) return;
      patched.fire(patches);
      options.onChange();
    }),
  );
  owned.add(conversations.onDidConfigure((of) => of === at.current && configured.fire()));
  owned.add(conversations.queues.onDidChange((id) => id === conversation().id && queueChanged.fire()));

  return {
    get conversation() {
      return conversation();
    },
    restored,
    ask: (text, attachments, options) => ask((session) => session.ask(text, attachments, options)),
    edit: (question, text, options) => ask((session) => session.edit(question, text, options)),
    retry: (question, options) => ask((session) => session.retry(question, options)),
    continue: (id) => ask((session) => session.continue(id ?? session.conversation.messages.at(-1)?.id ?? '')),
    forkToken: (id, fork) => ask((session) => session.forkToken(id, fork)),
    async askNext(text, attachments, options) {
      await restored();
      const asking = conversations.askNext(at.current, text, attachments, options);
      await remember();
      return asking;
    },
    get queue() {
      return conversations.queues.queueOf(conversation().id);
    },
    takeBack: (id) => conversations.queues.takeBack(conversation().id, id),
    stop: () => at.current.session.stop(),
    async change(id, run) {
      await restored();
      const mine = conversation().id;
      await conversations.change(id ?? mine, run);
      // A new conversation has its file now.
      if (id === undefined || id === mine) await remember();
    },
    async summarise(signal, onPiece) {
      await restored();
      const { session } = at.current;
      const summary = await session.summarise(signal, onPiece);
      if (summary === undefined) return;
      // Another conversation may be shown by now.
      await conversations.change(session.conversation.id, (kept) => kept.keepSummary(summary));
    },
    async startNew() {
      await restored();
      await at.goTo(conversations.begin());
    },
    async fork(id) {
      await restored();
      const { messages } = conversation();
      const message = id === undefined ? messages.at(-1) : messages.find((each) => each.id === id);
      if (message === undefined) return undefined;
      const fork = forkConversation(conversation(), message.id);
      if (fork.isEmpty) await at.goTo(configuredAs(conversations.begin(), conversation()));
      else if ((await conversations.add([fork.actions])) === 0) return undefined;
      else await open(fork.id);
      return message.role === 'user' ? message : undefined;
    },
    open,
    onDidPatch: patched.event,
    onDidConfigure: configured.event,
    onDidChangeQueue: queueChanged.event,
    onDidSwitch: at.onDidSwitch,
    dispose: () => owned.dispose(),
  };
}

/** A new conversation with the model, system prompt and parameters of another. */
function configuredAs(made: LiveConversation, { configured }: Conversation): LiveConversation {
  for (const { at: _, ...change } of changesOf(configured)) made.session.configure(change);
  return made;
}
