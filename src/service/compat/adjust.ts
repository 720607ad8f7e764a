import { isPlainObject } from '../../base/jsonText.ts';
import type { Adjustment } from './fieldMemory.ts';
import { adjustMessages, idsField, orderField, systemField } from './messageRefusal.ts';
import { toolField, withoutTool } from './refusedTool.ts';
import { adjustThoughts, thoughtsField } from './thoughtsRefusal.ts';

type Body = Readonly<Record<string, unknown>>;

/** A request changed to what a service takes, and the adjustments that had something to change. */
export interface Adjusted {
  body: Body;
  adjustments: Adjustment[];
}

/** Leaves out, or renames, what a service was found to refuse. */
export function adjust(body: Body, adjustments: readonly Adjustment[]): Adjusted {
  let adjusted = body;
  const applied: Adjustment[] = [];
  for (const adjustment of adjustments) {
    const next = applyOne(adjusted, adjustment);
    if (next !== adjusted) applied.push(adjustment);
    adjusted = next;
  }
  return { body: adjusted, adjustments: applied };
}

function applyOne(body: Body, adjustment: Adjustment): Body {
  const { field, renamedTo, value: wanted } = adjustment;
  if (field === thoughtsField) return adjustThoughts(body, adjustment);
  if (field === systemField || field === orderField || field === idsField) return adjustMessages(body, adjustment);
  if (field.startsWith(toolField)) return withoutTool(body, adjustment);
  if (wanted !== undefined) return body[field] === wanted ? body : { ...body, [field]: wanted };
  const { [field]: value, ...others } = body;
  if (value === undefined) return body;
  if (field === 'response_format') return weakenFormat(body, others, value, renamedTo !== undefined);
  if (field === 'stream') return value === true ? without({ ...others, stream: false }, 'stream_options') : body;
  if (renamedTo !== undefined) return { [renamedTo]: value, ...others };
  return field === 'logprobs' ? without(others, 'top_logprobs') : others;
}

function without(body: Body, field: string): Body {
  const { [field]: _, ...others } = body;
  return others;
}

/**
 * A service without JSON schemas is asked for any JSON object, and told the schema in words. One that has no such field at all is told
 * both in words alone.
 */
function weakenFormat(body: Body, others: Body, format: unknown, takesObjects: boolean): Body {
  const type = isPlainObject(format) ? format['type'] : undefined;
  if (!isPlainObject(format) || (takesObjects && type !== 'json_schema')) return takesObjects ? body : others;
  const described = format['json_schema'];
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const schema = isPlainObject(described) ? (described['schema'] ?? described) : {};
  const fits =
    type === 'json_schema' ? ` that fits this JSON schema: ${JSON.stringify(schema)}` : ', and nothing else.';
  const isMeant = type === 'json_schema' || type === 'json_object';
  const told = isMeant ? [{ role: 'system', content: `Answer with one JSON object${fits}` }, ...messages] : messages;
  return { ...others, messages: told, ...(takesObjects && { response_format: { type: 'json_object' } }) };
}
