import { ServiceError } from '../service/errors.ts';

/**
 * The arguments of a tool call as the object VS Code wants. Models write nothing at all for a tool that takes nothing.
 * @throws ServiceError `malformed` with the tool's name in `param` for anything else that is no JSON object: to call the
 * tool with made-up arguments could do harm
 */
export function readArguments(call: { name: string; arguments: string }, url: string): object {
  if (call.arguments.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(call.arguments);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ServiceError('malformed', { url, param: call.name });
}
