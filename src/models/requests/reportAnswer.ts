import { ServiceError } from '../../base/errors.ts';
import type { ChatEvent, ToolCall, Usage } from '../../service/chat/completion.ts';
import type { Thoughts } from '../../service/chat/sentThoughts.ts';
import type { Adjustment } from '../../service/compat/fieldMemory.ts';
import type { Piece } from './delivery.ts';
import type { CallNotes, NotedCall } from './thoughtMemory.ts';
import { hasArguments, readArguments } from './toolArguments.ts';

export interface AnswerListener {
  pass(piece: Piece): void;
  /** Called with the data that a service sent along with a call, before the call is passed on. */
  onNotes(call: NotedCall, notes: CallNotes): void;
  /** The name of a tool as VS Code has it, from the one that the service takes. */
  nameOf(sent: string): string;
  /** Called when the service refused a field of the request. */
  onAdjusted(adjustment: Adjustment): void;
}

/**
 * Passes an answer on as it comes. Of several choices VS Code takes one.
 * @returns the calls of the answer where one of them cannot be made; none of them was passed on then
 * @throws ServiceError the error the events end with; `content-filter` when the filter ended the answer; `malformed` with
 * the tool's name in `param` for a call in the legacy form that cannot be made
 */
export async function passAnswer(
  events: AsyncIterable<ChatEvent>,
  url: string,
  { pass, onNotes, onAdjusted, nameOf }: AnswerListener,
): Promise<readonly ToolCall[] | undefined> {
  const calls: ToolCall[] = [];
  let thoughts: Thoughts | undefined;
  let filtered = false;
  let hasText = false;
  for await (const event of events) {
    if (event.type === 'adjusted' && !event.remembered) onAdjusted(event);
    if (event.type === 'usage') passUsage(event.usage, pass);
    if (!('choice' in event) || event.choice !== 0) continue;
    switch (event.type) {
      case 'text':
      case 'refusal':
        hasText = true;
        pass({ kind: 'text', text: event.text });
        break;
      case 'replace': {
        // What VS Code was given cannot be taken back, only parted from what comes.
        const text = hasText ? `\n\n${event.text}` : event.text;
        if (text !== '') pass({ kind: 'text', text });
        break;
      }
      case 'reasoning':
        pass({ kind: 'thought', text: event.text });
        break;
      case 'thoughts':
        thoughts = event.thoughts;
        break;
      case 'tool-call':
        calls.push(event.toolCall);
        break;
      case 'function-call': {
        const { name } = event.functionCall;
        // The legacy form has no id.
        pass({ kind: 'tool-call', id: name, name: nameOf(name), input: readArguments(event.functionCall, url) });
        break;
      }
      case 'finish':
        filtered = event.reason === 'content_filter';
    }
  }
  if (filtered) throw new ServiceError('content-filter', { url });
  if (calls.some((call) => !hasArguments(call))) return calls;
  for (const call of calls) {
    const { id, name, extraContent } = call;
    const made = { id, name: nameOf(name), input: readArguments(call, url) };
    if (thoughts !== undefined || extraContent !== undefined) onNotes(made, { thoughts, extraContent });
    pass({ kind: 'tool-call', ...made });
  }
  return undefined;
}

/**
 * Passes usage on as VS Code's own models report it, which draws how full the context is. It takes three numbers or nothing, so
 * a number that the service did not give is not made up.
 */
function passUsage(
  { promptTokens, completionTokens, totalTokens, ...more }: Usage,
  pass: AnswerListener['pass'],
): void {
  if (promptTokens === undefined || completionTokens === undefined) return;
  const { cachedTokens, reasoningTokens } = more;
  pass({
    kind: 'usage',
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: totalTokens ?? promptTokens + completionTokens,
      ...(cachedTokens === undefined ? {} : { prompt_tokens_details: { cached_tokens: cachedTokens } }),
      ...(reasoningTokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
    },
  });
}
