import type { ChatFields } from '../../service/chat/chatRequest.ts';
import {
  type ParameterForm,
  type ParameterName,
  type Parameters,
  parameterForms,
  parameterNames,
} from './parameterForms.ts';

/** What a conversation's parameters add to a request. */
export interface SentParameters {
  readonly stream: boolean;
  readonly fields: ChatFields;
}

/**
 * The parameters that go into a request.
 * @param streams whether answers are asked for piece by piece where the conversation does not say
 */
export function sentParameters(parameters: Parameters, streams: boolean): SentParameters {
  const { stream = streams } = parameters;
  const sent = parameterNames.filter(
    (name) => name !== 'stream' && parameters[name] !== undefined && neededBy(name, parameters, streams) === undefined,
  );
  // Each was checked when it was set, or read from a file.
  const fields = Object.fromEntries(sent.map((name) => [name, parameters[name]])) as ChatFields;
  return { stream: stream === true, fields };
}

/** The field that a field means nothing without, where that one is not set: it stays behind then. */
export function neededBy(name: ParameterName, parameters: Parameters, streams: boolean): ParameterName | undefined {
  const { needs }: ParameterForm = parameterForms[name];
  if (needs === undefined) return undefined;
  const value = parameters[needs] ?? (needs === 'stream' ? streams : false);
  return value === false ? needs : undefined;
}
