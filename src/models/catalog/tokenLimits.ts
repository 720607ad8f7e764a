import type { ModelDetails } from '../../service/models/models.ts';

/** The context length that is assumed where the list does not say: most models of today read at least this much. */
const assumedContext = 131_072;
const assumedOutput = 16_384;

export interface TokenLimits {
  maxInputTokens: number;
  maxOutputTokens: number;
  /** Whether the context length is a guess: the service does not give it. */
  assumed: boolean;
}

/**
 * The limits of a model's input and output. The input leaves room for an answer, at most a quarter of the whole: services
 * often give the whole context as the longest answer, too.
 */
export function limitsOf({ contextLength, maxOutput }: ModelDetails): TokenLimits {
  const context = contextLength ?? assumedContext;
  const quarter = Math.floor(context / 4);
  const maxOutputTokens = Math.min(maxOutput ?? Math.min(assumedOutput, quarter), context);
  return {
    maxInputTokens: context - Math.min(maxOutputTokens, quarter),
    maxOutputTokens,
    assumed: contextLength === undefined,
  };
}
