import { randomUUID } from 'node:crypto';
import { type Disposable, type Event, EventEmitter } from 'vscode';
import { setContext } from '../../editor/context.ts';
import { Disposables } from '../../editor/disposables.ts';
import { describeForLog } from '../../editor/log.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { systemClock } from '../../service/retry.ts';
import type { Patch } from '../../webview/protocol.ts';
import type { Attachment } from '../context.ts';
import { type Answer, type Conversation, emptyConversation, type Message } from '../conversation.ts';
import type { History } from '../history.ts';
import { defaultSystemPrompt } from '../prompts.ts';
import { createSession } from '../session.ts';

/** The conversation at hand, with what is attached to the next question; kept on disk as it goes. */
export interface Chats extends Disposable {
  readonly conversation: Conversation;
  readonly attachments: readonly Attachment[];
  /** The conversation this workspace was at, once it is read from disk. Everything else waits for it. */
  restored(): Promise<void>;
  ask(text: string, attachments: readonly Attachment[]): Promise<Answer | undefined>;
  retry(): Promise<Answer | undefined>;
  stop(): Promise<void>;
  startNew(): Promise<void>;
  /** False when there is no such conversation. */
  open(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
  attach(attachment: Attachment): void;
  detach(id: string): void;
  /** Gives what is attached, which is then attached no more. */
  takeAttachments(): Attachment[];
  readonly onDidPatch: Event<readonly Patch<Message>[]>;
  /** Another conversation is at hand. */
  readonly onDidSwitch: Event<void>;
  readonly onDidChangeAttachments: Event<void>;
  /** The list of conversations, or a title or time in it. */
  readonly onDidChangeList: Event<void>;
}

const currentKey = 'chat.current';
/** How often an answer that streams is written to disk. */
const saveEveryMs = 2000;

export function createChats(services: Services, history: History): Chats {
  const { context, connection, notices, log } = services;
  const owned = new Disposables();
  const patched = owned.add(new EventEmitter<readonly Patch<Message>[]>());
  const switched = owned.add(new EventEmitter<void>());
  const attached = owned.add(new EventEmitter<void>());
  const listed = owned.add(new EventEmitter<void>());
  let attachments: Attachment[] = [];
  /** The context keys as they were last set. */
  let shown = { busy: false, hasMessages: false };
  let restoring: Promise<void> | undefined;
  let saveTimer: NodeJS.Timeout | undefined;

  const session = createSession(fresh(), {
    client: services.client,
    endpoint: () => connection.endpoint('chat'),
    settings: () => ({
      stream: readSetting('parley.chat.stream'),
      systemPrompt: readSetting('parley.chat.systemPrompt').trim() || defaultSystemPrompt,
      extra: readSetting('parley.chat.extraBody'),
    }),
    clock: systemClock,
    newId: randomUUID,
    onPatches: (patches) => {
      patched.fire(patches);
      updateContext();
      saveTimer ??= setTimeout(() => void save(), saveEveryMs);
    },
    onFault: (error) => log.error(describeForLog(error)),
  });

  async function save(): Promise<void> {
    clearTimeout(saveTimer);
    saveTimer = undefined;
    if (session.conversation.messages.length === 0) return;
    try {
      await history.save(session.conversation);
    } catch (error) {
      void notices.error(error);
    }
    listed.fire();
  }

  async function restore(): Promise<void> {
    const id = context.workspaceState.get<string>(currentKey);
    const found = id === undefined ? undefined : await history.load(id);
    if (found !== undefined) await session.open(found);
    updateContext();
  }

  function restored(): Promise<void> {
    restoring ??= restore();
    return restoring;
  }

  async function switchTo(conversation: Conversation): Promise<void> {
    await session.stop();
    if (saveTimer !== undefined) await save();
    await session.open(conversation);
    await context.workspaceState.update(currentKey, conversation.id);
    updateContext();
    switched.fire();
  }

  /** Runs a question or a retry, and writes the conversation down when it begins and when it ends. */
  async function hold(run: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
    await restored();
    const answering = run();
    const begun = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      await context.workspaceState.update(currentKey, session.conversation.id);
      await save();
    });
    const answer = await answering;
    await begun;
    await save();
    return answer;
  }

  function updateContext(): void {
    const next = { busy: session.busy, hasMessages: session.conversation.messages.length > 0 };
    if (next.busy !== shown.busy) void setContext('parley.chat.busy', next.busy);
    if (next.hasMessages !== shown.hasMessages) void setContext('parley.chat.hasMessages', next.hasMessages);
    shown = next;
  }

  return {
    get conversation() {
      return session.conversation;
    },
    get attachments() {
      return attachments;
    },
    restored,
    ask: (text, with_) => hold(() => session.ask(text, with_)),
    retry: () => hold(() => session.retry()),
    stop: () => session.stop(),
    async startNew() {
      await restored();
      await switchTo(fresh());
    },
    async open(id) {
      await restored();
      if (id === session.conversation.id) return true;
      const found = await history.load(id);
      if (found !== undefined) await switchTo(found);
      return found !== undefined;
    },
    async remove(id) {
      await restored();
      if (id === session.conversation.id) await switchTo(fresh());
      await history.remove(id);
      listed.fire();
    },
    attach(attachment) {
      const same = (other: Attachment): boolean => other.path === attachment.path && other.label === attachment.label;
      attachments = [...attachments.filter((other) => !same(other)), attachment];
      attached.fire();
    },
    detach(id) {
      attachments = attachments.filter((attachment) => attachment.id !== id);
      attached.fire();
    },
    takeAttachments() {
      const taken = attachments;
      attachments = [];
      attached.fire();
      return taken;
    },
    onDidPatch: patched.event,
    onDidSwitch: switched.event,
    onDidChangeAttachments: attached.event,
    onDidChangeList: listed.event,
    dispose() {
      // The write goes on after this; whatever came is kept.
      if (saveTimer !== undefined) void save();
      void session.stop();
      owned.dispose();
    },
  };
}

function fresh(): Conversation {
  return emptyConversation(randomUUID(), Date.now());
}
