import type { TokenLogprob } from '../../service/chat/completion.ts';
import { type SpelledToken, spellTokens } from './spelledTokens.ts';
import { type WordConfidence, wordsOf } from './wordConfidence.ts';

/** A word of an answer, and where in its text it stands, with the blanks before it. */
export interface AnswerWord extends WordConfidence {
  readonly start: number;
  readonly end: number;
}

/** The words of an answer, the first one first, and the pieces that they are made of; undefined where the tokens are those of another text. */
export function answerWords(
  text: string,
  tokens: readonly TokenLogprob[],
): { readonly words: readonly AnswerWord[]; readonly pieces: readonly SpelledToken[] } | undefined {
  const spelled = spellTokens(text, tokens);
  if (spelled === undefined) return undefined;
  let start = spelled.at;
  const words = wordsOf(spelled.pieces).map((word) => {
    const placed = { ...word, start, end: start + word.text.length };
    start = placed.end;
    return placed;
  });
  return { words, pieces: spelled.pieces };
}
