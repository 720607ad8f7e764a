import { randomUUID } from 'node:crypto';
import { type Disposable, type Event, EventEmitter } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { setContext } from '../../editor/contextKeys.ts';
import { describeForLog } from '../../editor/log.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import type { Patch } from '../../webview/shared/protocol.ts';
import type { Conversation, Message } from '../conversation.ts';
import { createAutosave } from '../history/autosave.ts';
import type { History } from '../history/history.ts';
import { defaultSystemPrompt } from '../prompts.ts';
import { createSession, type Session } from '../session.ts';

/** A session whose conversation is kept on the disk as it goes. */
export interface KeptSession extends Disposable {
  readonly session: Session;
  readonly onDidPatch: Event<readonly Patch<Message>[]>;
  /** Saves the conversation now. */
  save(): Promise<void>;
  /** Goes over to another conversation, once the pending changes of this one are written. */
  open(conversation: Conversation): Promise<void>;
}

/** @param onSaved the title or the time of the conversation may be another one now */
export function createKeptSession(
  { client, connection, notices, log, closing }: Services,
  history: History,
  initial: Conversation,
  onSaved: () => void,
): KeptSession {
  const patched = new EventEmitter<readonly Patch<Message>[]>();
  const showState = createContextKeys();
  const session = createSession(initial, {
    client,
    endpoint: () => connection.endpoint('chat'),
    settings: readSettings,
    clock: systemClock,
    newId: randomUUID,
    onPatches: (patches) => {
      patched.fire(patches);
      showState(session);
      autosave.changed();
    },
    onFault: (error) => log.error(describeForLog(error)),
  });
  const autosave = createAutosave(async () => {
    if (session.conversation.messages.length === 0) return;
    await history.save(session.conversation).catch((error: unknown) => void notices.error(error));
    onSaved();
  });
  const { save } = autosave;

  closing.add(async () => {
    await session.stop();
    await save();
    await history.settled();
  });

  return {
    session,
    onDidPatch: patched.event,
    save,
    async open(conversation) {
      await session.stop();
      if (autosave.isDue) await save();
      await session.open(conversation);
      showState(session);
    },
    dispose() {
      // The write goes on after disposal; all text that came is kept.
      if (autosave.isDue) void save();
      void session.stop();
      patched.dispose();
    },
  };
}

function readSettings() {
  return {
    stream: readSetting('parley.chat.stream'),
    systemPrompt: readSetting('parley.chat.systemPrompt').trim() || defaultSystemPrompt,
    extra: readSetting('parley.chat.extraBody'),
  };
}

/** Sets the context keys of the chat that have changed. */
function createContextKeys(): (session: Session) => void {
  let shown = { busy: false, hasMessages: false };
  return ({ busy, conversation }) => {
    const next = { busy, hasMessages: conversation.messages.length > 0 };
    if (next.busy !== shown.busy) void setContext('parley.chat.busy', next.busy);
    if (next.hasMessages !== shown.hasMessages) void setContext('parley.chat.hasMessages', next.hasMessages);
    shown = next;
  };
}
