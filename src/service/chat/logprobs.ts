import type { TokenLogprob } from './completion.ts';

/** The most tokens of one piece that are read; an answer that comes in one piece has fewer. */
const maxTokens = 16_384;
/** The most other tokens that are kept beside each (service-api.md 2.1), and the most that are looked at for the likeliest. */
const maxTop = 20;
const maxRead = 10_000;

/** The value that services write for "very unlikely", JSON having no minus infinity. */
const unlikely = -9999;

interface RawToken {
  token?: unknown;
  logprob?: unknown;
  bytes?: unknown;
  top_logprobs?: unknown;
}

/**
 * Log-probabilities of some tokens (service-api.md 2.5), also as a bare list (Ollama), or the older form
 * `{tokens, token_logprobs, top_logprobs}`.
 */
export function readLogprobs(raw: unknown): TokenLogprob[] {
  if (typeof raw !== 'object' || raw === null) return [];
  const { content, tokens, token_logprobs, top_logprobs } = raw as Record<string, unknown>;
  const given = Array.isArray(raw) ? raw : content;
  const items = Array.isArray(given)
    ? given
    : Array.isArray(tokens)
      ? olderForm(tokens, asArray(token_logprobs), asArray(top_logprobs))
      : [];
  return items.slice(0, maxTokens).flatMap((item) => {
    const token = readToken(item);
    const top = likeliest(alternativesIn((item as RawToken | null)?.top_logprobs).flatMap(readTop));
    return token === undefined ? [] : [{ ...token, top }];
  });
}

function readToken(item: unknown): Omit<TokenLogprob, 'top'> | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { token, logprob, bytes } = item as RawToken;
  if (typeof token !== 'string') return undefined;
  return { token, logprob: readNumber(logprob), bytes: isBytes(bytes) ? bytes : null };
}

function readTop(item: unknown): Omit<TokenLogprob, 'top'>[] {
  return [readToken(item) ?? []].flat();
}

/** Rounding may lift a certain token a hair above 0. */
function readNumber(value: unknown): number {
  if (typeof value !== 'number') return unlikely;
  return value > 0 && value < 1e-3 ? 0 : Math.max(unlikely, value);
}

/** The longest tokens of any vocabulary are runs of spaces. */
const maxBytes = 1_024;

function isBytes(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length <= maxBytes &&
    value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
  );
}

function olderForm(tokens: unknown[], logprobs: unknown[], tops: unknown[]): RawToken[] {
  return tokens.slice(0, maxTokens).map((token, i) => ({
    token,
    // The first token of a prompt has no log-probability.
    logprob: logprobs[i],
    top_logprobs: tops[i],
  }));
}

/** A list, or an object of probabilities by token. */
function alternativesIn(top: unknown): unknown[] {
  if (typeof top !== 'object' || top === null) return [];
  const all = Array.isArray(top) ? top : Object.entries(top).map(([token, logprob]) => ({ token, logprob }));
  return all.slice(0, maxRead);
}

function likeliest(top: Omit<TokenLogprob, 'top'>[]): Omit<TokenLogprob, 'top'>[] {
  return top.length <= maxTop ? top : top.sort((a, b) => b.logprob - a.logprob).slice(0, maxTop);
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
