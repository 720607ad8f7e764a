import type { Answer } from '../conversation/conversation.ts';

/**
 * Tokens a second while the answer was written: by the service's own completion time where it gives one, else by our
 * clock from the first token to the end. Undefined when there is too little to divide by: an answer that came in one
 * piece says nothing about speed.
 */
export function tokensPerSecond({ usage, timings }: Pick<Answer, 'usage' | 'timings'>): number | undefined {
  const tokens = usage?.completionTokens;
  if (tokens === undefined || tokens === 0) return undefined;
  const { firstTokenMs, totalMs } = timings;
  const measured = firstTokenMs === undefined || totalMs === undefined ? undefined : (totalMs - firstTokenMs) / 1000;
  // Less than a microsecond for a token is no time that anybody measured.
  const told = usage?.completionTime ?? 0;
  if (told >= tokens * 1e-6) return tokens / told;
  return measured !== undefined && measured >= 0.05 ? tokens / measured : undefined;
}
