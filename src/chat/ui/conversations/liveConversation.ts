import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../base/clock.ts';
import type { InstructionFiles } from '../../../editor/files/instructionFiles.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import type { Patch } from '../../../webview/shared/protocol/protocol.ts';
import type { TokenStore } from '../../confidence/tokenStore.ts';
import type { KnownModels } from '../../context/modelFacts.ts';
import type { Action, Conversation, Message } from '../../conversation/conversation.ts';
import { conversationActions } from '../../conversation/conversationActions.ts';
import type { ConversationLog } from '../../history/conversationLog.ts';
import { createSession, type Session } from '../../session.ts';
import { readChatSettings } from '../chatSettings.ts';

/** A conversation that is open in this window, whose actions are appended to its file. */
export interface LiveConversation {
  readonly session: Session;
  /** Writes what is noted. Does not reject: a failure is told by the history. */
  flush(): Promise<void>;
  /** Whether some of it is in memory alone, because the last write failed. */
  readonly isUnsaved: boolean;
  /** Takes in what other windows have written. Gives whether that was anything. */
  follow(): Promise<boolean>;
}

/** What every conversation is given. */
export interface LiveParts extends Pick<Services, 'client' | 'connection' | 'log'> {
  readonly instructions: Pick<InstructionFiles, 'read'>;
  readonly models: KnownModels;
  readonly tokens: Pick<TokenStore, 'add'>;
  /** Where answers are reviewed; undefined when the edits did not start. */
  readonly review: { changeForm(model: string): string } | undefined;
}

/** What is told of a conversation. */
export interface LiveEvents {
  /** Each change of the path that is shown. */
  readonly onPatches: (patches: readonly Patch<Message>[]) => void;
  /** Each action, also on what is not shown. */
  readonly onTake: (action: Action) => void;
  /** Model, system prompt or parameters are others. */
  readonly onConfigure: () => void;
}

/** @param isBegun whether its file has its first line */
export function createLiveConversation(
  { client, connection, log: diagnostics, instructions, models, review, tokens }: LiveParts,
  initial: Conversation,
  log: ConversationLog,
  isBegun: boolean,
  events: LiveEvents,
): LiveConversation {
  let isCreated = isBegun;
  const session = createSession(initial, {
    client,
    endpoint: (model) => connection.endpoint('chat', undefined, model),
    settings: readChatSettings,
    instructions: instructions.read,
    facts: models.known,
    askedFacts: models.soon,
    changeForm: review?.changeForm,
    clock: systemClock,
    onTokens: tokens.add,
    newId: randomUUID,
    ...events,
    onAction(action) {
      const { id, createdAt, workspace } = initial;
      if (!isCreated) log.append({ type: 'create', id, at: createdAt, ...(workspace && { workspace }) });
      isCreated = true;
      log.append(action);
    },
    onFault: (error) => diagnostics.error(describeForLog(error)),
  });

  log.keepWhole(() => conversationActions(session.conversation));
  return {
    session,
    flush: () => log.flush().catch(() => {}),
    get isUnsaved() {
      return log.isUnsaved;
    },
    async follow() {
      // A file that is gone was deleted in another window, which can bring it back.
      const { actions } = await log.readNew().catch(() => ({ actions: [] }));
      session.follow(actions);
      return actions.length > 0;
    },
  };
}
