import {
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  LanguageModelDataPart,
  LanguageModelPromptTsxPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from 'vscode';
import type { ImagePart, Message, Part, TextPart } from './messages.ts';

/** A message of VS Code as plain data. Parts that Parley does not know, such as thoughts, are left out. */
export function readMessage({ role, name, content }: LanguageModelChatRequestMessage): Message {
  return { role: readRole(role), name, parts: content.flatMap(readPart) };
}

function readRole(role: LanguageModelChatMessageRole): Message['role'] {
  if (role === LanguageModelChatMessageRole.User) return 'user';
  // A third role, still a proposal: VS Code's own chat begins with it.
  return role === LanguageModelChatMessageRole.Assistant ? 'assistant' : 'system';
}

function readPart(part: unknown): Part[] {
  if (part instanceof LanguageModelToolCallPart) {
    return [{ kind: 'tool-call', id: part.callId, name: part.name, input: part.input }];
  }
  if (part instanceof LanguageModelToolResultPart) {
    return [{ kind: 'tool-result', id: part.callId, parts: part.content.flatMap(readContent) }];
  }
  return readContent(part);
}

function readContent(part: unknown): (TextPart | ImagePart)[] {
  if (part instanceof LanguageModelTextPart) return [{ kind: 'text', text: part.value }];
  // The form in which some tools give their result: a tree, which a model can read.
  if (part instanceof LanguageModelPromptTsxPart) return [{ kind: 'text', text: JSON.stringify(part.value) }];
  if (!(part instanceof LanguageModelDataPart)) return [];
  const { mimeType, data } = part;
  if (mimeType.startsWith('image/')) return [{ kind: 'image', mimeType, data }];
  const isText = mimeType.startsWith('text/') || /[/+]json$/.test(mimeType);
  return isText ? [{ kind: 'text', text: new TextDecoder().decode(data) }] : [];
}
