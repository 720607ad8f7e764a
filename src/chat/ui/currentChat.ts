import { randomUUID } from 'node:crypto';
import { type Disposable, type Event, EventEmitter } from 'vscode';
import { nextTurn } from '../../base/nextTurn.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import type { Patch } from '../../webview/shared/protocol.ts';
import type { Attachment } from '../attachment.ts';
import { type Answer, type Conversation, emptyConversation, type Message } from '../conversation.ts';
import type { History } from '../history/history.ts';
import { createKeptSession, type KeptSession } from './keptSession.ts';

/** The current conversation, and what is asked in it. */
export interface Chats extends Disposable {
  readonly conversation: Conversation;
  /** Resolves when this workspace's conversation is read from disk. All other actions wait for it. */
  restored(): Promise<void>;
  ask(text: string, attachments: readonly Attachment[]): Promise<Answer | undefined>;
  retry(): Promise<Answer | undefined>;
  stop(): Promise<void>;
  startNew(): Promise<void>;
  /** Opens a conversation; false when there is none of that id. */
  open(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
  readonly onDidPatch: Event<readonly Patch<Message>[]>;
  /** Fires when another conversation has become the current one. */
  readonly onDidSwitch: Event<void>;
  /** Fires when the list of conversations changes, or a title or time in it. */
  readonly onDidChangeList: Event<void>;
}

const currentKey = 'chat.current';

export function createChats(services: Services, history: History): Chats {
  const { workspaceState } = services.context;
  const owned = new Disposables();
  const switched = owned.add(new EventEmitter<void>());
  const listed = owned.add(new EventEmitter<void>());
  const kept = owned.add(createKeptSession(services, history, fresh(), () => listed.fire()));
  const { session } = kept;
  const remember = () => workspaceState.update(currentKey, session.conversation.id);
  let restoring: Promise<void> | undefined;

  async function restore(): Promise<void> {
    const id = workspaceState.get<string>(currentKey);
    const found = id === undefined ? undefined : await history.load(id);
    if (found !== undefined) await kept.open(found);
  }

  function restored(): Promise<void> {
    restoring ??= restore();
    return restoring;
  }

  async function switchTo(conversation: Conversation): Promise<void> {
    await kept.open(conversation);
    await remember();
    switched.fire();
  }

  return {
    get conversation() {
      return session.conversation;
    },
    restored,
    async ask(text, attachments) {
      await restored();
      return hold(kept, remember, session.ask(text, attachments));
    },
    async retry() {
      await restored();
      return hold(kept, remember, session.retry());
    },
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
    onDidPatch: kept.onDidPatch,
    onDidSwitch: switched.event,
    onDidChangeList: listed.event,
    dispose: () => owned.dispose(),
  };
}

/** Saves the conversation when an answer begins and when it ends. */
async function hold(
  kept: KeptSession,
  remember: () => Thenable<void>,
  answering: Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const begun = nextTurn().then(async () => {
    await remember();
    await kept.save();
  });
  const answer = await answering;
  await begun;
  await kept.save();
  return answer;
}

function fresh(): Conversation {
  return emptyConversation(randomUUID(), Date.now());
}
