import { ServiceError } from '../../base/errors.ts';
import { isJsonValue } from '../../base/jsonText.ts';

/** The longest name of a tool, in characters. */
const longestName = 256;

/**
 * The arguments of a tool call as the object VS Code wants. Models write nothing at all for a tool that takes nothing.
 * @throws ServiceError `malformed` with the tool's name in `param` for anything else that is no JSON object: to call the
 * tool with made-up arguments could do harm. The same for arguments that are nested deeper than VS Code can pass them on, and
 * for a name that no tool can have.
 */
export function readArguments(call: { name: string; arguments: string }, url: string): object {
  if (call.name.length > longestName) throw new ServiceError('malformed', { url, param: `${call.name.slice(0, 64)}…` });
  if (call.arguments.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(call.arguments);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && isJsonValue(value)) return value;
  throw new ServiceError('malformed', { url, param: call.name });
}
