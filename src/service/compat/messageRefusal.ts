import { createHash } from 'node:crypto';
import type { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import type { Adjustment } from './fieldMemory.ts';

/** The field of an adjustment that is about the system messages; no request has a field of this name. */
export const systemField = 'messages.system';
/** The field of an adjustment that is about the order of the messages; no request has a field of this name. */
export const orderField = 'messages.order';
/** The field of an adjustment that is about the ids of calls; no request has a field of this name. */
export const idsField = 'messages.ids';

type Body = Readonly<Record<string, unknown>>;
type Message = Readonly<Record<string, unknown>>;

const refusesSystem = new RegExp(
  [
    '\\bsystem\\b[^.]{0,40}(?:\\bnot\\b|n.t\\b|un)\\s?(?:be )?(?:supported|allowed|permitted|accepted|valid|enabled)',
    '(?:unsupported|unknown|unexpected|invalid|unrecogni[sz]ed)\\b[^.]{0,30}\\brole\\b[^.]{0,20}\\bsystem\\b',
    '\\bonly\\b[^.]{0,60}\\broles?\\b[^.]{0,60}\\bsystem\\b|\\bonly\\b[^.]{0,40}\\buser\\b[^.]{0,40}\\broles? (?:are|is) (?:supported|allowed)',
    '\\brole\\b(?![^.]*\\bsystem\\b)[^.]{0,40}(?:should|must) be\\b[^.]{0,40}\\buser\\b|(?:unexpected|invalid|unsupported|unknown) (?:message )?role\\W*$',
    '(?:system|developer) instructions?\\b[^.]{0,20}(?:is|are) not\\b|does(?:n.t| not) support (?:a |the )?["\'`]?system',
    '\\bsystem\\b[^.。]{0,20}(?:不被?支持|未対応|サポートされて|지원)|不被?支持[^.。]{0,20}\\bsystem\\b',
  ].join('|'),
  'i',
);
/** Only one, and at the start: what Qwen's templates, among others, say. */
const wantsOneSystem =
  /system messages?\b[^.]{0,30}\b(?:must|should|has to|can only)\b[^.]{0,30}\b(?:beginning|start|first|once)|(?:only|more than) one system message|multiple system messages/i;
const wantsOrder =
  /roles? must alternate|must alternate between|alternat(?:e|ing)\b[^.]{0,20}\b(?:user|roles?)|(?:unexpected|invalid) role\b[^.]{0,30}\bafter role|(?:first|last) message\b[^.]{0,20}\b(?:must|should)\b[^.]{0,20}\buser\b|(?:must|should) start with (?:a )?user/i;

/** The rule of Mistral's services and templates: nine letters and digits. */
const wantsIds =
  /tool[ _]?calls?\W{0,3}\w{0,3}\W{0,3}ids?\b[^.]{0,80}(?:\b(?:must|should)\b|length|invalid|too long)|\bids?\b[^.]{0,60}\blength (?:of )?9\b/i;

/**
 * The change to the messages that a chat template, or a service, refused for a system message or for the order of roles. What
 * changes least is tried first: one system message at the start and no two messages of one role, then none of the system.
 */
export function messageAdjustment(
  error: ServiceError,
  body: Body,
  made: readonly Adjustment[],
): Adjustment | undefined {
  const messages = messagesOf(body);
  const { message } = error;
  const isNew = (field: string): boolean => !made.some((each) => each.field === field);
  if (wantsIds.test(message) && isNew(idsField) && differs(messages, withOwnIds(messages))) return { field: idsField };
  const isAboutOrder = wantsOrder.test(message);
  if (!isAboutOrder && !wantsOneSystem.test(message) && !refusesSystem.test(message)) return undefined;
  if (!refusesSystem.test(message) && differs(messages, inOrder(messages)) && isNew(orderField))
    return { field: orderField };
  return messages.some(isSystem) && isNew(systemField) ? { field: systemField } : undefined;
}

/** The messages as a service takes them that refused them for a system message, or for their order. */
export function adjustMessages(body: Body, { field }: Adjustment): Body {
  const messages = messagesOf(body);
  const change = field === systemField ? withoutSystem : field === idsField ? withOwnIds : inOrder;
  const next = change(messages);
  return differs(messages, next) ? { ...body, messages: next } : body;
}

function differs(one: readonly Message[], other: readonly Message[]): boolean {
  return one.length !== other.length || one.some((message, at) => message !== other[at]);
}

/** Ids of calls as nine letters and digits, the same for a call and its result. */
function withOwnIds(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    const { tool_calls: calls, tool_call_id: id } = message;
    if (typeof id === 'string' && ownId(id) !== id) return { ...message, tool_call_id: ownId(id) };
    if (!Array.isArray(calls) || calls.every((call) => ownId(call?.id) === call?.id)) return message;
    return { ...message, tool_calls: calls.map((call) => ({ ...call, id: ownId(call?.id) })) };
  });
}

/** An id as every service takes it. */
function ownId(id: unknown): unknown {
  if (typeof id !== 'string' || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, 9);
}

/** The text of the system messages stands before the first question. */
function withoutSystem(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(isSystem)) return messages;
  const others = messages.filter((message) => !isSystem(message));
  const first = others.findIndex(({ role }) => role === 'user');
  const text = messages.filter(isSystem).map(textOf).join('\n\n');
  const question = others[first];
  if (question === undefined) return [{ role: 'user', content: text }, ...others];
  return others.with(first, joined({ role: 'user', content: text }, question));
}

/** One system message, at the start; neighbours of one role as one; an assistant's word between a tool's result and a question. */
function inOrder(messages: readonly Message[]): readonly Message[] {
  const systems = messages.filter(isSystem);
  const [system, ...more] = systems;
  const ordered: Message[] = system === undefined ? [] : [more.reduce(joined, system)];
  for (const message of messages.filter((each) => !isSystem(each))) {
    const last = ordered.at(-1);
    if (last !== undefined && canJoin(last, message)) ordered[ordered.length - 1] = joined(last, message);
    else if (last?.['role'] === 'tool' && message['role'] === 'user')
      ordered.push({ role: 'assistant', content: 'I have the result.' }, message);
    else ordered.push(message);
  }
  return ordered;
}

function canJoin(one: Message, other: Message): boolean {
  const isPlain = (message: Message): boolean => message['tool_calls'] === undefined;
  const { role } = one;
  return role === other['role'] && (role === 'user' || (role === 'assistant' && isPlain(one) && isPlain(other)));
}

function joined(one: Message, other: Message): Message {
  const [before, after] = [one['content'], other['content']];
  if (typeof before === 'string' && typeof after === 'string')
    return { ...other, ...one, content: [before, after].filter((text) => text.trim() !== '').join('\n\n') };
  return { ...other, ...one, content: [...partsOf(before), ...partsOf(after)] };
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' && content.trim() !== '' ? [{ type: 'text', text: content }] : [];
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return partsOf(content)
    .map((part) => (isPlainObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('\n');
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

function messagesOf(body: Body): readonly Message[] {
  const { messages } = body;
  return Array.isArray(messages) && messages.every(isPlainObject) ? messages : [];
}
