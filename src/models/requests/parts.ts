import {
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  LanguageModelDataPart,
  LanguageModelPromptTsxPart,
  type LanguageModelResponsePart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from 'vscode';
import { decode } from '../../base/encoding/decode.ts';
import { thinkingPartClass } from '../../editor/text/proposed.ts';
import type { ShownPart } from './content.ts';
import type { Piece } from './delivery.ts';
import type { MessagePart, RequestMessage } from './messages.ts';

/**
 * A piece of an answer as VS Code takes it; undefined for a thought where VS Code has no part for it.
 * @param thoughtId the same for all thoughts of an answer, which VS Code then draws as one
 */
export function writePart(piece: Piece, thoughtId: string): LanguageModelResponsePart | undefined {
  switch (piece.kind) {
    case 'text':
      return new LanguageModelTextPart(piece.text);
    case 'tool-call':
      return new LanguageModelToolCallPart(piece.id, piece.name, piece.input);
    case 'usage':
      // The mime type and the members are those of VS Code's own chat, which reads it from any provider.
      return LanguageModelDataPart.json(piece.usage, 'usage');
    case 'thought': {
      const Thinking = thinkingPartClass();
      return Thinking === undefined ? undefined : new Thinking(piece.text, thoughtId);
    }
  }
}

/** A message of VS Code as plain data. Parts that Parley does not know are left out. */
export function readMessage({ role, name, content }: LanguageModelChatRequestMessage): RequestMessage {
  return { role: readRole(role), name, parts: content.flatMap(readPart) };
}

function readRole(role: LanguageModelChatMessageRole): RequestMessage['role'] {
  if (role === LanguageModelChatMessageRole.User) return 'user';
  // A third role, still a proposal: VS Code's own chat begins with it.
  return role === LanguageModelChatMessageRole.Assistant ? 'assistant' : 'system';
}

function readPart(part: unknown): MessagePart[] {
  if (part instanceof LanguageModelToolCallPart) {
    return [{ kind: 'tool-call', id: part.callId, name: part.name, input: part.input }];
  }
  if (part instanceof LanguageModelToolResultPart) {
    return [{ kind: 'tool-result', id: part.callId, parts: part.content.flatMap(readContent) }];
  }
  const Thinking = thinkingPartClass();
  if (Thinking !== undefined && part instanceof Thinking) {
    // VS Code joins thoughts by lists.
    const value: unknown = part.value;
    return [{ kind: 'thought', text: Array.isArray(value) ? value.join('') : String(value) }];
  }
  return readContent(part);
}

function readContent(part: unknown): ShownPart[] {
  if (part instanceof LanguageModelTextPart) return [{ kind: 'text', text: part.value }];
  // A tree is the form in which some tools give their result; a model can read it.
  if (part instanceof LanguageModelPromptTsxPart) return [{ kind: 'text', text: JSON.stringify(part.value) }];
  if (!(part instanceof LanguageModelDataPart)) return [];
  const { mimeType, data } = part;
  if (mimeType.startsWith('image/')) return [{ kind: 'image', mimeType, data }];
  const isText = mimeType.startsWith('text/') || /[/+]json$/.test(mimeType);
  if (isText) return [{ kind: 'text', text: decode(data) ?? new TextDecoder().decode(data) }];
  // What has no slash is no type of data: a note that VS Code's own chat keeps in its messages.
  return mimeType.includes('/') ? [{ kind: 'other', mimeType }] : [];
}
