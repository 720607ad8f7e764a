import { hashText } from './replies.ts';

/** Cuts text into pieces of the size models use; joined again they are the text, to the last character. */
export function tokenize(text: string): string[] {
  return text.match(/\s*[\p{L}\p{N}_]{1,8}|\s*[^\s\p{L}\p{N}_]|\s+/gu) ?? [];
}

export function countTokens(text: string): number {
  return tokenize(text).length;
}

/** Section 2.6. The times are made up from the counts, in seconds. */
export function makeUsage(promptTokens: number, completionTokens: number) {
  const round = (seconds: number) => Math.round(seconds * 1e6) / 1e6;
  const promptTime = round(promptTokens * 0.00012);
  const completionTime = round(completionTokens * 0.0021);
  const queueTime = round(0.0031 + (promptTokens % 7) * 0.0002);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_time: promptTime,
    completion_time: completionTime,
    queue_time: queueTime,
    total_time: round(promptTime + completionTime),
  };
}

interface TokenLogprob {
  token: string;
  logprob: number;
  bytes: number[];
}

/**
 * Section 2.5. Made up from the token alone: always the same, never above 0, the chosen token on top.
 * @param likely what is known of it and of others in its place, in percent
 */
export function makeLogprob(
  token: string,
  top: number,
  likely?: Readonly<Record<string, number>>,
): TokenLogprob & { top_logprobs: TokenLogprob[] } {
  if (likely !== undefined) {
    const known = Object.entries(likely).map(([text, percent]) => describe(text, Math.log(percent / 100)));
    return { ...describe(token, Math.log((likely[token] ?? 1) / 100)), top_logprobs: known.slice(0, top) };
  }
  const logprob = -((hashText(token) % 900) + 1) / 1000;
  const others = Array.from({ length: Math.max(0, top - 1) }, (_, i) => {
    return describe(`${/^\s*/.exec(token)?.[0] ?? ''}other${i + 1}`, logprob - 0.7 * (i + 1));
  });
  return {
    ...describe(token, logprob),
    top_logprobs: top > 0 ? [describe(token, logprob), ...others] : [],
  };
}

function describe(token: string, logprob: number): TokenLogprob {
  return { token, logprob: Math.round(logprob * 1e4) / 1e4, bytes: [...Buffer.from(token, 'utf8')] };
}
