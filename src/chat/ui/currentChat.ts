import { randomUUID } from 'node:crypto';
import { type Disposable, type Event, EventEmitter, workspace } from 'vscode';
import { nextTurn } from '../../base/nextTurn.ts';
import { setContext } from '../../editor/contextKeys.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import type { Patch } from '../../webview/shared/protocol.ts';
import type { Attachment } from '../context/attachment.ts';
import {
  type Answer,
  type Conversation,
  emptyConversation,
  type Message,
  streamingAnswer,
  type WorkspacePlace,
} from '../conversation.ts';
import type { History } from '../history/history.ts';
import type { AskOptions, Session } from '../session.ts';
import { createLiveConversation, type LiveConversation } from './liveConversation.ts';

/** The current conversation, what is asked in it, and those of this window in which an answer is still being written. */
export interface Chats extends Disposable {
  readonly conversation: Conversation;
  /** Resolves when this workspace's conversation is read from disk. All other actions wait for it. */
  restored(): Promise<void>;
  ask(text: string, attachments: readonly Attachment[], options?: AskOptions): Promise<Answer | undefined>;
  /** Asks now, or, while an answer is being written, when that has ended. One that failed or was stopped waits for the next. */
  askNext(text: string, attachments: readonly Attachment[]): Promise<void>;
  /** The questions of the current conversation that are not asked yet. */
  readonly queue: readonly Queued[];
  takeBack(id: string): Queued | undefined;
  edit(question: string, text: string): Promise<Answer | undefined>;
  retry(question?: string): Promise<Answer | undefined>;
  stop(): Promise<void>;
  /** Does something to a conversation that asks nothing, to the current one by itself. */
  change(id: string | undefined, run: (session: Session) => void): Promise<void>;
  startNew(): Promise<void>;
  /** Opens a conversation, and gives how many lines of its file could not be read; undefined when there is none of that id. */
  open(id: string): Promise<number | undefined>;
  /** Takes a conversation out of the list; `history.bringBack` is the way back. */
  remove(id: string): Promise<void>;
  /** Whether an answer of this conversation is being written in this window. */
  isWriting(id: string): boolean;
  readonly onDidPatch: Event<readonly Patch<Message>[]>;
  readonly onDidChangeQueue: Event<void>;
  /** Fires when another conversation has become the current one. */
  readonly onDidSwitch: Event<void>;
  /** Fires when the list of conversations changes, or a title or time in it. */
  readonly onDidChangeList: Event<void>;
}

