import type { TextMessage } from '../service/chat/chatRequest.ts';
import { promptWith } from './attachment.ts';
import type { Conversation } from './conversation.ts';

/**
 * The messages to send: instructions, then the conversation, without answers that have no text. Roles alternate, because
 * some models refuse two messages of one role in a row: questions whose answer never came are joined.
 */
export function requestMessages(conversation: Pick<Conversation, 'messages'>, systemPrompt: string): TextMessage[] {
  const sent: TextMessage[] = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  for (const message of conversation.messages) {
    const content = message.role === 'user' ? promptWith(message.text, message.attachments) : message.text;
    if (content === '') continue;
    const last = sent.at(-1);
    if (last?.role === message.role) last.content += `\n\n${content}`;
    else sent.push({ role: message.role, content });
  }
  return sent;
}
