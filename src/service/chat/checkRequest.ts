import { isJsonValue, isPlainObject } from '../../base/jsonText.ts';
import {
  checkFields,
  either,
  type FieldChecks,
  invalidField,
  isFilledString,
  isList,
  isObject,
  isString,
  matches,
  orNull,
} from '../fieldChecks.ts';
import { type ChatRequest, checkEachField, checkFormat, eachItem } from './chatRequest.ts';

/** The fields of a message: section 2.2, and those that carry the calls that a later message answers. */
const message: FieldChecks = {
  role: isFilledString,
  content: orNull(either(isString, isList)),
  name: isFilledString,
  tool_call_id: isFilledString,
  tool_calls: isList,
  function_call: isObject,
  reasoning_content: isString,
  reasoning: isString,
  thinking: isString,
  reasoning_details: isList,
};
const call: FieldChecks = {
  id: isFilledString,
  type: matches(/^function$/, '“function”'),
  function: isObject,
  extra_content: isObject,
};
const called: FieldChecks = { name: isFilledString, arguments: isString };

/**
 * Checks a request before anything is sent, so that a mistake is named by its field, and costs nothing.
 * @throws ServiceError `invalid-request`; `param` is the field (`tools[0].function.name`), `hint` what it takes
 */
export function checkChatRequest(request: ChatRequest, model: string): void {
  if (typeof model !== 'string' || model.trim() === '') throw invalidField('model', 'text that is not empty');
  checkMessages(request.messages);
  const given = request.fields ?? {};
  checkEachField(given);
  checkChoices(given);
  checkFormats(given, request.stream);
  checkExtra(request.extra);
}

function checkMessages(messages: ChatRequest['messages']): void {
  if (isList(messages) !== undefined) throw invalidField('messages', 'at least one message');
  eachItem(messages, 'messages', (item, at) => {
    checkFields(item, message, ['role'], at);
    const makesCalls = item.tool_calls !== undefined || item.function_call !== undefined;
    if (item.content === undefined || (item.content === null && !makesCalls)) {
      throw invalidField(`${at}content`, 'text, or a list of parts');
    }
    eachItem(Array.isArray(item.content) ? item.content : undefined, `${at}content`, checkPart);
    eachItem(item.tool_calls, `${at}tool_calls`, (made, where) => {
      checkFields(made, call, ['id', 'type', 'function'], where);
      checkFields(made.function, called, ['name', 'arguments'], `${where}function.`);
    });
    if (item.function_call !== undefined) {
      checkFields(item.function_call, called, ['name', 'arguments'], `${at}function_call.`);
    }
    if (item.role === 'tool') checkFields({ tool_call_id: item.tool_call_id }, message, ['tool_call_id'], at);
    if (item.role === 'function') checkFields({ name: item.name }, message, ['name'], at);
  });
}

/** Checks a part of a message; parts of other types are left to the service. */
function checkPart(part: { type: string; text?: unknown; image_url?: unknown }, at: string): void {
  if (isFilledString(part.type) !== undefined) throw invalidField(`${at}type`, 'text that is not empty');
  if (part.type === 'text' && typeof part.text !== 'string') throw invalidField(`${at}text`, 'text');
  if (part.type !== 'image_url') return;
  const url = isPlainObject(part.image_url) ? part.image_url['url'] : undefined;
  if (isFilledString(url) !== undefined) throw invalidField(`${at}image_url.url`, 'an address');
}

function checkChoices(given: NonNullable<ChatRequest['fields']>): void {
  for (const [choice, list, member] of [
    ['tool_choice', 'tools', 'function.name'],
    ['function_call', 'functions', 'name'],
  ] as const) {
    const wanted = given[choice];
    if (wanted === undefined || wanted === 'none' || wanted === 'auto') continue;
    if (given[list] === undefined) throw invalidField(choice, `a value other than “none” and “auto” only with ${list}`);
    if (typeof wanted === 'string') continue;
    const name = 'function' in wanted ? wanted.function?.name : 'name' in wanted ? wanted.name : undefined;
    if (isFilledString(name) !== undefined) throw invalidField(`${choice}.${member}`, 'the name of a function');
  }
}

function checkFormats(given: NonNullable<ChatRequest['fields']>, stream: boolean): void {
  const { response_format: format, stream_options: options, logprobs, top_logprobs: top } = given;
  if (top !== undefined && logprobs !== true) throw invalidField('top_logprobs', 'a value only with logprobs');
  checkFormat(format);
  if (options === undefined || options === null) return;
  if (!stream) throw invalidField('stream_options', 'a value only with a stream');
  if (options.include_usage !== undefined && typeof options.include_usage !== 'boolean') {
    throw invalidField('stream_options.include_usage', 'true or false');
  }
}

/** Fields of the request that are Parley's own to set. */
const ownFields = ['model', 'messages', 'stream'];

function checkExtra(extra: unknown): void {
  if (extra === undefined) return;
  if (!isPlainObject(extra) || !isJsonValue(extra)) throw invalidField('parley.chat.extraBody', 'a JSON object');
  const own = ownFields.find((name) => extra[name] !== undefined);
  if (own !== undefined) throw invalidField(`parley.chat.extraBody.${own}`, 'no value: Parley sets this field');
}
