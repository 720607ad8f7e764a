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
  if (usage?.completionTime) return tokens / usage.completionTime;
  return measured !== undefined && measured >= 0.05 ? tokens / measured : undefined;
}
