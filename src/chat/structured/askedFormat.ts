import { isJsonObject } from '../../base/jsonText.ts';
import type { Answer } from '../conversation/conversation.ts';

/** The schema that an answer was asked to fit; `schema` is undefined where it was asked for any JSON. */
export interface AskedFormat {
  readonly schema: unknown;
  /** The name that was sent along with the schema. */
  readonly name?: string | undefined;
}

/**
 * The form in which an answer was asked for, by what is kept with it of its request; undefined where it was not to be JSON. A
 * `json_schema` without a `schema` is read as the schema itself, as it is when a service is told it in words. A `json_object` has its
 * `schema` beside it where llama.cpp, Together and Fireworks are asked.
 */
export function askedFormat({ askedWith }: Pick<Answer, 'askedWith'>): AskedFormat | undefined {
  const format = askedWith?.parameters.response_format;
  if (!isJsonObject(format)) return undefined;
  if (format['type'] === 'json_object') {
    return { schema: isJsonObject(format['schema']) ? format['schema'] : undefined };
  }
  const described = format['json_schema'];
  if (format['type'] !== 'json_schema' || !isJsonObject(described)) return undefined;
  const name = described['name'];
  return { schema: described['schema'] ?? described, ...(typeof name === 'string' && { name }) };
}
