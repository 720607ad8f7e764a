import type { ThoughtListener } from './thoughtListener.ts';
import { escaped } from './thoughtMarks.ts';

/** What was read of a text: what is held back of it, and what comes next, once that is known. */
export interface ReadOn {
  readonly held: string;
  /** `after`: thoughts have ended; `settled`: the rest is plain text. */
  readonly next?: 'after' | 'settled' | undefined;
}

/** The text between two marks. */
export interface MarkedText {
  /** Reads on in what has come. */
  read(held: string): ReadOn;
  /** The text ends without the closing mark. @param isComplete whether the service said that it is whole */
  end(held: string, isComplete: boolean): void;
}

/** The longest white space before a mark, or after the last one, that is held back, in characters. */
export const longestIndent = 64;

/** Thoughts between marks. @param opening the mark that they began with */
export function createMarkedThoughts(opening: string, close: string, listener: ThoughtListener): MarkedText {
  const closing = new RegExp(escaped(close), 'i');
  /** Thoughts that have not ended yet. */
  let thought = '';

  return {
    read(held) {
      const end = held.search(closing);
      const text = held.slice(0, end < 0 ? held.length - partOf(close, held) : end);
      if (text !== '') listener.onThought(text);
      if (end >= 0) return { held: held.slice(end + close.length), next: 'after' };
      thought += text;
      return { held: held.slice(text.length) };
    },
    end(held, isComplete) {
      thought += held;
      // A sentence about the mark: thoughts begin behind it without a space, and end.
      const isSentence = opening.endsWith(':') || /^ \S/.test(thought);
      if (isComplete && isSentence) listener.onReplaced(opening + thought, '');
      else if (held !== '') listener.onThought(held);
    },
  };
}

/** The answer in marks of its own: the last one is no part of it. */
export function createMarkedAnswer(close: string, say: (text: string) => void): MarkedText {
  const closing = new RegExp(escaped(close), 'i');

  return {
    read(held) {
      const end = held.search(closing);
      const rest = end < 0 ? '' : held.slice(end + close.length);
      if (rest.trim() !== '' || rest.length > longestIndent) return { held, next: 'settled' };
      const text = held.slice(0, end < 0 ? held.length - partOf(close, held) : end);
      say(text);
      return { held: held.slice(text.length) };
    },
    end(held) {
      if (held.toLowerCase().trimEnd() !== close) say(held);
    },
  };
}

/** How many characters at the end of `text` may be the beginning of `mark`, in lower case. */
export function partOf(mark: string, text: string): number {
  const end = text.slice(-mark.length).toLowerCase();
  for (let length = Math.min(mark.length - 1, end.length); length > 0; length--) {
    if (end.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
