import {
  aBoolean,
  aFilledString,
  anArray,
  anObject,
  aString,
  type Check,
  checkFields,
  either,
  type Fields,
  integer,
  isObject,
  type Json,
  number,
  oneOf,
  orNull,
} from './fields.ts';
import { badField } from './replies.ts';

const stops: Check = (value) => {
  const right = Array.isArray(value) && value.length <= 4 && value.every((item) => typeof item === 'string');
  return right ? undefined : 'an array of at most 4 strings';
};
const biases: Check = (value) => {
  const right =
    isObject(value) && Object.values(value).every((item) => typeof item === 'number' && Math.abs(item) <= 100);
  return right ? undefined : 'a map of numbers from -100 to 100';
};

/** Beyond the document: parts of text and images, for models that see. */
const contentParts: Check = (value) => {
  const right =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (part) =>
        isObject(part) &&
        ((part.type === 'text' && typeof part.text === 'string') ||
          (part.type === 'image_url' && isObject(part.image_url) && typeof part.image_url.url === 'string')),
    );
  return right ? undefined : 'a list of text and image_url parts';
};

/** Table 2.1. Where the document gives one type, other services of this shape know a second one: also taken. */
const FIELDS: Fields = {
  messages: anArray,
  model: aFilledString,
  frequency_penalty: number(-2, 2),
  presence_penalty: number(-2, 2),
  function_call: either(aString, anObject),
  functions: anArray,
  tools: anArray,
  tool_choice: either(oneOf('none', 'auto', 'required'), anObject),
  parallel_tool_calls: aBoolean,
  logit_bias: orNull(biases),
  logprobs: aBoolean,
  top_logprobs: integer(0, 20),
  max_tokens: integer(1),
  n: integer(1, 16),
  response_format: anObject,
  seed: integer(Number.MIN_SAFE_INTEGER),
  stop: orNull(either(aString, stops)),
  stream: aBoolean,
  stream_options: orNull(anObject),
  temperature: number(0, 2),
  top_p: number(0, 1),
  user: aString,
};
/** Table 2.2, and what an assistant's message needs to carry the calls that a later message answers. */
const MESSAGE: Fields = {
  role: oneOf('system', 'user', 'assistant', 'tool', 'function'),
  content: orNull(either(aString, contentParts)),
  name: aString,
  tool_call_id: aString,
  tool_calls: anArray,
  function_call: anObject,
};
const FUNCTION: Fields = { name: aFilledString, description: aString, parameters: anObject };
const TOOL: Fields = { type: oneOf('function'), function: anObject };
const CALL: Fields = { id: aFilledString, type: oneOf('function'), function: anObject, index: integer(0) };
const CALLED: Fields = { name: aFilledString, arguments: aString };

/**
 * @param thoughtsField the field of a message in which this service says what a model thought
 * @throws Refusal 400 that names the first field that is wrong
 */
export function checkChatRequest(request: Json, thoughtsField?: string): void {
  checkFields(request, FIELDS, ['messages', 'model']);
  const messages = request.messages as unknown[];
  if (messages.length === 0) throw badField('messages', "Field 'messages' must not be empty.");
  const message = thoughtsField === undefined ? MESSAGE : { ...MESSAGE, [thoughtsField]: aString };
  eachObject(request, 'messages', (item, at) => checkMessage(item, at, message));
  eachObject(request, 'functions', (item, at) => checkFields(item, FUNCTION, ['name'], at));
  eachObject(request, 'tools', (item, at) => {
    checkFields(item, TOOL, ['type', 'function'], at);
    checkFields(item.function as Json, FUNCTION, ['name'], `${at}function.`);
  });
  if (isObject(request.response_format)) {
    checkFields(request.response_format, { type: oneOf('text', 'json_object') }, ['type'], 'response_format.');
  }
  if (isObject(request.stream_options)) {
    checkFields(request.stream_options, { include_usage: aBoolean }, [], 'stream_options.');
    if (request.stream !== true) throw badField('stream_options', "Field 'stream_options' needs 'stream': true.");
  }
  if (request.top_logprobs !== undefined && request.logprobs !== true) {
    throw badField('top_logprobs', "Field 'top_logprobs' needs 'logprobs': true.");
  }
  for (const [choice, list] of [
    ['tool_choice', 'tools'],
    ['function_call', 'functions'],
  ] as const) {
    const wants = request[choice] !== undefined && request[choice] !== 'none' && request[choice] !== 'auto';
    if (wants && request[list] === undefined) throw badField(choice, `Field '${choice}' needs '${list}'.`);
  }
}

function checkMessage(message: Json, at: string, fields: Fields): void {
  checkFields(message, fields, ['role'], at);
  eachObject(message, 'tool_calls', (call, where) => {
    checkFields(call, CALL, ['id', 'type', 'function'], at + where);
    checkFields(call.function as Json, CALLED, ['name', 'arguments'], `${at}${where}function.`);
  });
  if (isObject(message.function_call)) {
    checkFields(message.function_call, CALLED, ['name', 'arguments'], `${at}function_call.`);
  }
  const calls =
    message.role === 'assistant' && (message.tool_calls !== undefined || message.function_call !== undefined);
  if ((message.content ?? null) === null && !calls) {
    throw badField(`${at}content`, `Field '${at}content' must be a string.`, 'invalid_type');
  }
  if (message.role === 'tool' && typeof message.tool_call_id !== 'string') {
    throw badField(`${at}tool_call_id`, `Missing required field '${at}tool_call_id'.`, 'missing_required_parameter');
  }
}

function eachObject(owner: Json, field: string, check: (item: Json, at: string) => void): void {
  const list = owner[field];
  if (!Array.isArray(list)) return;
  list.forEach((item: unknown, index) => {
    if (!isObject(item))
      throw badField(`${field}[${index}]`, `Field '${field}[${index}]' must be an object.`, 'invalid_type');
    check(item, `${field}[${index}].`);
  });
}
