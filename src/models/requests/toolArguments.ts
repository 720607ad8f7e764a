import { ServiceError } from '../../base/errors.ts';
import { isJsonValue, readObject } from '../../base/jsonText.ts';
import type { ChatMessage } from '../../service/chat/chatRequest.ts';
import type { ToolCall } from '../../service/chat/completion.ts';

/** The longest name of a tool, in characters. */
const longestName = 256;

/** Whether a call can be made. */
export function hasArguments(call: { name: string; arguments: string }): boolean {
  return call.name.length <= longestName && argumentsOf(call) !== undefined;
}

function argumentsOf(call: { arguments: string }): object | undefined {
  const value = readObject(call.arguments);
  return value !== undefined && isJsonValue(value) ? value : undefined;
}

/**
 * The arguments of a tool call as the object VS Code wants. Models write nothing at all for a tool that takes nothing, and JSON that is
 * nearly so.
 * @throws ServiceError `malformed` with the tool's name in `param` for anything else: to call the
 * tool with made-up arguments could do harm. The same for arguments that are nested deeper than VS Code can pass them on, and
 * for a name that no tool can have.
 */
export function readArguments(call: { name: string; arguments: string }, url: string): object {
  if (call.name.length > longestName) throw new ServiceError('malformed', { url, param: `${call.name.slice(0, 64)}…` });
  const value = argumentsOf(call);
  if (value !== undefined) return value;
  throw new ServiceError('malformed', { url, param: call.name });
}

/** The longest arguments that go back to the model, in characters. */
const longestBack = 20_000;

/**
 * The messages that give calls which cannot be made back to the model, as errors of the tools: it may call once more.
 * @param calls all of the answer, of which one at least cannot be made
 */
export function answerToBadCalls(calls: readonly ToolCall[]): ChatMessage[] {
  const told = calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function' as const,
    // Services check that what goes back is JSON.
    function: { name, arguments: JSON.stringify(readObject(given) ?? { unreadable: given.slice(0, longestBack) }) },
  }));
  const results = calls.map(
    (call): ChatMessage => ({
      role: 'tool',
      tool_call_id: call.id,
      content: hasArguments(call)
        ? 'Not run, since the arguments of another call were not JSON. Call it again if it is still needed.'
        : 'Error: the arguments are not one JSON object, so the tool was not run. Call it again with valid JSON.',
    }),
  );
  return [{ role: 'assistant', content: null, tool_calls: told }, ...results];
}