/** A question that is asked when the answer before it has ended. */
export interface Queued {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

const currentKey = 'chat.current';

export function createChats(services: Services, history: History): Chats {
  const { workspaceState } = services.context;
  const owned = new Disposables();
  const patched = owned.add(new EventEmitter<readonly Patch<Message>[]>());
  const queueChanged = owned.add(new EventEmitter<void>());
  const switched = owned.add(new EventEmitter<void>());
  const listed = owned.add(new EventEmitter<void>());
  const showState = createContextKeys();
  /** The current conversation, and those in which an answer is still being written. */
  const live = new Map<string, LiveConversation>();
  const queues = new Map<LiveConversation, readonly Queued[]>();
  let current = begin();
  let restoring: Promise<void> | undefined;

  function create(conversation: Conversation, log = history.begin(conversation.id), isBegun = false): LiveConversation {
    const made = createLiveConversation(services, conversation, log, isBegun, (patches) => {
      if (made !== current) return;
      patched.fire(patches);
      showState(made.session);
    });
    live.set(conversation.id, made);
    return made;
  }

  function begin(): LiveConversation {
    return create(emptyConversation(randomUUID(), Date.now(), workspacePlace()));
  }

  async function find(id: string): Promise<{ found: LiveConversation; corrupted: number } | undefined> {
    const open = live.get(id);
    if (open !== undefined) return { found: open, corrupted: 0 };
    const kept = await history.open(id);
    if (kept === undefined) return undefined;
    // Another call may have opened it meanwhile.
    const found = live.get(id) ?? create(kept.conversation, kept.log, true);
    return { found, corrupted: kept.corrupted };
  }

  async function restore(): Promise<void> {
    const id = workspaceState.get<string>(currentKey);
    const kept = id === undefined ? undefined : await find(id);
    if (kept !== undefined) switchTo(kept.found);
  }

  function restored(): Promise<void> {
    restoring ??= restore();
    return restoring;
  }

  /** Forgets a conversation that is neither shown nor written to, and is on the disk: there it is read from again. */
  function letGo(conversation: LiveConversation): void {
    const { session, isUnsaved } = conversation;
    const { id } = session.conversation;
    const isWanted = conversation === current || session.busy || isUnsaved || queues.has(conversation);
    if (!isWanted && live.get(id) === conversation) live.delete(id);
  }

  function switchTo(next: LiveConversation): void {
    const before = current;
    current = next;
    void before.flush().then(() => letGo(before));
    showState(next.session);
  }

  async function goTo(next: LiveConversation): Promise<void> {
    switchTo(next);
    await remember();
    switched.fire();
  }

  const remember = () => workspaceState.update(currentKey, current.session.conversation.id);

  function setQueue(of: LiveConversation, queue: readonly Queued[]): void {
    if (queue.length > 0) queues.set(of, queue);
    else queues.delete(of);
    queueChanged.fire();
  }

  /** Asks the first question that waits, once nothing is written any more: neither here, shown or not, nor in another window. */
  async function askQueued(of: LiveConversation): Promise<void> {
    const [next, ...rest] = queues.get(of) ?? [];
    const { busy, conversation } = of.session;
    if (next === undefined || busy || streamingAnswer(conversation) !== undefined) return;
    setQueue(of, rest);
    await hold((session) => session.ask(next.text, next.attachments), of);
  }

  /** Writes the conversation when an answer begins and when it ends. */
  async function hold(
    begin: (session: Session) => Promise<Answer | undefined>,
    of?: LiveConversation,
  ): Promise<Answer | undefined> {
    await restored();
    const mine = of ?? current;
    const answering = begin(mine.session);
    const begun = nextTurn().then(async () => {
      if (mine === current) await remember();
      await mine.flush();
      listed.fire();
    });
    const answer = await answering;
    await begun;
    await mine.flush();
    if (answer?.state === 'complete') void askQueued(mine);
    letGo(mine);
    showState(current.session);
    listed.fire();
    return answer;
  }

  owned.add(
    watchFiles(
      history,
      async (id) => {
        const open = live.get(id);
        if (open === undefined) return true;
        const isNew = await open.follow();
        // An answer of another window may have been what a question waited for.
        const last = open.session.conversation.messages.at(-1);
        if (isNew && last?.role === 'assistant' && last.state === 'complete') void askQueued(open);
        return isNew;
      },
      () => listed.fire(),
    ),
  );
  services.closing.add(async () => {
    const all = [...live.values()];
    await Promise.all(all.map(({ session }) => session.stop()));
    await Promise.all(all.map((each) => each.flush()));
  });

  return {
    get conversation() {
      return current.session.conversation;
    },
    restored,
    ask: (text, attachments, options) => hold((session) => session.ask(text, attachments, options)),
    edit: (question, text) => hold((session) => session.edit(question, text)),
    async askNext(text, attachments) {
      await restored();
      const mine = current;
      const waiting = queues.get(mine) ?? [];
      setQueue(mine, [...waiting, { id: randomUUID(), text, attachments }]);
      await askQueued(mine);
    },
    get queue() {
      return queues.get(current) ?? [];
    },
    takeBack(id) {
      const waiting = queues.get(current) ?? [];
      setQueue(
        current,
        waiting.filter((each) => each.id !== id),
      );
      return waiting.find((each) => each.id === id);
    },
    retry: (question) => hold((session) => session.retry(question)),
    stop: () => current.session.stop(),
    async change(id, run) {
      await restored();
      const changed = id === undefined ? current : (await find(id))?.found;
      if (changed === undefined) return;
      run(changed.session);
      await changed.flush();
      letGo(changed);
      listed.fire();
    },
    async startNew() {
      await restored();
      await goTo(begin());
    },
    async open(id) {
      await restored();
      const kept = await find(id);
      if (kept !== undefined && kept.found !== current) await goTo(kept.found);
      return kept?.corrupted;
    },
    async remove(id) {
      await restored();
      const open = live.get(id);
      await open?.session.stop();
      await open?.flush();
      if (open === current) await goTo(begin());
      live.delete(id);
      await history.remove(id);
      listed.fire();
    },
    isWriting: (id) => live.get(id)?.session.busy ?? false,
    onDidPatch: patched.event,
    onDidChangeQueue: queueChanged.event,
    onDidSwitch: switched.event,
    onDidChangeList: listed.event,
    dispose() {
      for (const { session } of live.values()) void session.stop();
      owned.dispose();
    },
  };
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

/** Sets the context keys of the chat that have changed. */
function createContextKeys(): (session: Session) => void {
  let shown = { busy: false, hasMessages: false };
  return ({ conversation }) => {
    const busy = streamingAnswer(conversation) !== undefined;
    const next = { busy, hasMessages: conversation.messages.length > 0 };
    if (next.busy !== shown.busy) void setContext('parley.chat.busy', next.busy);
    if (next.hasMessages !== shown.hasMessages) void setContext('parley.chat.hasMessages', next.hasMessages);
    shown = next;
  };
}
