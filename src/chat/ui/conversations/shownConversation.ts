import { Disposables } from '../../../editor/disposables.ts';
import type { FieldMemory } from '../../../service/compat/fieldMemory.ts';
import type { ServiceRequest } from '../../../service/transport/transport.ts';
import type { AgainOptions, AskOptions, EditOptions, NewQuestion } from '../../answering/asking.ts';
import type { OnPiece } from '../../answering/summarise.ts';
import type { TokenFork } from '../../confidence/tokenFork.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import type { Answer, Conversation, Question } from '../../conversation/conversation.ts';
import { changesOf } from '../../parameters/configuration.ts';
import type { RequestOverride } from '../../parameters/requestOverride.ts';
import type { Session } from '../../session.ts';
import { type ConversationEvents, createConversationEvents } from './conversationEvents.ts';
import { type ConversationSwitch, createConversationSwitch, type SwitchOptions } from './conversationSwitch.ts';
import { forkConversation } from './forkConversation.ts';
import type { LiveConversation } from './liveConversation.ts';
import type { OpenConversations } from './openConversations.ts';
import type { Queued } from './questionQueues.ts';

/** The conversation that one surface shows, and what is done in it. Each surface has its own, and goes on to others by itself. */
export interface ShownConversation extends Pick<ConversationSwitch, 'open' | 'onDidSwitch'>, ConversationEvents {
  readonly conversation: Conversation;
  /** Resolves when the conversation that was shown last is read from disk. All other actions wait for it. */
  restored(): Promise<void>;
  ask(text: string, attachments: readonly Attachment[], options?: AskOptions): Promise<Answer | undefined>;
  /** As `OpenConversations.askNext`, in the conversation that is shown now. */
  askNext(text: string, attachments: readonly Attachment[], options?: AskOptions): Promise<Answer | undefined>;
  /** Asks in a new conversation, and shows it. Others may be begun and shown meanwhile. */
  askNew(text: string): Promise<Answer | undefined>;
  /** The questions of the conversation that are not asked yet. */
  readonly queue: readonly Queued[];
  takeBack(id: string): Queued | undefined;
  edit(question: string, text: string, options?: EditOptions): Promise<Answer | undefined>;
  retry(question?: string, options?: AgainOptions): Promise<Answer | undefined>;
  /** The request that a question would send, the last one again where none is given. Nothing is sent. @throws ServiceError */
  draft(question: NewQuestion | undefined, memory: FieldMemory): Promise<ServiceRequest | undefined>;
  /** Has a question answered by several at a time; the last one, where none is given. */
  compare(contestants: readonly RequestOverride[], asking?: NewQuestion): Promise<Answer | undefined>;
  /** Asks for the answers that a service did not give with this one. */
  askMissing(answer: string): Promise<Answer | undefined>;
  /** Whether an answer is being written in this window. */
  readonly isBusy: boolean;
  /** Goes on with an answer that was cut, the last one by itself. */
  continue(answer?: string): Promise<Answer | undefined>;
  /** Asks for an answer once more, in the way of then. */
  replay(answer: string): Promise<Answer | undefined>;
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
}

export function createShownConversation(conversations: OpenConversations, options: SwitchOptions): ShownConversation {
  const owned = new Disposables();
  const at = owned.add(createConversationSwitch(conversations, options));
  const events = owned.add(createConversationEvents(conversations, () => at.current, options.onChange));
  const { restored, remember, open } = at;
  const conversation = (): Conversation => at.current.session.conversation;

  async function ask(begin: Begin): Promise<Answer | undefined> {
    await restored();
    const answering = conversations.ask(at.current, begin);
    await remember();
    return answering;
  }

  return {
    get conversation() {
      return conversation();
    },
    restored,
    ...askingBy(ask),
    get isBusy() {
      return at.current.session.busy;
    },
    async askNext(text, attachments, options) {
      await restored();
      const asking = conversations.askNext(at.current, text, attachments, options);
      await remember();
      return asking;
    },
    async askNew(text) {
      await restored();
      const made = conversations.begin();
      // It is asked first: one that is shown no longer is kept only while it is written.
      const answering = conversations.ask(made, (session) => session.ask(text, []));
      await at.goTo(made);
      return answering;
    },
    get queue() {
      return conversations.queues.queueOf(conversation().id);
    },
    takeBack: (id) => conversations.queues.takeBack(conversation().id, id),
    draft: (question, memory) => at.current.session.draft(question, memory),
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
    onDidPatch: events.onDidPatch,
    onDidTake: events.onDidTake,
    onDidConfigure: events.onDidConfigure,
    onDidChangeQueue: events.onDidChangeQueue,
    onDidSwitch: at.onDidSwitch,
    dispose: () => owned.dispose(),
  };
}

type Begin = (session: Session) => Promise<Answer | undefined>;
type AskingParts = Pick<
  ShownConversation,
  'ask' | 'edit' | 'retry' | 'compare' | 'askMissing' | 'continue' | 'replay' | 'forkToken'
>;

/** All that asks at once. */
function askingBy(ask: (begin: Begin) => Promise<Answer | undefined>): AskingParts {
  return {
    ask: (text, attachments, options) => ask((session) => session.ask(text, attachments, options)),
    edit: (question, text, options) => ask((session) => session.edit(question, text, options)),
    retry: (question, options) => ask((session) => session.retry(question, options)),
    compare: (contestants, asking) => ask((session) => session.compare(contestants, asking)),
    replay: (id) => ask((session) => session.replay(id)),
    forkToken: (id, fork) => ask((session) => session.forkToken(id, fork)),
    askMissing: (id) => ask((session) => session.askMissing(id)),
    continue: (id) => ask((session) => session.continue(id ?? session.conversation.messages.at(-1)?.id ?? '')),
  };
}

/** A new conversation with the model, system prompt and parameters of another. */
function configuredAs(made: LiveConversation, { configured }: Conversation): LiveConversation {
  for (const { at: _, ...change } of changesOf(configured)) made.session.configure(change);
  return made;
}
