import type { TokenLogprob } from '../../service/chat/completion.ts';

/** The most tokens that are kept of all answers together, alternatives among them. */
const mostTokens = 500_000;

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
      count += sizeOf(tokens);
      for (const [oldest, its] of byAnswer) {
        if (count <= mostTokens || oldest === answer) break;
        byAnswer.delete(oldest);
        count -= sizeOf(its);
      }
      // Of an answer that is longer, the end is known.
      let gone = 0;
      for (const { top } of known) {
        if (count <= mostTokens) break;
        count -= 1 + top.length;
        gone++;
      }
      known.splice(0, gone);
    },
    of: (answer) => byAnswer.get(answer) ?? [],
  };
}

function sizeOf(tokens: readonly TokenLogprob[]): number {
  return tokens.reduce((size, { top }) => size + 1 + top.length, 0);
}
