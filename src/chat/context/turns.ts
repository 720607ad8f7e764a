import type { Answer, Message, Question } from '../conversation/conversation.ts';

/** A question that is sent, with the answer that followed it; the last one has none yet. */
export interface Turn {
  readonly question: Question;
  readonly answer?: Answer | undefined;
}

/**
 * The turns to send. A turn whose answer failed, or has no text, is left out with its question: it would be asked again with the
 * next one. So roles alternate, because some models refuse two messages of one role in a row.
 * @param path the messages that lead to the answer, the question last
 */
export function turnsOf(path: readonly Message[]): Turn[] {
  return path.flatMap((question, index) => {
    if (question.role !== 'user') return [];
    const answer = path[index + 1];
    if (index === path.length - 1) return [{ question }];
    return isWorthSending(answer) ? [{ question, answer }] : [];
  });
}

/** An answer that was stopped, or broke off, has said something that the next question may be about. */
function isWorthSending(answer: Message | undefined): answer is Answer {
  return answer?.role === 'assistant' && answer.text.trim() !== '' && answer.error?.kind !== 'content-filter';
}
