import { type Disposable, type Event, EventEmitter } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { Patch } from '../../../webview/shared/protocol/protocol.ts';
import type { Action, Message } from '../../conversation/conversation.ts';
import type { LiveConversation } from './liveConversation.ts';
import type { OpenConversations } from './openConversations.ts';

/** What happens to the conversation that one surface shows. */
export interface ConversationEvents extends Disposable {
  readonly onDidPatch: Event<readonly Patch<Message>[]>;
  /** Fires with each action on the conversation, also on versions that are not shown. */
  readonly onDidTake: Event<Action>;
  /** Fires when model, system prompt, parameters or summaries of the conversation are others. */
  readonly onDidConfigure: Event<void>;
  readonly onDidChangeQueue: Event<void>;
}

/** @param onChange called after each change of what is shown, and whenever an answer ends */
export function createConversationEvents(
  conversations: OpenConversations,
  current: () => LiveConversation,
  onChange: () => void,
): ConversationEvents {
  const owned = new Disposables();
  const patched = owned.add(new EventEmitter<readonly Patch<Message>[]>());
  const taken = owned.add(new EventEmitter<Action>());
  const configured = owned.add(new EventEmitter<void>());
  const queueChanged = owned.add(new EventEmitter<void>());
  owned.add(
    conversations.onDidPatch(({ conversation, patches }) => {
      if (conversation !== current()) return;
      patched.fire(patches);
      onChange();
    }),
  );
  owned.add(
    conversations.onDidTake(({ conversation, action }) => {
      if (conversation !== current()) return;
      taken.fire(action);
      // The end of a version that is not shown is on no path.
      if (action.type === 'end') onChange();
    }),
  );
  owned.add(conversations.onDidConfigure((of) => of === current() && configured.fire()));
  owned.add(conversations.queues.onDidChange((id) => id === current().session.conversation.id && queueChanged.fire()));
  return {
    onDidPatch: patched.event,
    onDidTake: taken.event,
    onDidConfigure: configured.event,
    onDidChangeQueue: queueChanged.event,
    dispose: () => owned.dispose(),
  };
}
