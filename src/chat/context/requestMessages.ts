import { estimateTokens } from '../../base/tokens.ts';
import type { ChatMessage, ContentPart } from '../../service/chat/chatRequest.ts';
import { attachmentTokens, promptWith } from '../conversation/attachment.ts';
import type { Message, Question } from '../conversation/conversation.ts';
import type { ModelFacts } from './modelFacts.ts';
import { type Summaries, summaryOf, summaryTurn } from './summary.ts';
import type { Turn } from './turns.ts';

/** What a request is made of. */
export interface RequestPlan {
  readonly turns: readonly Turn[];
  /** The turns before those: the model does not read as much. */
  readonly leftOut: readonly Turn[];
  /** Whether the first of the turns is a summary of what was before. */
  readonly isSummarised: boolean;
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
 * Leaves out the oldest turns of a conversation that has outgrown the model's context window, by estimate; those that were
 * summarised are replaced then. The instructions and the last question are always sent.
 * @param room tokens of the window without those that are kept for the answer; undefined where nobody knows
 */
export function planRequest(
  turns: readonly Turn[],
  systemPrompt: string,
  room: number | undefined,
  summaries: Summaries = new Map(),
): RequestPlan {
  if (room === undefined) return { turns, leftOut: [], isSummarised: false };
  const left = room - messageTokens(systemPrompt);
  const first = firstWithin(turns, left);
  const summarised = first > 0 ? summaryOf(turns, summaries) : undefined;
  if (summarised === undefined)
    return { turns: turns.slice(first), leftOut: turns.slice(0, first), isSummarised: false };
  const summary = summaryTurn(summarised.summary);
  const rest = turns.slice(summarised.count);
  const next = firstWithin(rest, left - turnTokens(summary));
  return { turns: [summary, ...rest.slice(next)], leftOut: rest.slice(0, next), isSummarised: true };
}

/** The first of the turns that fit from there on. The last one always does. */
function firstWithin(turns: readonly Turn[], room: number): number {
  let left = room;
  for (let first = turns.length - 1; first >= 0; first--) {
    left -= turnTokens(turns[first] as Turn);
    if (left < 0) return Math.min(first + 1, Math.max(0, turns.length - 1));
  }
  return 0;
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
