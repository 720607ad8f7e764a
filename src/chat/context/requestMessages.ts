import { estimateTokens } from '../../base/tokens.ts';
import type { ChatMessage, ContentPart } from '../../service/chat/chatRequest.ts';
import type { Answer, Message, Question } from '../conversation.ts';
import { attachmentTokens, promptWith } from './attachment.ts';
import type { ModelFacts } from './modelFacts.ts';

/** A question that is sent, with the answer that followed it; the last one has none yet. */
export interface Turn {
  readonly question: Question;
  readonly answer?: Answer | undefined;
}

/** What a request is made of. */
export interface RequestPlan {
  readonly turns: readonly Turn[];
  /** The turns before those: the model does not read as much. */
  readonly leftOut: readonly Turn[];
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

/** Tokens of a message's frame, roughly: its role and its borders. */
const frameTokens = 4;

/** Roughly how many tokens a model reads in a text that is a message. */
export function messageTokens(text: string): number {
  return text === '' ? 0 : estimateTokens(text) + frameTokens;
}

/** Messages do not change, but for the answer that is being written: each is counted once. */
const counted = new WeakMap<Message, number>();

/** Roughly how many tokens a model reads in a turn. */
export function turnTokens({ question, answer }: Turn): number {
  return countMessage(question) + (answer === undefined ? 0 : countMessage(answer));
}

function countMessage(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const attached =
    message.role === 'user' ? message.attachments.reduce((sum, each) => sum + attachmentTokens(each), 0) : 0;
  const count = messageTokens(message.text) + attached;
  counted.set(message, count);
  return count;
}

/**
 * Leaves out the oldest turns of a conversation that has outgrown the model's context window, by estimate. The instructions and
 * the last question are always sent.
 * @param room tokens of the window without those that are kept for the answer; undefined where nobody knows
 */
export function planRequest(turns: readonly Turn[], systemPrompt: string, room: number | undefined): RequestPlan {
  const last = turns.at(-1);
  if (room === undefined || last === undefined) return { turns, leftOut: [] };
  let left = room - messageTokens(systemPrompt) - turnTokens(last);
  let first = turns.length - 1;
  for (let turn = turns[first - 1]; turn !== undefined; turn = turns[first - 1]) {
    left -= turnTokens(turn);
    if (left < 0) break;
    first--;
  }
  return { turns: turns.slice(first), leftOut: turns.slice(0, first) };
}

/** The tokens of a context window that a request may have; undefined where the window is not known. */
export function requestRoom({ window }: Pick<ModelFacts, 'window'>): number | undefined {
  return window === undefined ? undefined : window.size - window.answerRoom;
}

/** The messages to send: instructions, then the turns. @param takesImages whether the model sees */
export function requestMessages(turns: readonly Turn[], systemPrompt: string, takesImages = true): ChatMessage[] {
  const sent: ChatMessage[] = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  for (const { question, answer } of turns) {
    sent.push({ role: 'user', content: contentOf(question, takesImages) });
    if (answer !== undefined) sent.push({ role: 'assistant', content: answer.text });
  }
  return sent;
}

function contentOf({ text, attachments }: Question, takesImages: boolean): string | ContentPart[] {
  const images = takesImages ? attachments.flatMap(({ image }) => (image === undefined ? [] : [image])) : [];
  const rest = images.length === 0 ? attachments : attachments.filter(({ image }) => image === undefined);
  const words = promptWith(text, rest);
  if (images.length === 0) return words;
  return [
    ...(words === '' ? [] : [{ type: 'text', text: words } as const]),
    ...images.map(
      ({ type, data }) => ({ type: 'image_url', image_url: { url: `data:${type};base64,${data}` } }) as const,
    ),
  ];
}
