import { ServiceError } from '../../base/errors.ts';
import { isJsonValue, isPlainObject } from '../../base/jsonText.ts';
import {
  checkFields,
  either,
  type FieldCheck,
  type FieldChecks,
  integerFrom,
  invalidField,
  isBoolean,
  isFilledString,
  isInteger,
  isList,
  isNumber,
  isObject,
  isString,
  matches,
  numberFrom,
  orNull,
} from '../fieldChecks.ts';
import type { OnWait } from '../request.ts';

export { meantTool } from './meantTool.ts';

/**
 * A chat request as service-api.md 2.1 to 2.3 has it. Members have the names they have on the wire, so that nothing is
 * translated on the way; a member that is undefined is not sent.
 */
export interface ChatFields {
  frequency_penalty?: number;
  presence_penalty?: number;
  /** Legacy form of `tools`; paired with `function_call`. */
  functions?: readonly FunctionDefinition[];
  /** `none`, `auto`, or the function that must be called. */
  function_call?: string | { name: string };
  tools?: readonly Tool[];
  /** `none`, `auto`, `required`, or the tool that must be called. */
  tool_choice?: string | { type: 'function'; function: { name: string } };
  parallel_tool_calls?: boolean;
  /** Token id → bias. */
  logit_bias?: Readonly<Record<string, number>> | null;
  logprobs?: boolean;
  top_logprobs?: number;
  max_tokens?: number;
  /** How many choices to write, at most 128. */
  n?: number;
  response_format?: { type: string; [member: string]: unknown };
  seed?: number;
  stop?: string | readonly string[];
  stream_options?: { include_usage?: boolean; [member: string]: unknown } | null;
  temperature?: number;
  top_p?: number;
  user?: string;
}

export interface FunctionDefinition {
  name: string;
  description?: string;
  /** A JSON schema of the arguments. */
  parameters?: Readonly<Record<string, unknown>>;
}

export interface Tool {
  type: 'function';
  function: FunctionDefinition;
}

/** A part of a message's content, for models that see. */
export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  /** Thoughts of a Mistral model. */
  | { type: 'thinking'; thinking: readonly { type: 'text'; text: string }[] };

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool' | 'function';
  /** Null in an assistant's message that only calls tools. */
  content: string | readonly ContentPart[] | null;
  name?: string;
  /** In a `tool` message: the call it answers. */
  tool_call_id?: string;
  /** In an assistant's message: the calls it made. */
  tool_calls?: readonly MadeCall[];
  function_call?: { name: string; arguments: string };
  /** In an assistant's message: the model's thoughts, in the field in which the service sent them. */
  reasoning_content?: string;
  reasoning?: string;
  thinking?: string;
  reasoning_details?: readonly Readonly<Record<string, unknown>>[];
}

/** A call that the model made. */
export interface MadeCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  /** The data that the service sent along with the call. */
  extra_content?: Readonly<Record<string, unknown>>;
}

/** A message of text alone. */
export interface TextMessage extends ChatMessage {
  content: string;
}

export interface ChatRequest {
  messages: readonly ChatMessage[];
  /** Ask for the answer piece by piece. */
  stream: boolean;
  fields?: ChatFields;
  /** Fields the document does not know, sent as they are (`parley.chat.extraBody`). */
  extra?: Readonly<Record<string, unknown>>;
  onWait?: OnWait;
  /** Called before each further try, with why there is one. */
  onRetry?: (error: ServiceError) => void;
  /** A mark of the caller's, by which it finds the request among the exchanges again. It is not sent. */
  tag?: string;
  /** Called when the answer begins, with whether the service sends it piece by piece. */
  onAnswer?: (isStreamed: boolean) => void;
}

/** `{[token id]: bias}`. */
const biases: FieldCheck = (value) =>
  isPlainObject(value) && Object.values(value).every(Number.isFinite) ? undefined : 'an object of numbers';
const stops: FieldCheck = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
    ? undefined
    : 'a list of texts';

/** The fields of section 2.1, but for `messages` and `model`. A range stands here only where it follows from what the field is. */
const fields: FieldChecks = {
  frequency_penalty: isNumber,
  presence_penalty: isNumber,
  functions: isList,
  function_call: either(isFilledString, isObject),
  tools: isList,
  tool_choice: either(isFilledString, isObject),
  parallel_tool_calls: isBoolean,
  logit_bias: orNull(biases),
  logprobs: isBoolean,
  top_logprobs: integerFrom(0, 20),
  max_tokens: integerFrom(1),
  n: integerFrom(1, 128),
  response_format: isObject,
  seed: isInteger,
  stop: either(isString, stops),
  stream_options: orNull(isObject),
  temperature: numberFrom(0),
  top_p: numberFrom(0, 1),
  user: isString,
};

/** The name of a function (section 2.3). */
const functionName = matches(/^[a-zA-Z0-9_-]{1,64}$/, 'at most 64 letters, digits, underscores and hyphens');
const definition: FieldChecks = { name: functionName, description: isString, parameters: isObject };
const tool: FieldChecks = { type: matches(/^function$/, '“function”'), function: isObject };

/** What is wrong with a field: where in it, and what stands there, as an English phrase. */
export interface FieldProblem {
  readonly param: string;
  readonly takes: string;
}

/** What is wrong with the value of one field (2.1), whatever the others are; undefined where nothing is. */
export function chatFieldProblem(name: string, value: unknown): FieldProblem | undefined {
  try {
    checkEachField({ [name]: value });
    if (name === 'response_format') checkFormat(value as ChatFields['response_format']);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { param: error.param ?? name, takes: error.hint ?? '' };
  }
}

/** Checks what each field holds by itself. */
export function checkEachField(given: ChatFields): void {
  checkFields(given, fields, []);
  eachItem(given.functions, 'functions', (item, at) => checkFields(item, definition, ['name'], at));
  eachItem(given.tools, 'tools', (item, at) => {
    checkFields(item, tool, ['type', 'function'], at);
    checkFields(item.function, definition, ['name'], `${at}function.`);
  });
  // Schemas and the like are free in form, but must be JSON.
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !isJsonValue(value)) throw invalidField(name, 'JSON, at most 128 levels deep');
  }
}

export function checkFormat(format: ChatFields['response_format']): void {
  if (format !== undefined && isFilledString(format.type) !== undefined) {
    throw invalidField('response_format.type', 'text that is not empty');
  }
  if (format?.type === 'json_schema' && !isPlainObject(format['json_schema'])) {
    throw invalidField('response_format.json_schema', 'an object');
  }
}

/** Checks each item of a list, which has to be an object. @param at where the list stands in the request */
export function eachItem<T>(list: readonly T[] | undefined, name: string, check: (item: T, at: string) => void): void {
  for (const [i, item] of (list ?? []).entries()) {
    if (!isPlainObject(item)) throw invalidField(`${name}[${i}]`, 'an object');
    check(item, `${name}[${i}].`);
  }
}
