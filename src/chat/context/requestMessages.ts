import type { TextMessage } from '../../service/chat/chatRequest.ts';
import type { Answer, Message, Question } from '../conversation.ts';
import { promptWith } from './attachment.ts';

/**
 * The messages to send: instructions, then the turns before the question, then the question. A turn whose answer failed, or has no
 * text, is left out with its question: it would be asked again with the next one. So roles alternate, because some models
 * refuse two messages of one role in a row.
 * @param path the messages that lead to the answer, the question last
 */
export function requestMessages(path: readonly Message[], systemPrompt: string): TextMessage[] {
  const sent: TextMessage[] = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  for (const [index, message] of path.entries()) {
    if (message.role !== 'user') continue;
    const answer = path[index + 1];
    const isLast = index === path.length - 1;
    if (!isLast && !isWorthSending(answer)) continue;
    sent.push({ role: 'user', content: contentOf(message) });
    if (answer?.role === 'assistant') sent.push({ role: 'assistant', content: answer.text });
  }
  return sent;
}

function contentOf({ text, attachments }: Question): string {
  return promptWith(text, attachments);
}

/** An answer that was stopped, or broke off, has said something that the next question may be about. */
function isWorthSending(answer: Message | undefined): answer is Answer {
  return answer?.role === 'assistant' && answer.text.trim() !== '' && answer.error?.kind !== 'content-filter';
}
