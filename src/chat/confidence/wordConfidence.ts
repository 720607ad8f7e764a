import type { SpelledToken } from './spelledTokens.ts';

/** A word of an answer with the blanks before it, and how likely the model held all of its tokens together to be. */
export interface WordConfidence {
  readonly text: string;
  /** From 0 to 1; undefined where the service did not tell it of one of the tokens, which may be the unlikely one. */
  readonly probability: number | undefined;
  readonly tokens: readonly SpelledToken[];
}

/** Scripts that put no blanks between words: each token counts as one. */
const letter =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const [beginsUnspaced, endsUnspaced] = [new RegExp(`^${letter}`, 'u'), new RegExp(`${letter}$`, 'u')];

/** The words of an answer. A token that ends one word and begins another belongs to the one that it begins in. */
export function wordsOf(pieces: readonly SpelledToken[]): WordConfidence[] {
  const words: SpelledToken[][] = [];
  let isOpen = false;
  for (const piece of pieces) {
    const begins =
      !isOpen ||
      /^\s/.test(piece.text) ||
      // A mark belongs to the letter before it.
      (!/^\p{M}/u.test(piece.text) &&
        (endsUnspaced.test(words.at(-1)?.at(-1)?.text ?? '') || beginsUnspaced.test(piece.text)));
    // Blanks alone stay open: they stand before the next word.
    if (begins && !(isOpen && isBlank(words.at(-1)))) words.push([piece]);
    else words.at(-1)?.push(piece);
    isOpen = !/\s$/.test(piece.text) || piece.text.trim() === '';
  }
  return words.map((tokens) => {
    // Of blanks that nothing was told of, nobody is unsure.
    const counted = tokens.filter(({ text, logprob }) => logprob !== undefined || text.trim() !== '');
    const told = counted.flatMap(({ logprob }) => (logprob === undefined ? [] : [logprob]));
    const sum = told.length === 0 || told.length < counted.length ? undefined : told.reduce((all, each) => all + each);
    const text = tokens.map((token) => token.text).join('');
    return { text, probability: sum === undefined ? undefined : Math.min(1, Math.exp(sum)), tokens };
  });
}

const isBlank = (tokens: readonly SpelledToken[] | undefined): boolean =>
  tokens?.every(({ text }) => text.trim() === '') ?? false;

/** How many words the model chose among, on average: 1 is certain. Undefined where the service told nothing. */
export function perplexity(pieces: readonly SpelledToken[]): number | undefined {
  const told = pieces.flatMap(({ logprob }) => (logprob === undefined ? [] : [logprob]));
  return told.length === 0 ? undefined : Math.exp(-told.reduce((all, each) => all + each, 0) / told.length);
}

/** A probability in percent, with one digit behind the point. */
export function percentOf(probability: number | undefined): number | undefined {
  return probability === undefined ? undefined : Math.round(probability * 1000) / 10;
}
