import { type Disposable, type Event, EventEmitter } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { LiveConversation } from './liveConversation.ts';
import type { OpenConversations } from './openConversations.ts';

/** What a surface remembers. */
export interface Memory {
  /** The id of the conversation that it showed last. */
  read(): string | undefined;
  write(id: string): Thenable<void>;
}

export interface SwitchOptions {
  /** The conversation to show; undefined: the one that is remembered, or a new one. */
  readonly first?: LiveConversation | undefined;
  readonly memory: Memory;
  /** Called when there is more in the conversation than before, or another one is shown. */
  readonly onChange: () => void;
  /** Called when the conversation is deleted; without it, a new one is shown. */
  readonly onRemove?: (() => void) | undefined;
}

/** Which conversation one surface shows. */
export interface ConversationSwitch extends Disposable {
  readonly current: LiveConversation;
  /** Resolves when the conversation that was shown last is read from disk. */
  restored(): Promise<void>;
  goTo(next: LiveConversation): Promise<void>;
  /** Shows a conversation, and gives how many lines of its file could not be read; undefined when there is none of that id. */
  open(id: string): Promise<number | undefined>;
  /** Remembers the conversation, which has its file now. */
  remember(): Thenable<void>;
  /** Fires when another conversation is shown. */
  readonly onDidSwitch: Event<void>;
}

export function createConversationSwitch(
  conversations: OpenConversations,
  { first, memory, onChange, onRemove }: SwitchOptions,
): ConversationSwitch {
  const owned = new Disposables();
  const switched = owned.add(new EventEmitter<void>());
  let current = first ?? conversations.begin();
  let restoring = first === undefined ? undefined : Promise.resolve();

  async function restore(): Promise<void> {
    const id = memory.read();
    const kept = id === undefined ? undefined : await conversations.find(id);
    if (kept !== undefined) switchTo(kept.found);
  }

  function restored(): Promise<void> {
    restoring ??= restore();
    return restoring;
  }

  const remember = () => memory.write(current.session.conversation.id);

  function switchTo(next: LiveConversation): void {
    const before = current;
    current = next;
    void conversations.leave(before);
    onChange();
  }

  async function goTo(next: LiveConversation): Promise<void> {
    switchTo(next);
    await remember();
    switched.fire();
  }

  owned.add(conversations.keep(() => current));
  owned.add(
    conversations.onDidRemove((gone) => {
      if (gone !== current) return;
      if (onRemove !== undefined) onRemove();
      else void goTo(conversations.begin());
    }),
  );

  return {
    get current() {
      return current;
    },
    restored,
    goTo,
    async open(id) {
      await restored();
      const kept = await conversations.find(id);
      if (kept !== undefined && kept.found !== current) await goTo(kept.found);
      return kept?.corrupted;
    },
    remember,
    onDidSwitch: switched.event,
    dispose() {
      owned.dispose();
      void conversations.leave(current);
    },
  };
}
