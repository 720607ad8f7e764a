import { LanguageModelTextPart, LanguageModelToolCallPart, type Progress } from 'vscode';
import type { ChatEvent } from '../service/completion.ts';
import { ServiceError } from '../service/errors.ts';
import type { Adjustment } from '../service/fieldMemory.ts';
import { readArguments } from './toolArguments.ts';

/**
 * Reports an answer to VS Code as it comes. Thoughts are no part of it, and of several choices VS Code takes one.
 * @param onAdjusted called when the service was found to refuse a field of the request
 * @throws ServiceError what the events end with; `content-filter` when the filter ended the answer; `malformed` with
 * the tool's name in `param` for a call that cannot be made
 */
export async function reportAnswer(
  events: AsyncIterable<ChatEvent>,
  url: string,
  progress: Progress<LanguageModelTextPart | LanguageModelToolCallPart>,
  onAdjusted: (adjustment: Adjustment) => void,
): Promise<void> {
  for await (const event of events) {
    if (event.type === 'adjusted' && !event.remembered) onAdjusted(event);
    if (!('choice' in event) || event.choice !== 0) continue;
    switch (event.type) {
      case 'text':
      case 'refusal':
        progress.report(new LanguageModelTextPart(event.text));
        break;
      case 'tool-call': {
        const { id, name } = event.toolCall;
        progress.report(new LanguageModelToolCallPart(id, name, readArguments(event.toolCall, url)));
        break;
      }
      case 'function-call': {
        const { name } = event.functionCall;
        // The legacy form has no id.
        progress.report(new LanguageModelToolCallPart(name, name, readArguments(event.functionCall, url)));
        break;
      }
      case 'finish':
        if (event.reason === 'content_filter') throw new ServiceError('content-filter', { url });
    }
  }
}
