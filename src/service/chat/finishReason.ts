import { ServiceError } from '../../base/errors.ts';

/**
 * What an end means: the model was done; the answer is cut off at a limit; the service filtered it, failed, had no room for it, or
 * gave it up; or nobody knows, and then it is told in the words of the service.
 */
export type EndMeaning = 'complete' | 'limit' | 'filtered' | 'failed' | 'overloaded' | 'aborted' | 'unknown';

/** The terms of the document, and three of our own for what it has none for. */
const meanings: ReadonlyMap<string, EndMeaning> = new Map(
  Object.entries({
    stop: 'complete',
    tool_calls: 'complete',
    function_call: 'complete',
    length: 'limit',
    content_filter: 'filtered',
    error: 'failed',
    overloaded: 'overloaded',
    aborted: 'aborted',
  } as const),
);

/** Words of servers for the same, in lower case. */
const words: Readonly<Record<string, readonly string[]>> = {
  stop: [
    ...['eos', 'eos_token', 'eot', 'eog', 'end', 'end_turn', 'end_of_text', 'stop_sequence', 'stop_token', 'stopped'],
    ...['complete', 'completed', 'done', 'finish', 'finished', 'success', 'normal'],
  ],
  length: [
    ...['max_tokens', 'max_length', 'max_output_tokens', 'max_new_tokens', 'max_completion_tokens', 'model_length'],
    ...['limit', 'error_limit', 'token_limit', 'context_length', 'model_context_window_exceeded'],
  ],
  tool_calls: ['tool_use', 'tool_call'],
  content_filter: [
    ...[
      'safety',
      'recitation',
      'content_filtered',
      'content_filter_error',
      'sensitive',
      'refusal',
      'blocklist',
      'spii',
    ],
    ...['prohibited_content', 'image_safety', 'guardrail_intervened', 'guardrails', 'error_toxic', 'moderation'],
  ],
  error: ['network_error', 'server_error', 'internal_error', 'failed', 'failure', 'malformed_function_call'],
  overloaded: ['insufficient_system_resource', 'overloaded_error', 'server_overloaded'],
  aborted: ['abort', 'cancel', 'canceled', 'cancelled', 'user_cancel', 'interrupted'],
};
const terms = new Map(Object.entries(words).flatMap(([term, all]) => all.map((word) => [word, term] as const)));

/** Words for a reason that is not there yet. */
const none = new Set(['', 'null', 'none', 'undefined', 'finish_reason_unspecified']);

/** Whether a server says that the answer goes on: some write `"null"` with each piece. */
export function isNoReason(raw: string): boolean {
  return none.has(raw.trim().toLowerCase());
}

/** A reason in the terms of the document; an unknown one stays as it came. */
export function finishReason(raw: string): string {
  // Gemini's words come in capitals, and those of others with spaces or hyphens.
  const word = raw
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return meanings.has(word) ? word : (terms.get(word) ?? raw);
}

/** What a reason means, as the service gave it or in the terms of the document. Nothing said is no bad end. */
export function meaningOf(reason: string | undefined): EndMeaning {
  return reason === undefined ? 'complete' : (meanings.get(finishReason(reason)) ?? 'unknown');
}

/** The error of an answer by its end, for those who can do nothing with a part of it; undefined where none is known. */
export function errorOfReason(reason: string | undefined, url: string | undefined): ServiceError | undefined {
  const kind = kinds[meaningOf(reason)];
  return kind === undefined ? undefined : new ServiceError(kind, { url });
}

const kinds = {
  complete: undefined,
  limit: 'truncated',
  filtered: 'content-filter',
  failed: 'server',
  overloaded: 'overloaded',
  aborted: 'truncated',
  unknown: undefined,
} as const;

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
  const bad = reasons.find((reason) => ['failed', 'overloaded', 'aborted'].includes(meaningOf(reason)));
  if (bad !== undefined) return errorOfReason(bad, url);
  const isComplete = reasons.length > 0 && (isSaid || reasons.every((reason) => reason !== undefined));
  const kind = failure instanceof ServiceError ? failure.kind : undefined;
  if (isComplete && kind !== undefined && kind !== 'cancelled') return undefined;
  const hasBegun = reasons.length > 0 || isCut;
  const isOnlyEnd = failure === undefined || (kind === 'reset' && hasBegun);
  if (!isOnlyEnd) return failure;
  return isComplete ? undefined : new ServiceError(hasBegun ? 'truncated' : 'malformed', { url });
}
