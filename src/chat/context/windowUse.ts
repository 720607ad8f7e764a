import { bytesPerToken } from '../../base/tokens.ts';
import type { WindowView } from '../../webview/shared/fit.ts';
import { type Attachment, attachmentTokens } from '../conversation/attachment.ts';
import type { Message, Question } from '../conversation/conversation.ts';
import type { ContextWindow } from './modelFacts.ts';
import { messageTokens, planRequest, turnTokens } from './requestMessages.ts';
import type { Summaries } from './summary.ts';
import { turnsOf } from './turns.ts';

/** What the next question is asked with. */
export interface NextQuestion {
  /** The path that is shown. */
  readonly messages: readonly Message[];
  readonly attachments: readonly Attachment[];
  readonly systemPrompt: string;
  /** Whether the user agreed that older turns are left out. */
  readonly leavesOut: boolean;
  readonly summaries?: Summaries | undefined;
}

/** How much of the model's context window the next question takes, and what of it; its words are not counted, the page has them. */
export function windowUse(window: ContextWindow, next: NextQuestion): WindowView {
  const { messages, attachments, systemPrompt, leavesOut, summaries } = next;
  const question: Question = { role: 'user', id: '', at: 0, text: '', attachments };
  const { turns, leftOut, isSummarised } = planRequest(
    turnsOf([...messages, question]),
    systemPrompt,
    window.size - window.answerRoom,
    summaries,
  );
  const sum = (list: typeof turns): number => list.reduce((all, turn) => all + turnTokens(turn), 0);
  const sizes = attachments.map((attachment) => ({ attachment, tokens: attachmentTokens(attachment) }));
  const largest = sizes.reduce((most, each) => (each.tokens > (most?.tokens ?? 0) ? each : most), sizes[0]);
  const first = leftOut.length === 0 && !isSummarised ? undefined : turns[isSummarised ? 1 : 0]?.question.id;
  return {
    ...window,
    instructions: messageTokens(systemPrompt),
    earlier: sum(turns.slice(0, -1)),
    leftOut: sum(leftOut),
    attachments: sizes.reduce((all, { tokens }) => all + tokens, 0),
    leavesOut,
    isSummarised,
    bytesPerToken,
    ...(first === undefined ? {} : { sentFrom: first }),
    ...(largest && { largest: { id: largest.attachment.id, label: largest.attachment.label } }),
  };
}
