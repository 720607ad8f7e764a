import { randomUUID } from 'node:crypto';
import { type Disposable, type Event, EventEmitter, l10n, type Memento, workspace } from 'vscode';
import * as z from 'zod/mini';
import { nextTurn } from '../../../base/nextTurn.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import type { Patch } from '../../../webview/shared/protocol.ts';
import type { Attachment } from '../../attachment.ts';
import {
  type Action,
  type Answer,
  type Conversation,
  emptyConversation,
  type Message,
  streamingAnswer,
  type WorkspacePlace,
} from '../../conversation.ts';
import { attachmentSchema } from '../../history/actionSchema.ts';
import type { History } from '../../history/history.ts';
import type { AskOptions, Session } from '../../session.ts';
import { createLiveConversation, type LiveConversation, type LiveParts } from './liveConversation.ts';
import { unsavedReason } from './unsaved.ts';

/**
 * The conversations that are open in this window, each once, however many surfaces show it: what is shown somewhere, and those
 * in which an answer is still being written.
 */
export interface OpenConversations extends Disposable {
  /** A new conversation. Its file is made with its first question. */
  begin(): LiveConversation;
  /**
   * Writes conversations that are there as a whole, each a list of actions. Gives how many were written: when the disk refuses one, the
   * user is told, and the rest is left.
   */
  add(conversations: readonly (readonly Action[])[]): Promise<number>;
  /** Opens a conversation; undefined when there is none of that id, or nothing of it can be read. */
  find(id: string): Promise<FoundConversationFile | undefined>;
  /** Asks in a conversation, and writes it when the answer begins and when it ends. */
  ask(
    conversation: LiveConversation,
    begin: (session: Session) => Promise<Answer | undefined>,
  ): Promise<Answer | undefined>;
  /** Asks now, or, while an answer is being written, when that has ended. One that failed or was stopped waits for the next. */
  askNext(
    conversation: LiveConversation,
    text: string,
    attachments: readonly Attachment[],
    options?: AskOptions,
  ): Promise<void>;
  /** The questions that are not asked yet. */
  queueOf(conversation: LiveConversation): readonly Queued[];
  takeBack(conversation: LiveConversation, id: string): Queued | undefined;
  /** Does something to a conversation that asks nothing. */
  change(id: string, run: (session: Session) => void): Promise<void>;
  /** Takes a conversation out of the list; `history.bringBack` is the way back. */
  remove(id: string): Promise<void>;
  /** Whether an answer of this conversation is being written in this window. */
  isWriting(id: string): boolean;
  /** Keeps open what a surface shows, which `shown` gives, as long as that surface is there. */
  keep(shown: () => LiveConversation): Disposable;
  /** Closes a conversation that a surface shows no longer, unless there is something left to do in it. */
  leave(conversation: LiveConversation): Promise<void>;
  readonly onDidPatch: Event<PatchesOf>;
  /** Fires when model, system prompt or parameters of a conversation are others. */
  readonly onDidConfigure: Event<LiveConversation>;
  readonly onDidChangeQueue: Event<LiveConversation>;
  readonly onDidRemove: Event<LiveConversation>;
  /** Fires when the list of conversations changes, or a title or time in it. */
  readonly onDidChangeList: Event<void>;
}

export interface FoundConversationFile {
  readonly found: LiveConversation;
  /** Lines of its file that could not be read. */
  readonly corrupted: number;
}

export interface PatchesOf {
  readonly conversation: LiveConversation;
  readonly patches: readonly Patch<Message>[];
}

/** A question that is asked when the answer before it has ended. */
export interface Queued {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly options?: AskOptions | undefined;
}

