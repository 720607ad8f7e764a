import { randomUUID } from 'node:crypto';
import { type Disposable, type Event, EventEmitter, l10n } from 'vscode';
import { nextTurn } from '../../../base/nextTurn.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import type { AskOptions } from '../../answering/asking.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import { type Action, type Answer, emptyConversation, streamingAnswers } from '../../conversation/conversation.ts';
import type { History } from '../../history/history.ts';
import type { Session } from '../../session.ts';
import { createAbandonedAnswers } from './abandonedAnswers.ts';
import { followFiles } from './followFiles.ts';
import type { LiveConversation, LiveParts } from './liveConversation.ts';
import { type ActionOf, createLoadedConversations, type LoadedConversations } from './loadedConversations.ts';
import { createQuestionQueues, type QuestionQueues } from './questionQueues.ts';
import { unsavedReason } from './unsaved.ts';
import { workspacePlace } from './workspacePlace.ts';

/**
 * The conversations that are open in this window, each once, however many surfaces show it: what is shown somewhere, and those
 * in which an answer is still being written.
 */
export interface OpenConversations
  extends Pick<LoadedConversations, 'find' | 'keep' | 'leave' | 'onDidPatch' | 'onDidTake' | 'onDidConfigure'>,
    Disposable {
  /** A new conversation. Its file is made with its first question. */
  begin(): LiveConversation;
  /**
   * Writes conversations that are there as a whole, each a list of actions. Gives how many were written: when the disk refuses one, the
   * user is told, and the rest is left.
   */
  add(conversations: readonly (readonly Action[])[]): Promise<number>;
  /** Asks in a conversation, and writes it when the answer begins and when it ends. */
  ask(
    conversation: LiveConversation,
    begin: (session: Session) => Promise<Answer | undefined>,
  ): Promise<Answer | undefined>;
  /**
   * Asks now, or, while an answer is being written, when that has ended. One that failed or was stopped waits for the next. Resolves with
   * the answer to this question; undefined where it was taken back, or asked by another window.
   */
  askNext(
    conversation: LiveConversation,
    text: string,
    attachments: readonly Attachment[],
    options?: AskOptions,
  ): Promise<Answer | undefined>;
  /** The questions that are not asked yet. */
  readonly queues: Pick<QuestionQueues, 'queueOf' | 'takeBack' | 'onDidChange'>;
  /** Does something to a conversation that asks nothing. */
  change(id: string, run: (session: Session) => void): Promise<void>;
  /** Takes a conversation out of the list; `history.bringBack` is the way back. */
  remove(id: string): Promise<void>;
  /** Whether an answer of this conversation is being written in this window. */
  isWriting(id: string): boolean;
  readonly onDidRemove: Event<LiveConversation>;
  /** Fires when the list of conversations changes, or a title or time in it. */
  readonly onDidChangeList: Event<void>;
}

