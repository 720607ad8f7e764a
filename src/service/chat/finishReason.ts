import { ServiceError } from '../../base/errors.ts';

const meanings: Record<string, string> = {
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  stop_token: 'stop',
  complete: 'stop',
  completed: 'stop',
  done: 'stop',
  max_tokens: 'length',
  max_length: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  tool_use: 'tool_calls',
  tool_call: 'tool_calls',
  safety: 'content_filter',
  recitation: 'content_filter',
  content_filtered: 'content_filter',
};
const ownTerms = new Set(['stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'error']);

/** A reason in the terms of the document; an unknown one stays as it came. */
export function finishReason(raw: string): string {
  const lower = raw.toLowerCase();
  if (ownTerms.has(lower)) return lower;
  return Object.hasOwn(meanings, lower) ? (meanings[lower] ?? raw) : raw;
}

/** What is known of an answer when its body has ended. */
export interface AnswerEnd {
  /** The finish reason of each choice that began. */
  reasons: readonly (string | undefined)[];
  /** Whether the service said that the answer is over: `[DONE]`, or a message that came whole. */
  isSaid: boolean;
  /** Whether the body broke off inside a chunk. */
  isCut: boolean;
  /** What ended the reading, when it was not the end of the body. */
  failure: unknown;
}

/**
 * The error of an answer that has ended; undefined for a complete one. A stream that ends without a finish reason for each of its
 * choices is cut off, and so is one whose connection was reset after it began.
 */
export function errorOfEnd({ reasons, isSaid, isCut, failure }: AnswerEnd, url: string): unknown {
  if (reasons.includes('error')) return new ServiceError('server', { url });
  const isComplete = reasons.length > 0 && (isSaid || reasons.every((reason) => reason !== undefined));
  const kind = failure instanceof ServiceError ? failure.kind : undefined;
  if (isComplete && kind !== undefined && kind !== 'cancelled') return undefined;
  const hasBegun = reasons.length > 0 || isCut;
  const isOnlyEnd = failure === undefined || (kind === 'reset' && hasBegun);
  if (!isOnlyEnd) return failure;
  return isComplete ? undefined : new ServiceError(hasBegun ? 'truncated' : 'malformed', { url });
}
