import type { CompletionTrigger } from '../../shared/protocol/completionProtocol.ts';

/** What is being typed after a trigger: the text up to the caret that the choice takes the place of. */
export interface CompletionToken {
  readonly trigger: CompletionTrigger;
  /** Where the trigger stands in the text. */
  readonly start: number;
  readonly end: number;
  /** What was typed after the trigger. */
  readonly text: string;
}

/** The most characters after a trigger that are looked for. */
const longestCompletionText = 200;

const atWord = /(?:^|\s)@(\S*)$/;
const slashWord = /^\/(\S*)$/;

/** The word at the caret that begins with a trigger: `@` at the start or after white space, `/` at the start alone. */
export function completionToken(value: string, caret: number): CompletionToken | undefined {
  // The box may hold a million characters, and a word may be all of them.
  const from = Math.max(0, caret - longestCompletionText - 2);
  const before = value.slice(from, caret);
  const word = (trigger: CompletionTrigger, text: string | undefined): CompletionToken | undefined =>
    text === undefined || text.length > longestCompletionText
      ? undefined
      : { trigger, start: caret - text.length - 1, end: caret, text };
  return (from === 0 ? word('/', slashWord.exec(before)?.[1]) : undefined) ?? word('@', atWord.exec(before)?.[1]);
}
