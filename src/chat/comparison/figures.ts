import { tokensPerSecond } from '../answering/tokensPerSecond.ts';
import type { Answer } from '../conversation/conversation.ts';

/** The figures by which answers are compared. What nobody knows is absent, never 0. */
export interface Figures {
  readonly firstTokenMs?: number | undefined;
  readonly totalMs?: number | undefined;
  /** Tokens that the model wrote. */
  readonly tokens?: number | undefined;
  readonly tokensPerSecond?: number | undefined;
  /** In the unit of the service. */
  readonly cost?: number | undefined;
  readonly finishReason?: string | undefined;
}

/** The figures of an answer as far as they are known; all but the first only once it has ended. */
export function figuresOf({ state, timings, usage, finishReason }: Answer): Figures {
  const { firstTokenMs, totalMs } = timings;
  if (state === 'streaming') return { firstTokenMs };
  return {
    firstTokenMs,
    totalMs,
    tokens: usage?.completionTokens,
    tokensPerSecond: tokensPerSecond({ usage, timings }),
    cost: usage?.cost,
    finishReason,
  };
}
