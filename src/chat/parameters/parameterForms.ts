import { chatFieldProblem, type FieldProblem } from '../../service/chat/chatRequest.ts';

/**
 * How a field is written in the drawer: a number; `true` or `false`; plain text; one text a line; JSON; or a word, in whose place a
 * JSON object may stand.
 */
export type ParameterKind = 'number' | 'switch' | 'text' | 'lines' | 'json' | 'word';

export type ParameterGroup = 'sampling' | 'length' | 'format' | 'confidence' | 'tools' | 'transport';

/** What a field is, and what it takes. The bounds follow from what it is; the document gives none. */
export interface ParameterForm {
  readonly group: ParameterGroup;
  readonly kind: ParameterKind;
  readonly least?: number;
  readonly most?: number;
  readonly isInteger?: boolean;
  /** Words that are offered. */
  readonly words?: readonly string[];
  /** A field without which this one means nothing: alone it is not sent. */
  readonly needs?: 'logprobs' | 'tools' | 'functions' | 'stream';
}

/** The fields of service-api.md 2.1 that a conversation may set: all but `messages`, and `model`, which has a place of its own. */
export const parameterForms = {
  temperature: { group: 'sampling', kind: 'number', least: 0 },
  top_p: { group: 'sampling', kind: 'number', least: 0, most: 1 },
  frequency_penalty: { group: 'sampling', kind: 'number' },
  presence_penalty: { group: 'sampling', kind: 'number' },
  seed: { group: 'sampling', kind: 'number', isInteger: true },
  logit_bias: { group: 'sampling', kind: 'json' },
  max_tokens: { group: 'length', kind: 'number', isInteger: true, least: 1 },
  stop: { group: 'length', kind: 'lines' },
  n: { group: 'length', kind: 'number', isInteger: true, least: 1, most: 128 },
  response_format: { group: 'format', kind: 'word', words: ['text', 'json_object'] },
  logprobs: { group: 'confidence', kind: 'switch' },
  top_logprobs: { group: 'confidence', kind: 'number', isInteger: true, least: 0, most: 20, needs: 'logprobs' },
  tools: { group: 'tools', kind: 'json' },
  tool_choice: { group: 'tools', kind: 'word', words: ['none', 'auto', 'required'], needs: 'tools' },
  parallel_tool_calls: { group: 'tools', kind: 'switch', needs: 'tools' },
  functions: { group: 'tools', kind: 'json' },
  function_call: { group: 'tools', kind: 'word', words: ['none', 'auto'], needs: 'functions' },
  stream: { group: 'transport', kind: 'switch' },
  stream_options: { group: 'transport', kind: 'json', needs: 'stream' },
  user: { group: 'transport', kind: 'text' },
} as const satisfies Record<string, ParameterForm>;

export type ParameterName = keyof typeof parameterForms;
export const parameterNames = Object.keys(parameterForms) as ParameterName[];

/** A value as JSON has it. */
export type ParameterValue =
  | string
  | number
  | boolean
  | null
  | readonly ParameterValue[]
  | { readonly [member: string]: ParameterValue };

/** What a conversation sets. */
export type Parameters = Readonly<Partial<Record<ParameterName, ParameterValue>>>;

/** The longest value, in characters of JSON. */
export const longestParameter = 100_000;

export function isParameterName(name: string): name is ParameterName {
  return Object.hasOwn(parameterForms, name);
}

/** Whether a field takes a value. */
export function isParameter(name: ParameterName, value: unknown): value is ParameterValue {
  return parameterProblem(name, value) === undefined;
}

/** What is wrong with a value; undefined where nothing is. */
export function parameterProblem(name: ParameterName, value: unknown): FieldProblem | undefined {
  if (name === 'stream') return typeof value === 'boolean' ? undefined : { param: name, takes: 'true or false' };
  const problem = chatFieldProblem(name, value);
  if (problem !== undefined) return problem;
  return JSON.stringify(value).length > longestParameter
    ? { param: name, takes: `at most ${longestParameter} characters` }
    : undefined;
}