export function createOpenConversations(services: Services & LiveParts, history: History): OpenConversations {
  const owned = new Disposables();
  const removed = owned.add(new EventEmitter<LiveConversation>());
  const listed = owned.add(new EventEmitter<void>());
  const queues = owned.add(createQuestionQueues(services.context.workspaceState, history));
  const isAwaited = (id: string): boolean => queues.queueOf(id).length > 0;
  const loaded = owned.add(createLoadedConversations(services, history, isAwaited));

  /** Asks the first question that waits, once nothing is written any more: neither here, shown or not, nor in another window. */
  async function askQueued(of: LiveConversation): Promise<void> {
    if (isAnswering(of)) return;
    const next = queues.takeNext(of.session.conversation.id);
    if (next === undefined) return;
    const { text, attachments, options, id } = next;
    const answering = ask(of, (session) => session.ask(text, attachments, { ...options, id }));
    await queues.settle(id, answering);
  }

  const ask: OpenConversations['ask'] = async (conversation, begin) => {
    const answering = begin(conversation.session);
    const begun = nextTurn().then(async () => {
      await conversation.flush();
      listed.fire();
    });
    const answer = await answering;
    await begun;
    await conversation.flush();
    if (answer?.state === 'complete') void askQueued(conversation);
    loaded.letGo(conversation);
    listed.fire();
    return answer;
  };

  /** Takes in what another window wrote. Gives whether the list may be another one now. */
  async function follow(id: string): Promise<boolean> {
    const open = loaded.get(id);
    if (open === undefined) return true;
    const isNew = await open.follow();
    // An answer of another window may have been what a question waited for.
    if (isNew && endsWithAnswer(open)) void askQueued(open);
    return isNew;
  }

  owned.add(loaded.onDidTake((taken) => dropAsked(taken, queues)));
  owned.add(createAbandonedAnswers(loaded.onDidTake, (conversation) => void askQueued(conversation)));
  owned.add(followFiles(history, follow, () => listed.fire()));
  services.closing.add(() => stopAndWrite(loaded.all()));

  return {
    ...loaded,
    begin: () => loaded.begin(emptyConversation(randomUUID(), Date.now(), workspacePlace())),
    async add(all) {
      const written = await writeWhole(all, services, history);
      listed.fire();
      return written;
    },
    ask,
    async askNext(conversation, text, attachments, options) {
      const { id } = conversation.session.conversation;
      if (queues.queueOf(id).length === 0 && !isAnswering(conversation)) {
        return ask(conversation, (session) => session.ask(text, attachments, options));
      }
      const answered = queues.addQuestion(id, { text, attachments, options });
      await askQueued(conversation);
      return answered;
    },
    queues,
    async change(id, run) {
      const changed = (await loaded.find(id))?.found;
      if (changed === undefined) return;
      run(changed.session);
      await changed.flush();
      loaded.letGo(changed);
      listed.fire();
    },
    async remove(id) {
      const open = loaded.get(id);
      await open?.session.stop();
      await open?.flush();
      loaded.forget(id);
      if (open !== undefined) removed.fire(open);
      await history.remove(id);
      listed.fire();
    },
    isWriting: (id) => loaded.get(id)?.session.busy ?? false,
    onDidRemove: removed.event,
    onDidChangeList: listed.event,
    dispose() {
      void stopAll(loaded.all());
      owned.dispose();
    },
  };
}

async function stopAll(all: readonly LiveConversation[]): Promise<void> {
  await Promise.all(all.map(({ session }) => session.stopOwn()));
}

async function stopAndWrite(all: readonly LiveConversation[]): Promise<void> {
  await stopAll(all);
  await Promise.all(all.map((each) => each.flush()));
}

/** Another window begins with the questions that wait in this one: what it asks waits no longer. */
function dropAsked({ conversation, action }: ActionOf, queues: QuestionQueues): void {
  if (action.type === 'ask') queues.drop(conversation.session.conversation.id, action.id);
}

/** Whether an answer of a conversation is being written, here or in another window. */
function isAnswering({ session }: LiveConversation): boolean {
  return session.busy || streamingAnswers(session.conversation).length > 0;
}

/** Whether the last message of a conversation is an answer that is whole. */
function endsWithAnswer({ session }: LiveConversation): boolean {
  const last = session.conversation.messages.at(-1);
  return last?.role === 'assistant' && last.state === 'complete';
}

/** Writes conversations as a whole. Gives how many were written before the disk refused one. */
async function writeWhole(
  conversations: readonly (readonly Action[])[],
  { log, notices }: Pick<Services, 'log' | 'notices'>,
  history: History,
): Promise<number> {
  let written = 0;
  try {
    for (const actions of conversations) {
      await history.add(actions);
      written++;
    }
  } catch (error) {
    log.error(describeForLog(error));
    void notices.warn(l10n.t('The conversation could not be written: {0}', unsavedReason(error)));
  }
  return written;
}
