import { type InstructionFile, withInstructions } from '../../../base/workspaceInstructions.ts';
import type { Connection } from '../../../editor/connection/connection.ts';
import type { WindowView } from '../../../webview/shared/fit.ts';
import { isAboutFiles, withChangeForm } from '../../answering/systemMessage.ts';
import type { KnownModels } from '../../context/modelFacts.ts';
import { windowUse } from '../../context/windowUse.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import type { Conversation, Message, Question } from '../../conversation/conversation.ts';
import { configurationOf } from '../../parameters/configuration.ts';
import { readChatSettings } from '../chatSettings.ts';
import type { NextAttachments } from '../context/nextAttachments.ts';
import type { ShownConversation } from '../conversations/shownConversation.ts';
import type { CodeReview } from './code/applyCode.ts';

/** How much of the model's context window the next question of a surface takes. */
export interface WindowGauge {
  /** Undefined while it is not known, and where there is nothing to count yet. */
  view(): WindowView | undefined;
  /** The same of a question of the conversation that is asked again, after what led to it. */
  viewOf(question: Question): WindowView | undefined;
  /** The user agreed that older turns of this conversation are left out. */
  leaveOut(): void;
}

export interface GaugeParts {
  readonly shown: Pick<ShownConversation, 'conversation'>;
  readonly attachments: Pick<NextAttachments, 'list' | 'chosen'>;
  readonly instructions: { readonly list: readonly InstructionFile[] };
  readonly models: KnownModels;
  readonly review: Pick<CodeReview, 'changeForm'> | undefined;
  readonly connection: Pick<Connection, 'model'>;
  /** Called when more has come to be known. */
  readonly onKnown: () => void;
}

export function createWindowGauge({ shown, attachments, instructions, models, ...parts }: GaugeParts): WindowGauge {
  /** The conversations of which older turns may be left out. */
  const agreed = new Set<string>();

  /** @param isMeant whether there is something that the user wants to send: before that a service is not asked about its models */
  function measure(
    before: readonly Message[],
    attached: readonly Attachment[],
    isMeant: boolean,
  ): WindowView | undefined {
    const { id, configured, summaries } = shown.conversation;
    const model = modelOf(shown.conversation, parts.connection);
    if (model === '' || (before.length === 0 && attached.length === 0)) return undefined;
    const known = models.known(model)?.window;
    if (isMeant) void models.of(model).then(({ window }) => window?.size !== known?.size && parts.onKnown());
    if (known === undefined) return undefined;
    const configuration = configurationOf(configured);
    const prompt = configuration.systemPrompt ?? readChatSettings().systemPrompt;
    const files = instructions.list.filter(({ uri }) => !configuration.leftOut.has(uri));
    const asked = before.flatMap((each) => (each.role === 'user' ? each.attachments : []));
    const changeForm = isAboutFiles([...attached, ...asked]) ? parts.review?.changeForm(model) : '';
    const systemPrompt = withChangeForm(withInstructions(prompt, files), changeForm);
    const next = { messages: before, attachments: attached, systemPrompt };
    return windowUse(known, { ...next, summaries, leavesOut: agreed.has(id) });
  }

  return {
    view() {
      const { messages } = shown.conversation;
      return measure(messages, attachments.list, messages.length > 0 || attachments.chosen.length > 0);
    },
    viewOf(question) {
      const { messages } = shown.conversation;
      const at = messages.findIndex(({ id }) => id === question.id);
      return at < 0 ? undefined : measure(messages.slice(0, at), question.attachments, true);
    },
    leaveOut: () => void agreed.add(shown.conversation.id),
  };
}

/** The model of a conversation's next question. */
export function modelOf({ configured }: Conversation, connection: Pick<Connection, 'model'>): string {
  return configurationOf(configured).model ?? connection.model('chat');
}
