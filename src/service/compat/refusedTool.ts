import type { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import type { Adjustment } from './fieldMemory.ts';

type Body = Readonly<Record<string, unknown>>;

/** What the field of an adjustment begins with that leaves a tool out; its name follows. */
export const toolField = 'tools.';

const index = /\btools?(?:\[|\.|\/| (?:number |index )?#?)(\d{1,3})\b/i;
const schemaWords =
  /schema|parameters|propert|\btype\b|\$ref|\$schema|invalid|unsupported|not (?:be )?(?:supported|valid|allowed)/i;

/**
 * The change to a request that a service refused for the schema of one tool, which it names or counts: the others are offered
 * without it. Of one tool alone nothing would be left: that is told as an error.
 */
export function toolAdjustment({ param, message }: ServiceError, body: Body): Adjustment | undefined {
  const names = toolsOf(body).map(nameOf);
  if (names.length < 2 || !schemaWords.test(message)) return undefined;
  const place = index.exec(`${param ?? ''} ${message}`)?.[1];
  const named = names.filter((name) => name !== undefined && isNamed(name, message));
  // The longest, as the name of one tool may be a part of another's.
  const longest = named.toSorted((one, other) => (other?.length ?? 0) - (one?.length ?? 0))[0];
  const name = longest ?? (place === undefined ? undefined : names[Number(place)]);
  return name === undefined ? undefined : { field: `${toolField}${name}` };
}

/** The request without the tool that the adjustment names. */
export function withoutTool(body: Body, { field }: Adjustment): Body {
  const tools = toolsOf(body);
  const kept = tools.filter((tool) => nameOf(tool) !== field.slice(toolField.length));
  if (kept.length === tools.length) return body;
  if (kept.length > 0) return { ...body, tools: kept };
  const { tools: _tools, tool_choice: _choice, parallel_tool_calls: _parallel, ...others } = body;
  return others;
}

/** Whether a name stands in quotation marks, or behind the word for a tool: it may be a word of a sentence as well. */
function isNamed(name: string, message: string): boolean {
  const quoted = name.replace(/\W/g, '\\$&');
  return new RegExp(`["'\`“‘]${quoted}["'\`”’]|\\b(?:function|tool|for)(?: name)?:? ${quoted}(?![\\w-])`, 'i').test(
    message,
  );
}

function nameOf(tool: unknown): string | undefined {
  const described = isPlainObject(tool) ? tool['function'] : undefined;
  const name = isPlainObject(described) ? described['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function toolsOf({ tools }: Body): readonly unknown[] {
  return Array.isArray(tools) ? tools : [];
}
