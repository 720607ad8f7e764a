import { createHash } from 'node:crypto';
import type { ChatMessage, ContentPart, MadeCall } from '../../service/chat/chatRequest.ts';
import { withThoughts } from '../../service/chat/sentThoughts.ts';
import { contentOf, resultContent, type ShownPart } from './content.ts';
import type { CallNotes, NotedCall } from './thoughtMemory.ts';

export type ResultPart = { kind: 'tool-result'; id: string; parts: readonly ShownPart[] };

/** A part of a message of VS Code, as plain data. */
export type MessagePart =
  | ShownPart
  | { kind: 'thought'; text: string }
  | { kind: 'tool-call'; id: string; name: string; input: object }
  | ResultPart;

export interface RequestMessage {
  role: 'system' | 'user' | 'assistant';
  name?: string | undefined;
  parts: readonly MessagePart[];
}

/** Gives the notes that were kept of a call. */
type NotesOf = (call: NotedCall) => CallNotes | undefined;
/** Gives the name of a tool as the service takes it. */
type NameOf = (tool: string) => string;

/** The text of a result that never came, as after a stop: services refuse a call without one. */
const noResult = '[The tool gave no result: the call was stopped.]';

/**
 * Messages of VS Code as services and the templates of models take them: one system message, at the start; each call with a result
 * right behind it, in a message of its own and as text alone; no result without a call; nothing that is empty; no two messages of
 * one side in a row. VS Code has results anywhere in what the user says next.
 * @param notesOf the notes on a call: its thoughts go back with it
 */
export function toChatMessages(
  messages: readonly RequestMessage[],
  takesImages: boolean,
  notesOf: NotesOf = () => undefined,
  nameOf: NameOf = (tool) => tool,
): ChatMessage[] {
  const { results, strays } = pairResults(messages);
  const sent: ChatMessage[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    if (message.role === 'user') {
      const shown = [
        ...message.parts.filter(isShown),
        ...message.parts.filter((part) => strays.has(part)).map(strayText),
      ];
      const content = contentOf(shown, takesImages);
      const { name } = message;
      if (content.length > 0) add(sent, { role: 'user', content, ...(name ? { name } : {}) });
      continue;
    }
    const said = assistantMessage(message, notesOf, nameOf);
    if (said === undefined) continue;
    add(sent, said);
    addResults(sent, message, results, takesImages);
  }
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ parts }) => textOf(parts, '\n'))
    .filter((text) => text.trim() !== '');
  return system.length === 0 ? sent : [{ role: 'system', content: system.join('\n\n') }, ...sent];
}

type Results = ReadonlyMap<MessagePart, readonly ResultPart[]>;

/** The results of each call, and those whose call is not there. An id may be used again: a result is that of the latest call. */
function pairResults(messages: readonly RequestMessage[]): { results: Results; strays: ReadonlySet<MessagePart> } {
  const latest = new Map<string, MessagePart>();
  const results = new Map<MessagePart, ResultPart[]>();
  const strays = new Set<MessagePart>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'tool-call') latest.set(part.id, part);
    if (part.kind !== 'tool-result') continue;
    const call = latest.get(part.id);
    if (call === undefined) strays.add(part);
    else results.set(call, [...(results.get(call) ?? []), part]);
  }
  return { results, strays };
}

function addResults(sent: ChatMessage[], { parts }: RequestMessage, results: Results, takesImages: boolean): void {
  const images: ContentPart[] = [];
  for (const call of parts) {
    if (call.kind !== 'tool-call') continue;
    const given = results.get(call)?.flatMap((result) => result.parts);
    const result = given === undefined ? { text: noResult, images: [] } : resultContent(given, takesImages);
    sent.push({ role: 'tool', tool_call_id: sentId(call.id), content: result.text });
    images.push(...result.images);
  }
  if (images.length > 0) sent.push({ role: 'user', content: images });
}

/** A result whose call is gone, as where a conversation was cut short: what it says is not lost. */
function strayText(part: MessagePart): ShownPart {
  const { text } = resultContent(part.kind === 'tool-result' ? part.parts : [], false);
  return { kind: 'text', text: `[Result of a tool:]\n${text}` };
}

function assistantMessage({ parts }: RequestMessage, notesOf: NotesOf, nameOf: NameOf): ChatMessage | undefined {
  // The pieces of an answer as it streamed.
  const content = textOf(parts, '');
  const made = parts.filter((part) => part.kind === 'tool-call');
  // Thoughts go back with the calls that followed them. Those of an answer that is over are of no use to a model, and
  // some services refuse them.
  if (made.length === 0) return content.trim() === '' ? undefined : { role: 'assistant', content };
  const notes = made.map((call) => notesOf(call));
  const calls = made.map((part, index) => madeCall(part, nameOf(part.name), notes[index]));
  const message: ChatMessage = {
    role: 'assistant',
    content: content.trim() === '' ? null : content,
    tool_calls: calls,
  };
  const thoughts = notes.find((each) => each?.thoughts !== undefined)?.thoughts ?? thoughtsIn(parts);
  return thoughts === undefined ? message : withThoughts(message, thoughts);
}

function madeCall({ id, input }: NotedCall, name: string, notes: CallNotes | undefined): MadeCall {
  const call = { id: sentId(id), type: 'function' as const, function: { name, arguments: JSON.stringify(input) } };
  return notes?.extraContent === undefined ? call : { ...call, extra_content: notes.extraContent };
}

/** Services refuse ids of more than 40 characters; those of other services may be longer. */
function sentId(id: string): string {
  return /^[\w.:-]{1,40}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}

/** Thoughts as VS Code kept them, for calls of an earlier window; in the field that most services know. */
function thoughtsIn(parts: readonly MessagePart[]): CallNotes['thoughts'] {
  const text = parts.flatMap((part) => (part.kind === 'thought' ? [part.text] : [])).join('');
  return text === '' ? undefined : { form: 'reasoning_content', text };
}

/** Adds a message, to the one before where both are of one side: some models refuse two of one role in a row. */
function add(sent: ChatMessage[], message: ChatMessage): void {
  const last = sent.at(-1);
  const joined = last === undefined ? undefined : join(last, message);
  if (joined === undefined) sent.push(message);
  else sent[sent.length - 1] = joined;
}

function join(last: ChatMessage, next: ChatMessage): ChatMessage | undefined {
  const isSame = last.role === next.role && last.name === undefined && next.name === undefined;
  if (!isSame || last.tool_calls !== undefined || next.reasoning_details !== undefined) return undefined;
  if (typeof last.content !== 'string' || (typeof next.content !== 'string' && next.content !== null))
    return last.role === 'user'
      ? { ...next, content: [...partsOf(last.content), ...partsOf(next.content)] }
      : undefined;
  return { ...next, content: next.content === null ? last.content : `${last.content}\n\n${next.content}` };
}

function partsOf(content: ChatMessage['content']): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

function isShown(part: MessagePart): part is ShownPart {
  return part.kind === 'text' || part.kind === 'image' || part.kind === 'other';
}

function textOf(parts: readonly MessagePart[], between: string): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(between);
}
