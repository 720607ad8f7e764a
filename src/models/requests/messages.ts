import type { ChatMessage, ContentPart, MadeCall } from '../../service/chat/chatRequest.ts';
import { withThoughts } from '../../service/chat/sentThoughts.ts';
import type { CallNotes, NotedCall } from './thoughtMemory.ts';

export type TextPart = { kind: 'text'; text: string };
export type ImagePart = { kind: 'image'; mimeType: string; data: Uint8Array };

/** A part of a message of VS Code, as plain data. */
export type MessagePart =
  | TextPart
  | ImagePart
  | { kind: 'thought'; text: string }
  | { kind: 'tool-call'; id: string; name: string; input: object }
  | { kind: 'tool-result'; id: string; parts: readonly (TextPart | ImagePart)[] };

export interface RequestMessage {
  role: 'system' | 'user' | 'assistant';
  name?: string | undefined;
  parts: readonly MessagePart[];
}

/** The text that the model reads in place of an image that it cannot take. */
const imageLeftOut = '[An image was left out here: this model takes no images.]';
const imageFollows = '[The image is in the next message.]';

/** Gives the notes that were kept of a call. */
type NotesOf = (call: NotedCall) => CallNotes | undefined;

/**
 * Messages of VS Code as the service takes them. There, results of tools stand right after the calls they answer, in
 * messages of their own and as text alone; here they may stand anywhere in what the user says next.
 * @param notesOf the notes on a call: its thoughts go back with it
 */
export function toChatMessages(
  messages: readonly RequestMessage[],
  takesImages: boolean,
  notesOf: NotesOf = () => undefined,
): ChatMessage[] {
  const sent: ChatMessage[] = [];
  let said: ChatMessage[] = [];
  for (const message of messages) {
    const results = resultMessages(message, takesImages);
    if (message.role === 'user') {
      sent.push(...results.answers);
      said = join(said, [...results.images, ...userMessage(message, takesImages)]);
      continue;
    }
    sent.push(...said, ...(message.role === 'assistant' ? assistantMessage(message, notesOf) : systemMessage(message)));
    sent.push(...results.answers);
    said = results.images;
  }
  return [...sent, ...said];
}

function systemMessage(message: RequestMessage): ChatMessage[] {
  const content = textOf(message.parts, '\n');
  return content === '' ? [] : [{ role: 'system', content }];
}

function assistantMessage({ parts }: RequestMessage, notesOf: NotesOf): ChatMessage[] {
  // The pieces of an answer as it streamed.
  const content = textOf(parts, '');
  const made = parts.filter((part) => part.kind === 'tool-call');
  // Thoughts go back with the calls that followed them. Those of an answer that is over are of no use to a model, and
  // some services refuse them.
  if (made.length === 0) return content === '' ? [] : [{ role: 'assistant', content }];
  const notes = made.map(notesOf);
  const calls = made.map((part, index) => madeCall(part, notes[index]));
  const message: ChatMessage = { role: 'assistant', content: content === '' ? null : content, tool_calls: calls };
  const thoughts = notes.find((each) => each?.thoughts !== undefined)?.thoughts ?? thoughtsIn(parts);
  return [thoughts === undefined ? message : withThoughts(message, thoughts)];
}

function madeCall({ id, name, input }: NotedCall, notes: CallNotes | undefined): MadeCall {
  const call = { id, type: 'function' as const, function: { name, arguments: JSON.stringify(input) } };
  return notes?.extraContent === undefined ? call : { ...call, extra_content: notes.extraContent };
}

/** Thoughts as VS Code kept them, for calls of an earlier window; in the field that most services know. */
function thoughtsIn(parts: readonly MessagePart[]): CallNotes['thoughts'] {
  const text = parts.flatMap((part) => (part.kind === 'thought' ? [part.text] : [])).join('');
  return text === '' ? undefined : { form: 'reasoning_content', text };
}

function userMessage({ name, parts }: RequestMessage, takesImages: boolean): ChatMessage[] {
  const content = contentOf(parts, takesImages);
  return content.length === 0 ? [] : [{ role: 'user', content, ...(name ? { name } : {}) }];
}

function resultMessages(
  { parts }: RequestMessage,
  takesImages: boolean,
): { answers: ChatMessage[]; images: ChatMessage[] } {
  const answers: ChatMessage[] = [];
  const images: ContentPart[] = [];
  for (const part of parts) {
    if (part.kind !== 'tool-result') continue;
    const found = takesImages ? part.parts.filter((each) => each.kind === 'image') : [];
    const texts = part.parts.map((each) =>
      each.kind === 'text' ? each.text : takesImages ? imageFollows : imageLeftOut,
    );
    answers.push({ role: 'tool', tool_call_id: part.id, content: texts.join('\n') });
    images.push(...found.map(imageContent));
  }
  return { answers, images: images.length === 0 ? [] : [{ role: 'user', content: images }] };
}

/** Some models refuse two messages of one role in a row, so texts of a user who has no name are joined. */
function join(said: readonly ChatMessage[], next: readonly ChatMessage[]): ChatMessage[] {
  const joined = [...said];
  for (const message of next) {
    const last = joined.at(-1);
    const texts = typeof last?.content === 'string' && typeof message.content === 'string';
    if (texts && last.name === undefined && message.name === undefined)
      joined[joined.length - 1] = { role: 'user', content: `${last.content}\n\n${message.content}` };
    else joined.push(message);
  }
  return joined;
}

/** Text alone where there are no images, since not every service takes a list of parts. */
function contentOf(parts: readonly MessagePart[], takesImages: boolean): string | ContentPart[] {
  const shown = parts.filter((part) => part.kind === 'text' || part.kind === 'image');
  if (!takesImages || shown.every((part) => part.kind === 'text'))
    return shown.map((part) => (part.kind === 'text' ? part.text : imageLeftOut)).join('\n');
  return shown.map((part) => (part.kind === 'text' ? { type: 'text', text: part.text } : imageContent(part)));
}

function imageContent({ mimeType, data }: ImagePart): ContentPart {
  return {
    type: 'image_url',
    image_url: { url: `data:${mimeType};base64,${Buffer.from(data).toString('base64')}` },
  };
}

function textOf(parts: readonly MessagePart[], between: string): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(between);
}
