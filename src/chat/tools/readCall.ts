import { isJson, isPlainObject, readNearlyJson } from '../../base/jsonText.ts';
import { meantTool } from '../../service/chat/chatRequest.ts';
import type { AskedCall } from '../conversation/conversation.ts';
import { checkValue } from '../structured/check/checkValue.ts';
import { violationLines } from '../structured/fixQuestion.ts';
import { jsonFault } from '../structured/jsonFault.ts';
import { fitTexts } from './fitTexts.ts';

/** A tool as a request offers it. */
export interface ChatTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** The JSON schema of its arguments; absent: any object. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
}

/** A call that can be run, or what the model is told in the place of a result. */
export type ReadCall =
  | { readonly kind: 'call'; readonly tool: ChatTool; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly reason: RefusedCall; readonly text: string };

/** Why a call cannot be run as it was written. */
export type RefusedCall = 'unknown-tool' | 'not-json' | 'not-an-object' | 'schema';

/** How many lists and objects of the arguments may stand in each other, for the place of a fault to be told. */
const deepest = 200;
/** The longest part of a name that is told back, and how many tools are named. */
const longestName = 100;
const mostNamed = 50;

/**
 * Reads a call that a model asks for: which of the tools it means, and its arguments, held against their schema. Does not throw. What
 * is wrong with it is said in English, as the model reads it.
 */
export function readCall({ name, arguments: text }: AskedCall, tools: readonly ChatTool[]): ReadCall {
  const tool = meantTool(name, tools);
  if (tool === undefined) {
    const names = tools.slice(0, mostNamed).map((each) => each.name);
    const offered = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`;
    return refused('unknown-tool', `There is no tool ${JSON.stringify(name.slice(0, longestName))}. ${offered}`);
  }
  const written = readNearlyJson(text);
  if (written === undefined && !isJson(text)) return refused('not-json', notJsonText(text));
  if (!isPlainObject(written)) return refused('not-an-object', 'The arguments have to be a JSON object.');
  if (tool.schema === undefined) return { kind: 'call', tool, input: written };
  const input = fitTexts(tool.schema, written);
  const { violations, hasMore } = checkValue(tool.schema, input);
  if (violations.length === 0) return { kind: 'call', tool, input };
  const lines = violationLines(violations, hasMore, 'the arguments');
  return refused('schema', ['The arguments do not fit the schema of the tool:', ...lines].join('\n'));
}

function notJsonText(text: string): string {
  const fault = jsonFault(text, deepest);
  const where = fault === undefined ? '' : ` (character ${fault.at + 1})`;
  return `The arguments are not valid JSON${where}. Call the tool again with one whole JSON object.`;
}

function refused(reason: RefusedCall, text: string): Extract<ReadCall, { kind: 'refused' }> {
  return { kind: 'refused', reason, text };
}
