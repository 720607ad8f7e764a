import { isJsonObject } from '../../base/jsonText.ts';
import type { AskedCall } from '../conversation/conversation.ts';
import { checkValue } from '../structured/check/checkValue.ts';
import { violationLines } from '../structured/fixQuestion.ts';
import { jsonFault } from '../structured/jsonFault.ts';

/** A tool as a request offers it. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** The JSON schema of its arguments; absent: any object. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
}

/** A call that can be run, or what the model is told in the place of a result. */
export type ReadCall =
  | { readonly kind: 'call'; readonly tool: OfferedTool; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly reason: RefusedCall; readonly text: string };

/** Why a call cannot be run as it was written. */
export type RefusedCall = 'unknown-tool' | 'not-json' | 'not-an-object' | 'schema';

/** How many lists and objects of the arguments may stand in each other. */
const deepest = 200;
/** The longest part of a name that is told back, and how many tools are named. */
const longestName = 100;
const mostNamed = 50;

/**
 * Reads a call that a model asks for: which of the tools it means, and its arguments, held against their schema. Does not throw. What
 * is wrong with it is said in English, as the model reads it.
 */
export function readCall({ name, arguments: text }: AskedCall, tools: readonly OfferedTool[]): ReadCall {
  const tool = toolOf(name, tools);
  if (tool === undefined) {
    const names = tools.slice(0, mostNamed).map((each) => each.name);
    const offered = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`;
    return refused('unknown-tool', `There is no tool ${JSON.stringify(name.slice(0, longestName))}. ${offered}`);
  }
  const read = readArguments(text);
  if ('text' in read) return read;
  const { input } = read;
  if (tool.schema === undefined) return { kind: 'call', tool, input };
  const { violations, hasMore } = checkValue(tool.schema, input);
  if (violations.length === 0) return { kind: 'call', tool, input };
  const lines = violationLines(violations, hasMore, 'the arguments');
  return refused('schema', ['The arguments do not fit the schema of the tool:', ...lines].join('\n'));
}

/**
 * The tool of a name. Some models write the namespace that the tools have in their template before it, and the number of the call
 * behind it: `functions.read_file:0`.
 */
function toolOf(name: string, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const bare = name.trim().replace(/^functions\.|:\d+$/g, '');
  return tools.find((tool) => tool.name === bare);
}

function readArguments(
  text: string,
): { readonly input: Record<string, unknown> } | Extract<ReadCall, { kind: 'refused' }> {
  // A call without arguments comes as nothing, or as what stands for it.
  if (['', 'null', '""'].includes(text.trim())) return { input: {} };
  let value = parsed(text);
  // Some services encode them twice.
  if (typeof value?.json === 'string') value = parsed(value.json) ?? value;
  if (value === undefined) {
    const fault = jsonFault(text, deepest);
    const where =
      fault === undefined ? '' : ` (${fault.isEnd ? 'they end too early' : `at character ${fault.at + 1}`})`;
    return refused('not-json', `The arguments are not valid JSON${where}. Call the tool again with a JSON object.`);
  }
  if (isJsonObject(value.json)) return { input: value.json };
  return refused('not-an-object', 'The arguments have to be a JSON object.');
}

/** The value of a JSON text; undefined where it is none, or has too much within each other. */
function parsed(text: string): { readonly json: unknown } | undefined {
  if (jsonFault(text, deepest) !== undefined) return undefined;
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function refused(reason: RefusedCall, text: string): Extract<ReadCall, { kind: 'refused' }> {
  return { kind: 'refused', reason, text };
}
