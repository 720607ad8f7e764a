import { fitOf } from '../../../../webview/shared/fit.ts';
import type { AskAgain, ToChatPanel } from '../../../../webview/shared/protocol/protocol.ts';
import type { Message, Question } from '../../../conversation/conversation.ts';
import type { ShownConversation } from '../../conversations/shownConversation.ts';
import type { WindowGauge } from '../windowGauge.ts';

/** Has the user choose what becomes of older turns, where a question that is asked again does not fit. */
export type HoldBack = (held: Omit<Extract<ToChatPanel, { readonly type: 'doesNotFit' }>, 'type'>) => void;

export interface AgainParts {
  readonly shown: ShownConversation;
  readonly gauge: WindowGauge;
  readonly holdBack: HoldBack;
}

/** Asks a question of the conversation again. Where not all fits the model's context window, the user chooses first what becomes of older turns. */
export async function askAgain(message: AskAgain, { shown, gauge, holdBack }: AgainParts): Promise<void> {
  const question = questionOf(message, shown.conversation.messages);
  if (question === undefined) return;
  const text = message.type === 'edit' ? message.text : question.text;
  const window = message.fit === undefined ? gauge.viewOf(question) : undefined;
  if (window !== undefined && fitOf(window, text).problem !== undefined)
    return holdBack({ window, text, again: message });
  if (message.fit === 'leaveOut') gauge.leaveOut();
  const options = { isWhole: message.fit === 'whole' };
  if (message.type === 'edit') await shown.edit(question.id, text, options);
  else await shown.retry(question.id, options);
}

function questionOf(message: AskAgain, messages: readonly Message[]): Question | undefined {
  if (message.type === 'retry') return messages.findLast((each) => each.role === 'user');
  const named = messages.find(({ id }) => id === message.message);
  const id = named?.role === 'assistant' ? named.parent : named?.id;
  return messages.filter((each) => each.role === 'user').find((each) => each.id === id);
}
