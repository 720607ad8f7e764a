import type { TokenLogprob } from '../../service/chat/completion.ts';

/** The most tokens that are kept of all answers together. */
const mostTokens = 200_000;

/** The tokens of answers that this window asked for with their probabilities, in memory alone. */
export interface TokenStore {
  /** Adds what came of an answer. */
  add(answer: string, tokens: readonly TokenLogprob[]): void;
  /** Empty where nothing is known, or no longer. */
  of(answer: string): readonly TokenLogprob[];
}

export function createTokenStore(): TokenStore {
  const byAnswer = new Map<string, TokenLogprob[]>();
  let count = 0;
  return {
    add(answer, tokens) {
      const known = byAnswer.get(answer) ?? [];
      for (const token of tokens) known.push(token);
      // The one that was added to last is the last one to go.
      byAnswer.delete(answer);
      byAnswer.set(answer, known);
      count += tokens.length;
      for (const [oldest, its] of byAnswer) {
        if (count <= mostTokens || oldest === answer) break;
        byAnswer.delete(oldest);
        count -= its.length;
      }
      // Of an answer that is longer, the end is known.
      count -= known.splice(0, Math.max(0, known.length - mostTokens)).length;
    },
    of: (answer) => byAnswer.get(answer) ?? [],
  };
}
