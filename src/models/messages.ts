import type { ChatMessage, ContentPart } from '../service/chatRequest.ts';

export type TextPart = { kind: 'text'; text: string };
export type ImagePart = { kind: 'image'; mimeType: string; data: Uint8Array };

/** A part of a message of VS Code, as plain data. */
export type Part =
  | TextPart
  | ImagePart
  | { kind: 'tool-call'; id: string; name: string; input: object }
  | { kind: 'tool-result'; id: string; parts: readonly (TextPart | ImagePart)[] };

export interface Message {
  role: 'system' | 'user' | 'assistant';
  name?: string | undefined;
  parts: readonly Part[];
}

/** What the model reads in place of an image that it cannot take. */
const imageLeftOut = '[An image was left out here: this model takes no images.]';
const imageFollows = '[The image is in the next message.]';

/**
 * Messages of VS Code as the service takes them. There, results of tools stand right after the calls they answer, in
 * messages of their own and as text alone; here they may stand anywhere in what the user says next.
 */
export function toChatMessages(messages: readonly Message[], takesImages: boolean): ChatMessage[] {
  const sent: ChatMessage[] = [];
  let said: ChatMessage[] = [];
  for (const message of messages) {
    const results = resultMessages(message, takesImages);
    if (message.role === 'user') {
      sent.push(...results.answers);
      said = join(said, [...results.images, ...userMessage(message, takesImages)]);
      continue;
    }
    sent.push(...said, ...(message.role === 'assistant' ? assistantMessage(message) : systemMessage(message)));
    sent.push(...results.answers);
    said = results.images;
  }
  return [...sent, ...said];
}

function systemMessage(message: Message): ChatMessage[] {
  const content = textOf(message.parts, '\n');
  return content === '' ? [] : [{ role: 'system', content }];
}

function assistantMessage({ parts }: Message): ChatMessage[] {
  // The pieces of an answer as it streamed.
  const content = textOf(parts, '');
  const calls = parts.flatMap((part) =>
    part.kind === 'tool-call'
      ? [
          {
            id: part.id,
            type: 'function' as const,
            function: { name: part.name, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  );
  if (calls.length > 0) return [{ role: 'assistant', content: content === '' ? null : content, tool_calls: calls }];
  return content === '' ? [] : [{ role: 'assistant', content }];
}

function userMessage({ name, parts }: Message, takesImages: boolean): ChatMessage[] {
  const content = contentOf(parts, takesImages);
  return content.length === 0 ? [] : [{ role: 'user', content, ...(name ? { name } : {}) }];
}

function resultMessages({ parts }: Message, takesImages: boolean): { answers: ChatMessage[]; images: ChatMessage[] } {
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
function contentOf(parts: readonly Part[], takesImages: boolean): string | ContentPart[] {
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

function textOf(parts: readonly Part[], between: string): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(between);
}
