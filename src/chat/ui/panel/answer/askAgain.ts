import { fitOf } from '../../../../webview/shared/fit.ts';
import type { AskAgain, ToChatPanel } from '../../../../webview/shared/protocol/protocol.ts';
import type { Message, Question } from '../../../conversation/conversation.ts';
import type { EditedQuestions } from '../../context/editedQuestions.ts';
import type { ShownConversation } from '../../conversations/shownConversation.ts';
import type { WindowGauge } from '../windowGauge.ts';

/** Has the user choose what becomes of older turns, where a question that is asked again does not fit. */
export type HoldBack = (held: Omit<Extract<ToChatPanel, { readonly type: 'doesNotFit' }>, 'type'>) => void;

export interface AgainParts {
  readonly shown: ShownConversation;
  /** Questions that are being edited, with what goes along with each. */
  readonly edited: EditedQuestions;
  readonly gauge: WindowGauge;
  readonly holdBack: HoldBack;
}

/** Asks a question of the conversation again. Where not all fits the model's context window, the user chooses first what becomes of older turns. */
export async function askAgain(message: AskAgain, { shown, edited, gauge, holdBack }: AgainParts): Promise<void> {
  const question = questionOf(message, shown.conversation.messages);
  if (question === undefined) return;
  const text = message.type === 'edit' ? message.text : question.text;
  const changed = message.type === 'edit' ? edited.of(question.id)?.attachments : undefined;
  // What was chosen a moment ago goes along.
  await changed?.settled();
  const attachments = changed?.list ?? question.attachments;
  const window = message.fit === undefined ? gauge.viewOf({ ...question, attachments }) : undefined;
  if (window !== undefined && fitOf(window, text).problem !== undefined)
    return holdBack({ window, text, again: message });
  if (message.fit === 'leaveOut') gauge.leaveOut();
  const options = { isWhole: message.fit === 'whole' };
  if (message.type === 'edit') {
    edited.end(question.id);
    await shown.edit(question.id, text, { ...options, attachments });
  } else await shown.retry(question.id, options);
}

function questionOf(message: AskAgain, messages: readonly Message[]): Question | undefined {
  if (message.type === 'retry') return messages.findLast((each) => each.role === 'user');
  const named = messages.find(({ id }) => id === message.message);
  const id = named?.role === 'assistant' ? named.parent : named?.id;
  return messages.filter((each) => each.role === 'user').find((each) => each.id === id);
}
