import type { TokenLogprob } from '../../service/chat/completion.ts';
import { type SpelledToken, spellTokens } from './spelledTokens.ts';

/** A new version of an answer that goes on with another token than the model took. */
export interface TokenFork {
  /** What the version begins with: the answer up to the token, and the alternative. */
  readonly beginning: string;
  /** What is known of the tokens of the beginning. */
  readonly tokens: readonly TokenLogprob[];
}

/**
 * The fork of an answer at a token.
 * @param at where in the text the token begins, in UTF-16 units
 * @param other which of its alternatives, from 0, the likeliest first
 * @returns undefined where there is none such, or the answer cannot go on from it
 */
export function tokenFork(
  text: string,
  tokens: readonly TokenLogprob[],
  at: number,
  other: number,
): TokenFork | undefined {
  const spelled = spellTokens(text, tokens);
  let start = spelled?.at ?? 0;
  for (const piece of spelled?.pieces ?? []) {
    if (start > at) return undefined;
    if (start === at) return forkAt(text.slice(0, at), tokens, piece, other);
    start += piece.text.length;
  }
  return undefined;
}

function forkAt(
  before: string,
  tokens: readonly TokenLogprob[],
  piece: SpelledToken,
  other: number,
): TokenFork | undefined {
  const chosen = piece.others[other];
  const original = tokens[piece.index ?? tokens.length];
  if (chosen === undefined || chosen.noFork !== undefined || original === undefined) return undefined;
  const { top, ...taken } = original;
  // From the new version, one can go back to what the model took.
  const others = top.some(({ token }) => token === taken.token) ? top : [taken, ...top];
  const fresh: TokenLogprob = { token: chosen.text, logprob: chosen.logprob, bytes: null, top: others };
  return { beginning: before + chosen.text, tokens: [...tokens.slice(0, piece.index), fresh] };
}
