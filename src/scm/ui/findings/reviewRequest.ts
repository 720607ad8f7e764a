import { ServiceError } from '../../../base/errors.ts';
import { readInstructions } from '../../../editor/files/instructionFiles.ts';
import { adjustmentText } from '../../../editor/sentences/adjustmentText.ts';
import { unknownEndText } from '../../../editor/sentences/endText.ts';
import type { Services } from '../../../editor/services.ts';
import { readSetting } from '../../../editor/settings.ts';
import { declined, errorOfReason } from '../../../service/chat/completion.ts';
import type { Endpoint } from '../../../service/endpoint.ts';
import type { ChangedFile } from '../../findings/changedFiles.ts';
import type { FindingsReader } from '../../findings/readFindings.ts';
import { reviewMessages } from '../../findings/reviewPrompt.ts';

/** One request of a review, and what takes its answer. */
export interface ReviewRequest {
  readonly endpoint: Endpoint;
  readonly files: readonly ChangedFile[];
  readonly reader: FindingsReader;
  /** Called when the findings of the reader have changed. */
  onFindings(): void;
}

/**
 * Asks for the findings on some files, and reads them while they come. @returns the answer
 * @throws ServiceError: `truncated` for an answer that is cut off, `content-filter`, `declined`, `malformed` for an empty one, and
 * what goes wrong with a request; what was read by then is good
 */
export async function requestReview(
  { client, notices }: Pick<Services, 'client' | 'notices'>,
  { endpoint, files, reader, onFindings }: ReviewRequest,
  signal: AbortSignal,
): Promise<string> {
  const request = {
    messages: reviewMessages(files, await readInstructions()),
    stream: readSetting('parley.chat.stream'),
    extra: readSetting('parley.chat.extraBody'),
  };
  const url = endpoint.baseUrl;
  let [text, refusal] = ['', ''];
  let finishReason: string | undefined;
  for await (const event of client.chat(endpoint, request, signal)) {
    if (event.type === 'adjusted' && !event.remembered) void notices.info(adjustmentText(event));
    if (event.type === 'finish' && event.choice === 0) finishReason = event.reason;
    if (event.type === 'refusal' && event.choice === 0) refusal += event.text;
    if (!('choice' in event) || event.choice !== 0) continue;
    if (event.type === 'replace') {
      text = event.text;
      reader.restart();
      reader.push(text);
      onFindings();
    }
    if (event.type !== 'text') continue;
    text += event.text;
    if (reader.push(event.text)) onFindings();
  }
  // A stream may end well just as the user cancels.
  if (signal.aborted) throw new ServiceError('cancelled');
  // The last line of an answer that is cut off is not whole.
  const error = errorOfReason(finishReason, url);
  if (error?.kind === 'truncated') throw error;
  reader.end();
  onFindings();
  if (error !== undefined) throw error;
  if (refusal.trim() !== '') throw declined(refusal, url);
  if (text.trim() === '') throw new ServiceError('malformed', { url });
  const unknownEnd = unknownEndText(finishReason);
  if (unknownEnd !== undefined) void notices.warn(unknownEnd);
  return text;
}