export function createOpenConversations(services: Services & LiveParts, history: History): OpenConversations {
  const owned = new Disposables();
  const patched = owned.add(new EventEmitter<PatchesOf>());
  const configured = owned.add(new EventEmitter<LiveConversation>());
  const queueChanged = owned.add(new EventEmitter<LiveConversation>());
  const removed = owned.add(new EventEmitter<LiveConversation>());
  const listed = owned.add(new EventEmitter<void>());
  const live = new Map<string, LiveConversation>();
  /** By ids: the queue of a conversation that is deleted comes back with it. */
  const queues = new Map(keptQueues(services.context.workspaceState).filter(([id]) => history.has(id)));
  const surfaces = new Set<() => LiveConversation>();

  function create(conversation: Conversation, log = history.begin(conversation.id), isBegun = false): LiveConversation {
    const made = createLiveConversation(services, conversation, log, isBegun, {
      onPatches: (patches) => patched.fire({ conversation: made, patches }),
      onConfigure: () => configured.fire(made),
    });
    live.set(conversation.id, made);
    return made;
  }

  async function find(id: string): Promise<FoundConversationFile | undefined> {
    const open = live.get(id);
    if (open !== undefined) return { found: open, corrupted: 0 };
    const kept = await history.open(id);
    if (kept === undefined) return undefined;
    // Another call may have opened it meanwhile.
    const found = live.get(id) ?? create(kept.conversation, kept.log, true);
    return { found, corrupted: kept.corrupted };
  }

  const isShown = (conversation: LiveConversation): boolean => [...surfaces].some((shown) => shown() === conversation);

  /** Forgets a conversation that is neither shown nor written to, and is on the disk: there it is read from again. */
  function letGo(conversation: LiveConversation): void {
    const { session, isUnsaved } = conversation;
    const { id } = session.conversation;
    const isWanted = isShown(conversation) || session.busy || isUnsaved || queues.has(id);
    if (!isWanted && live.get(id) === conversation) live.delete(id);
  }

  const queueOf = ({ session }: LiveConversation): readonly Queued[] => queues.get(session.conversation.id) ?? [];

  function setQueue(of: LiveConversation, queue: readonly Queued[]): void {
    const { id } = of.session.conversation;
    if (queue.length > 0) queues.set(id, queue);
    else queues.delete(id);
    void services.context.workspaceState.update(queuesKey, [...queues]);
    queueChanged.fire(of);
  }

  /** Asks the first question that waits, once nothing is written any more: neither here, shown or not, nor in another window. */
  async function askQueued(of: LiveConversation): Promise<void> {
    const [next, ...rest] = queueOf(of);
    const { busy, conversation } = of.session;
    if (next === undefined || busy || streamingAnswer(conversation) !== undefined) return;
    setQueue(of, rest);
    await ask(of, (session) => session.ask(next.text, next.attachments, next.options));
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
    letGo(conversation);
    listed.fire();
    return answer;
  };

  /** Takes in what another window wrote. Gives whether the list may be another one now. */
  async function follow(id: string): Promise<boolean> {
    const open = live.get(id);
    if (open === undefined) return true;
    const isNew = await open.follow();
    // An answer of another window may have been what a question waited for.
    const last = open.session.conversation.messages.at(-1);
    if (isNew && last?.role === 'assistant' && last.state === 'complete') void askQueued(open);
    return isNew;
  }

  owned.add(watchFiles(history, follow, () => listed.fire()));
  services.closing.add(async () => {
    const all = [...live.values()];
    await Promise.all(all.map(({ session }) => session.stopOwn()));
    await Promise.all(all.map((each) => each.flush()));
  });

  return {
    begin: () => create(emptyConversation(randomUUID(), Date.now(), workspacePlace())),
    async add(all) {
      let written = 0;
      try {
        for (const actions of all) {
          await history.add(actions);
          written++;
        }
      } catch (error) {
        services.log.error(describeForLog(error));
        void services.notices.warn(l10n.t('The conversation could not be written: {0}', unsavedReason(error)));
      }
      listed.fire();
      return written;
    },
    find,
    ask,
    async askNext(conversation, text, attachments, options) {
      setQueue(conversation, [...queueOf(conversation), { id: randomUUID(), text, attachments, options }]);
      await askQueued(conversation);
    },
    queueOf,
    takeBack(conversation, id) {
      const waiting = queueOf(conversation);
      setQueue(
        conversation,
        waiting.filter((each) => each.id !== id),
      );
      return waiting.find((each) => each.id === id);
    },
    async change(id, run) {
      const changed = (await find(id))?.found;
      if (changed === undefined) return;
      run(changed.session);
      await changed.flush();
      letGo(changed);
      listed.fire();
    },
    async remove(id) {
      const open = live.get(id);
      await open?.session.stop();
      await open?.flush();
      live.delete(id);
      if (open !== undefined) removed.fire(open);
      await history.remove(id);
      listed.fire();
    },
    isWriting: (id) => live.get(id)?.session.busy ?? false,
    keep(shown) {
      surfaces.add(shown);
      return { dispose: () => void surfaces.delete(shown) };
    },
    async leave(conversation) {
      await conversation.flush();
      letGo(conversation);
    },
    onDidPatch: patched.event,
    onDidConfigure: configured.event,
    onDidChangeQueue: queueChanged.event,
    onDidRemove: removed.event,
    onDidChangeList: listed.event,
    dispose() {
      for (const { session } of live.values()) void session.stopOwn();
      owned.dispose();
    },
  };
}

const queuesKey = 'chat.queues';
const queuesSchema = z.array(
  z.tuple([
    z.string(),
    z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        attachments: z.array(attachmentSchema),
        options: z.optional(z.object({ label: z.optional(z.string()), isWhole: z.optional(z.boolean()) })),
      }),
    ),
  ]),
);

/** The queues that this window had when it was closed or reloaded. They go on with the next answer of their conversation. */
function keptQueues(state: Memento): [string, readonly Queued[]][] {
  const kept = queuesSchema.safeParse(state.get(queuesKey));
  return kept.success ? (kept.data as [string, Queued[]][]) : [];
}

/** Milliseconds between two lists while files change. */
const listEveryMs = 1000;

/** @param follow takes in what changed in a file; gives whether the list may be another one now */
function watchFiles(history: History, follow: (id: string) => Promise<boolean>, onList: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const list = (): void => {
    timer = undefined;
    onList();
  };
  const watching = history.watch(async (id) => {
    if (await follow(id)) timer ??= setTimeout(list, listEveryMs);
  });
  // Without a watch, windows hear of each other when a conversation is opened.
  const stop = watching.catch(() => () => {});
  return {
    dispose() {
      clearTimeout(timer);
      void stop.then((end) => end());
    },
  };
}

/** The open folder or workspace. */
export function workspacePlace(): WorkspacePlace | undefined {
  const [folder] = workspace.workspaceFolders ?? [];
  const uri = workspace.workspaceFile ?? folder?.uri;
  return uri === undefined ? undefined : { uri: uri.toString(), name: workspace.name ?? folder?.name ?? '' };
}
