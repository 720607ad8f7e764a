import { l10n } from 'vscode';
import { ServiceError } from '../../base/errors.ts';
import { estimateTokens } from '../../base/tokens.ts';
import { withProgress } from '../../editor/progress.ts';
import { adjustmentText } from '../../editor/sentences/adjustmentText.ts';
import { unknownEndText } from '../../editor/sentences/endText.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import type { ChatRequest, TextMessage } from '../../service/chat/chatRequest.ts';
import { errorOfReason } from '../../service/chat/completion.ts';
import type { Endpoint } from '../../service/endpoint.ts';
import { createAnswerIntake } from '../ask/answerIntake.ts';
import type { EditForm } from '../ask/editForm.ts';
import { editTool } from '../ask/editTool.ts';
import type { EditCall } from '../ask/readEditCalls.ts';
import type { EditAnswer } from '../plan.ts';

/** Who waits for an edit. */
export interface EditWatch {
  /** Gives the edit up, besides the Cancel button. */
  readonly stop: AbortSignal;
  /** Called when something has come in, with all of the answer so far. */
  onAnswer(text: string, calls: readonly EditCall[]): void;
  /** Called after that when lines have come in. @param count of all so far */
  onLines(count: number): void;
}

/** An answer that is whole, in whatever form. */
export interface ReceivedAnswer extends EditAnswer {
  readonly calls: readonly EditCall[];
  /** What it took, question and answer; an estimate where the service does not tell. */
  readonly tokens: number;
}

/** A question about edits. */
export interface EditAsked {
  readonly messages: readonly TextMessage[];
  readonly form: EditForm;
  /** Of the notification. */
  readonly title: string;
}

/**
 * Asks the model, with a progress notification whose Cancel closes the socket.
 * @throws ServiceError
 */
export async function receiveAnswer(
  { client, notices }: Pick<Services, 'client' | 'notices'>,
  endpoint: Endpoint,
  { messages, form, title }: EditAsked,
  { stop, onAnswer, onLines }: EditWatch,
): Promise<ReceivedAnswer> {
  const request: ChatRequest = {
    messages,
    stream: readSetting('parley.chat.stream'),
    ...(form === 'tool' ? { fields: { tools: [editTool] } } : {}),
    extra: readSetting('parley.chat.extraBody'),
  };
  return withProgress(title, async (cancel, report) => {
    const signal = AbortSignal.any([cancel, stop]);
    const intake = createAnswerIntake();
    let told = 0;
    for await (const event of client.chat(endpoint, request, signal)) {
      if (event.type === 'adjusted' && !event.remembered) void notices.info(adjustmentText(event));
      if (!intake.take(event)) continue;
      onAnswer(intake.text, intake.calls);
      if (intake.lineCount === told) continue;
      told = intake.lineCount;
      onLines(told);
      report(told === 1 ? l10n.t('1 line received') : l10n.t('{0} lines received', told));
    }
    // A stream may end well just as the user cancels.
    if (signal.aborted) throw new ServiceError('cancelled');
    const { text, refusal, calls, finishReason } = intake;
    if (calls.length > 0) checkEnd(finishReason, endpoint.baseUrl);
    const unknownEnd = unknownEndText(finishReason);
    if (unknownEnd !== undefined) void notices.warn(unknownEnd);
    const written = [...messages.map(({ content }) => content), text, ...calls.map((call) => call.arguments)];
    const tokens = intake.tokens ?? estimateTokens(written.join('\n'));
    return { text, refusal, calls, finishReason, tokens, url: endpoint.baseUrl };
  });
}

/** Calls of an answer that ended too soon are as little used as its text. @throws ServiceError */
export function checkEnd(finishReason: string | undefined, url: string): void {
  const error = errorOfReason(finishReason, url);
  if (error !== undefined) throw error;
}
