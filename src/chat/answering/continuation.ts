import type { TextMessage } from '../../service/chat/chatRequest.ts';
import { meaningOf } from '../../service/chat/completion.ts';
import type { Answer } from '../conversation/conversation.ts';

/** Asks for the rest of an answer that was cut. The words that are repeated tell whether it went on within a word. */
export const continuePrompt =
  'Your last message was cut off. Go on with it: first repeat its last few words exactly as they stand there, then write what comes after them. Write nothing before that: no introduction, and no new code fence.';

/** Whether an answer was or may be cut, and has words to go on from: stopped, broken off, at its token limit, or at an unknown end. */
export function canContinue({ state, text, error, finishReason, declined }: Answer): boolean {
  if (text.trim() === '' || declined || error?.kind === 'content-filter') return false;
  if (state === 'stopped' || state === 'failed') return true;
  return state === 'complete' && ['limit', 'unknown'].includes(meaningOf(finishReason));
}

/**
 * What follows the question in the request for the rest of an answer. The last message is the user's: some services refuse a
 * request that ends with the assistant's, and others answer anew all the same.
 */
export function continuationMessages(text: string): TextMessage[] {
  return [
    { role: 'assistant', content: text },
    { role: 'user', content: continuePrompt },
  ];
}

/**
 * What follows the question in a request that is to be answered with a beginning that is given: the service has to go on at its very
 * end, within a word, which no words of a user can ask for. One that does not is told of by `createBeginningJoint`, or refuses.
 */
export function beginningMessage(text: string): TextMessage {
  return { role: 'assistant', content: text };
}

/** The most characters of the old text that are looked for at the beginning of the new one. */
const longestOverlap = 2000;

/**
 * The length of the words at the end of a text with which another begins, 0 where there are none. The longest such end counts, of
 * those that can only be a repetition: one that begins with a word and has three letters, or any that is long. A single bracket or
 * digit that is the same is none: the text may go on with another of them.
 */
export function overlapOf(old: string, fresh: string): number {
  for (let length = Math.min(old.length, fresh.length, longestOverlap); length > 0; length--) {
    const start = old.length - length;
    if (old.startsWith(fresh.slice(0, length), start) && isRepetition(old, start)) return length;
  }
  return 0;
}

const longRepetition = 16;

/** Letters of scripts that put no blanks between words. */
const unspaced = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const [endsUnspaced, beginsUnspaced] = [new RegExp(`[${unspaced}ー]\\p{M}*$`, 'u'), new RegExp(`^[${unspaced}]`, 'u')];

function isRepetition(old: string, start: number): boolean {
  const [before, words] = [old.slice(Math.max(0, start - 8), start), old.slice(start)];
  if (words.length >= longRepetition && /[\p{L}\p{N}]/u.test(words)) return true;
  // Where a script has no blanks, a word may begin at any letter.
  const isWithinWord =
    /[\p{L}\p{M}\p{N}_]$/u.test(before) &&
    /^[\p{L}\p{M}\p{N}_]/u.test(words) &&
    !(endsUnspaced.test(before) && beginsUnspaced.test(words));
  return !isWithinWord && (words.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3;
}

/** Takes the words out of a text that comes in pieces with which the text before it ended. */
export interface Joint {
  /** Gives what of the text so far belongs to the new part. The beginning is held back while it may be a repetition. */
  take(piece: string): string;
  /** Gives what was held back: nothing more comes. */
  end(): string;
}

export function createJoint(old: string): Joint {
  const tail = old.slice(-longestOverlap);
  let held: string | undefined = '';

  function release(): string {
    const fresh = held ?? '';
    held = undefined;
    return fresh.slice(overlapOf(tail, fresh));
  }

  return {
    take(piece) {
      if (held === undefined) return piece;
      held += piece;
      return mayOverlap(tail, held) ? '' : release();
    },
    end: release,
  };
}

/** Whether more of a new text can show that it repeats the end of the old one, or more of it. */
function mayOverlap(tail: string, fresh: string): boolean {
  const at = tail.indexOf(fresh);
  return at >= 0 && at + fresh.length < tail.length;
}
