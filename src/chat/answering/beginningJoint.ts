import type { Joint } from './continuation.ts';

/**
 * Takes in an answer that is to go on from a beginning, with which the request ends. Not every service goes on: some write the
 * beginning once more before what follows it, which is taken out; others write an answer of their own.
 */
export interface BeginningJoint extends Joint {
  /** Whether what was given is an answer of its own, which stands in the place of the beginning. */
  readonly isAnew: boolean;
}

/** The fewest characters with which a text has to begin as another does for it to be a repetition. */
const fewestRepeated = 8;
/** The same where a line begins: lines of a list or of code often begin in the same way. */
const fewestOnLine = 32;
/** A letter of Chinese, Japanese or Korean says as much as two of others, or more. */
const wideShare = 1 / 2;

/** @param original the answer that was left at the beginning's end: a service that begins anew may well write it again */
export function createBeginningJoint(beginning: string, original: string): BeginningJoint {
  const isWide = /^\s*[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(beginning);
  const share = isWide ? wideShare : 1;
  const fewest = (/\s$/.test(beginning) ? fewestOnLine : fewestRepeated) * share;
  const canRepeat = /[\p{L}\p{N}]/u.test(beginning) && beginning.trim().length >= fewestRepeated * share;
  let held: string | undefined = '';
  let isAnew = false;

  function release(text: string): string {
    held = undefined;
    return text;
  }

  return {
    get isAnew() {
      return isAnew;
    },
    take(piece) {
      if (held === undefined) return piece;
      held += piece;
      if (canRepeat && held.startsWith(beginning)) return release(held.slice(beginning.length));
      if (canRepeat && beginning.startsWith(held)) return '';
      isAnew = [beginning, original].some((other) => repeats(held ?? '', other, fewest));
      return !isAnew && isBeginning(held, original, fewest) ? '' : release(held);
    },
    end() {
      const text = held ?? '';
      held = undefined;
      // What repeats a part of the beginning, and ends there, says nothing that is not there already.
      return canRepeat && text.length >= fewest && beginning.startsWith(text) ? '' : text;
    },
  };
}

/** Whether more of a text can show that it begins as another does. */
function isBeginning(text: string, other: string, fewest: number): boolean {
  return text.length < fewest && other.startsWith(text);
}

/** Whether a text begins as another does, with words and not with a line of signs. */
function repeats(text: string, other: string, fewest: number): boolean {
  const start = text.slice(0, fewest);
  return start.length === fewest && other.startsWith(start) && /[\p{L}\p{N}]/u.test(start);
}
