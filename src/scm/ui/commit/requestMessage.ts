import { l10n } from 'vscode';
import { isCancelled, ServiceError } from '../../../base/errors.ts';
import { throttle } from '../../../base/throttle.ts';
import { adjustmentText } from '../../../editor/sentences/adjustmentText.ts';
import { unknownEndText } from '../../../editor/sentences/endText.ts';
import type { Services } from '../../../editor/services.ts';
import { readSetting } from '../../../editor/settings.ts';
import { withoutUnseen } from '../../../editor/text/plainText.ts';
import type { TextMessage } from '../../../service/chat/chatRequest.ts';
import { declined, errorOfReason, meaningOf } from '../../../service/chat/completion.ts';
import type { Endpoint } from '../../../service/endpoint.ts';
import { isRefusal, longestAnswer, readCommitMessage } from '../../commit/commitMessage.ts';

/** Milliseconds between two texts in the box. */
const pause = 100;

type Asking = Pick<Services, 'client' | 'notices'>;

/**
 * Asks for a commit message, and shows it as it comes. When it is stopped, the last text that was shown has all that came.
 * @throws ServiceError also where the answer holds no message, and `cancelled` when it is stopped
 */
export async function requestMessage(
  { client, notices }: Asking,
  endpoint: Endpoint,
  messages: readonly TextMessage[],
  signal: AbortSignal,
  show: (message: string) => void,
): Promise<void> {
  let answer = '';
  let refusal = '';
  let finishReason: string | undefined;
  const read = (isEnded: boolean): string => readCommitMessage(answer, isEnded, withoutUnseen);
  const showSoFar = (): void => {
    const message = read(false);
    if (message !== '') show(message);
  };
  const showSoon = throttle(showSoFar, pause);
  const request = {
    messages,
    stream: readSetting('parley.chat.stream'),
    extra: readSetting('parley.chat.extraBody'),
  };
  try {
    for await (const event of client.chat(endpoint, request, signal)) {
      if (event.type === 'adjusted' && !event.remembered) void notices.info(adjustmentText(event));
      if (!('choice' in event) || event.choice !== 0) continue;
      if (event.type === 'finish') finishReason = event.reason;
      if (event.type === 'refusal') refusal += event.text;
      if (event.type === 'replace') answer = event.text;
      if (event.type !== 'text') continue;
      answer += event.text;
      showSoon();
      if (answer.length <= longestAnswer) continue;
      finishReason = 'length';
      break;
    }
    // A stream may end well just as the user stops it.
    if (signal.aborted) throw new ServiceError('cancelled');
  } catch (error) {
    if (isCancelled(error)) showSoFar();
    throw error;
  } finally {
    showSoon.dispose();
  }
  const message = read(true);
  checkAnswer(message, refusal, finishReason, endpoint.baseUrl);
  show(message);
  const unknownEnd = unknownEndText(finishReason);
  if (meaningOf(finishReason) === 'limit') {
    void notices.warn(l10n.t('The commit message is not complete: the model reached its token limit.'));
  } else if (unknownEnd !== undefined) void notices.warn(unknownEnd);
}

/** @throws ServiceError for an answer that holds no message */
function checkAnswer(message: string, refusal: string, finishReason: string | undefined, url: string): void {
  const end = meaningOf(finishReason);
  if (end === 'filtered') throw new ServiceError('content-filter', { url });
  if (refusal.trim() !== '') throw declined(refusal, url);
  if (isRefusal(message)) throw declined(message, url);
  if (message === '') throw errorOfReason(finishReason, url) ?? new ServiceError('malformed', { url });
}
