import { type Disposable, type Event, EventEmitter } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { Patch } from '../../../webview/shared/protocol/protocol.ts';
import type { Action, Conversation, Message } from '../../conversation/conversation.ts';
import type { History } from '../../history/history.ts';
import { createLiveConversation, type LiveConversation, type LiveParts } from './liveConversation.ts';

/** The conversations that are in memory, each once, however many surfaces show it. */
export interface LoadedConversations extends Disposable {
  get(id: string): LiveConversation | undefined;
  all(): readonly LiveConversation[];
  /** Takes in a conversation whose file is made with its first question. */
  begin(conversation: Conversation): LiveConversation;
  /** Gives a conversation, from its file where need be; undefined when there is none of that id, or nothing of it can be read. */
  find(id: string): Promise<FoundConversationFile | undefined>;
  /** Forgets a conversation that is neither shown nor written to, and is on the disk: there it is read from again. */
  letGo(conversation: LiveConversation): void;
  /** Writes a conversation that a surface shows no longer, and lets it go. */
  leave(conversation: LiveConversation): Promise<void>;
  /** Forgets a conversation that is deleted. */
  forget(id: string): void;
  /** Keeps in memory what a surface shows, which `shown` gives, as long as that surface is there. */
  keep(shown: () => LiveConversation): Disposable;
  readonly onDidPatch: Event<PatchesOf>;
  /** Fires with each action, also on what is not shown. */
  readonly onDidTake: Event<ActionOf>;
  /** Fires when model, system prompt or parameters of a conversation are others. */
  readonly onDidConfigure: Event<LiveConversation>;
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

export interface ActionOf {
  readonly conversation: LiveConversation;
  readonly action: Action;
}

/** @param isAwaited whether something is left to do in the conversation of an id */
export function createLoadedConversations(
  parts: LiveParts,
  history: History,
  isAwaited: (id: string) => boolean,
): LoadedConversations {
  const owned = new Disposables();
  const patched = owned.add(new EventEmitter<PatchesOf>());
  const taken = owned.add(new EventEmitter<ActionOf>());
  const configured = owned.add(new EventEmitter<LiveConversation>());
  const live = new Map<string, LiveConversation>();
  const surfaces = new Set<() => LiveConversation>();

  function create(conversation: Conversation, log = history.begin(conversation.id), isBegun = false): LiveConversation {
    const made = createLiveConversation(parts, conversation, log, isBegun, {
      onPatches: (patches) => patched.fire({ conversation: made, patches }),
      onTake: (action) => taken.fire({ conversation: made, action }),
      onConfigure: () => configured.fire(made),
    });
    live.set(conversation.id, made);
    return made;
  }

  function letGo(conversation: LiveConversation): void {
    const { session, isUnsaved } = conversation;
    const { id } = session.conversation;
    const isShown = [...surfaces].some((shown) => shown() === conversation);
    const isWanted = isShown || session.busy || isUnsaved || isAwaited(id);
    if (!isWanted && live.get(id) === conversation) live.delete(id);
  }

  return {
    get: (id) => live.get(id),
    all: () => [...live.values()],
    begin: (conversation) => create(conversation),
    async find(id) {
      const open = live.get(id);
      if (open !== undefined) return { found: open, corrupted: 0 };
      const kept = await history.open(id);
      if (kept === undefined) return undefined;
      // Another call may have opened it meanwhile.
      const found = live.get(id) ?? create(kept.conversation, kept.log, true);
      return { found, corrupted: kept.corrupted };
    },
    letGo,
    async leave(conversation) {
      await conversation.flush();
      letGo(conversation);
    },
    forget: (id) => void live.delete(id),
    keep(shown) {
      surfaces.add(shown);
      return { dispose: () => void surfaces.delete(shown) };
    },
    onDidPatch: patched.event,
    onDidTake: taken.event,
    onDidConfigure: configured.event,
    dispose: () => owned.dispose(),
  };
}
