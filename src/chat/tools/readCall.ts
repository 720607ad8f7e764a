import type { AskedCall } from '../conversation/conversation.ts';
import { checkValue } from '../structured/check/checkValue.ts';
import { violationLines } from '../structured/fixQuestion.ts';
import { fitTexts } from './fitTexts.ts';
import { type ReadArguments, readArguments } from './readArguments.ts';

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
  if ('problem' in read) return refused(read.problem, problemText(read));
  const input = tool.schema === undefined ? read.input : fitTexts(tool.schema, read.input);
  if (tool.schema === undefined) return { kind: 'call', tool, input };
  const { violations, hasMore } = checkValue(tool.schema, input);
  if (violations.length === 0) return { kind: 'call', tool, input };
  const lines = violationLines(violations, hasMore, 'the arguments');
  return refused('schema', ['The arguments do not fit the schema of the tool:', ...lines].join('\n'));
}

function problemText({ problem, at }: Extract<ReadArguments, { readonly problem: unknown }>): string {
  if (problem === 'not-an-object') return 'The arguments have to be a JSON object.';
  const where = at === undefined ? '' : `, from character ${at + 1} on`;
  return `The arguments are not valid JSON${where}. Call the tool again with one whole JSON object.`;
}

/**
 * The tool of a name. Some models write the namespace that the tools have in their template before it, the number of the call or a mark
 * of the template behind it (`functions.read_file:0`, `read_file<|channel|>commentary`), or other letters in capitals.
 */
function toolOf(name: string, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const bare = name
    .trim()
    .replace(/<[|/][\s\S]*$/, '')
    .replace(/^functions\.|:\d+$/g, '')
    .trim();
  const exact = tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === bare);
  if (exact !== undefined) return exact;
  const alike = tools.filter((tool) => tool.name.toLowerCase() === bare.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

function refused(reason: RefusedCall, text: string): Extract<ReadCall, { kind: 'refused' }> {
  return { kind: 'refused', reason, text };
}
