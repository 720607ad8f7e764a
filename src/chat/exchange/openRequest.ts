import { isJsonObject } from '../../base/jsonText.ts';
import { longestModel, longestSystemPrompt } from '../parameters/configuration.ts';
import { isParameter, isParameterName, type Parameters, type ParameterValue } from '../parameters/parameterForms.ts';
import { curlBody } from './curlBody.ts';
import { format, formatVersion } from './exportJson.ts';
import { isDeeperThan } from './jsonDepth.ts';

/** A chat request as a conversation, which goes on where the request stands. */
export interface OpenedRequest {
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly parameters: Parameters;
  /** The earlier turns in the form of exported conversations; undefined where there are none. */
  readonly turns: string | undefined;
  /** The question that the request asks. */
  readonly question: string;
  /** What of the request a conversation of Parley does not have. */
  readonly leftOut: number;
}

/** The deepest nesting of a request. */
const deepest = 128;

/** Reads a chat request: its JSON body, or a command of cURL that sends it. Undefined for anything else. */
export function openRequest(text: string, newId: () => string): OpenedRequest | undefined {
  const body = bodyOf(text);
  const messages = body?.['messages'];
  if (body === undefined || !Array.isArray(messages) || messages.length === 0) return undefined;
  const { system, turns, question, leftOut } = readMessages(messages);
  const { model } = body;
  const given = fieldsOf(body);
  const known = given.filter(([name, value]) => isParameterName(name) && isParameter(name, value));
  const parameters = Object.fromEntries(known as [string, ParameterValue][]) as Parameters;
  const isModel = typeof model === 'string' && model !== '' && model.length <= longestModel;
  const isPrompt = system !== '' && system.length <= longestSystemPrompt;
  const configuration = { ...(isModel && { model }), ...(isPrompt && { systemPrompt: system }) };
  const lost = [!isModel && (model ?? '') !== '', !isPrompt && system !== ''].filter(Boolean).length;
  return {
    ...configuration,
    parameters,
    turns: turns.length === 0 ? undefined : exported(turns, { ...configuration, parameters }, newId),
    question,
    leftOut: leftOut + lost + given.length - known.length,
  };
}

/** The fields of a request beside its messages and its model. The newer name of `max_tokens` is the same field. */
function fieldsOf(body: Readonly<Record<string, unknown>>): [string, unknown][] {
  const given = Object.entries(body).filter(([name, value]) => !['messages', 'model'].includes(name) && value !== null);
  const hasOwn = given.some(([name]) => name === 'max_tokens');
  return given.map(([name, value]) => [name === 'max_completion_tokens' && !hasOwn ? 'max_tokens' : name, value]);
}

function bodyOf(text: string): Record<string, unknown> | undefined {
  const bare = withoutFence(text.replace(/^\uFEFF/, '').trim());
  const json = bare.startsWith('{') ? bare : curlBody(bare);
  if (json === undefined || isDeeperThan(json, deepest)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What stands in a fence of code, where all of the text does. */
function withoutFence(text: string): string {
  if (!text.startsWith('```') || !text.endsWith('```')) return text;
  const [first = '', ...lines] = text.slice(0, -3).split('\n');
  return /^```[\w-]*\r?$/.test(first) ? lines.join('\n').trim() : text;
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** Questions and answers in turn: messages of one side after each other are one. What comes before the first question has no place. */
function readMessages(messages: readonly unknown[]) {
  const system: string[] = [];
  const turns: Turn[] = [];
  let leftOut = 0;
  for (const message of messages) {
    const { role, content } = isJsonObject(message) ? message : {};
    const { text, lost } = textOf(content);
    leftOut += lost;
    const last = turns.at(-1);
    if (role === 'system' || role === 'developer') system.push(text);
    else if ((role !== 'user' && role !== 'assistant') || text === '' || (last === undefined && role !== 'user'))
      leftOut++;
    else if (last?.role === role) turns[turns.length - 1] = { role, text: `${last.text}\n\n${text}` };
    else turns.push({ role, text });
  }
  const isAsking = turns.at(-1)?.role === 'user';
  const question = isAsking ? (turns.pop()?.text ?? '') : '';
  return { system: system.join('\n\n'), turns, question, leftOut };
}

/** The text of a message, and how many of its parts are none. */
function textOf(content: unknown): { readonly text: string; readonly lost: number } {
  if (typeof content === 'string') return { text: content, lost: 0 };
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) => {
    const { type, text } = isJsonObject(part) ? part : {};
    return type === 'text' && typeof text === 'string' ? [text] : [];
  });
  return { text: texts.join('\n\n'), lost: parts.length - texts.length };
}

function exported(turns: readonly Turn[], configuration: object, newId: () => string): string {
  let parent: string | undefined;
  const messages = turns.map(({ role, text }, index) => {
    const message = { role, id: newId(), parent, at: index, text, ...(role === 'assistant' && { state: 'complete' }) };
    parent = message.id;
    return message;
  });
  return JSON.stringify({ format, version: formatVersion, conversations: [{ configuration, messages }] });
}
