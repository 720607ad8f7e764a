import { ServiceError } from '../../base/errors.ts';
import type { Usage } from '../answers/usage.ts';
import type { Limits } from '../errors/rateLimits.ts';
import { scrub } from '../errors/scrub.ts';
import type { Thoughts } from './sentThoughts.ts';

export type { Usage } from '../answers/usage.ts';
export { errorOfReason, meaningOf } from './finishReason.ts';
export { createThoughtSplitter, withoutThoughts } from './thoughts/thinking.ts';

/** A tool call, or a legacy function call, whose arguments have all come. */
export interface ToolCall {
  /** The service's id; made here when it gave none. A legacy function call has none. */
  id: string;
  name: string;
  /** JSON text as the model wrote it; it need not be valid. */
  arguments: string;
  /** Data that the service wants back along with the call, such as Gemini's signature of its thoughts. */
  extraContent?: Readonly<Record<string, unknown>>;
}

/** Log-probability of a token (service-api.md 2.5). */
export interface TokenLogprob {
  token: string;
  logprob: number;
  /** UTF-8 bytes; a character may be spread over several tokens. Null where the service gives none. */
  bytes: number[] | null;
  top: { token: string; logprob: number; bytes: number[] | null }[];
}

/** An event of a chat call, the same whether it streams or not. `choice` is the place of the choice, from 0. */
export type ChatEvent =
  | { type: 'text'; choice: number; text: string }
  /** Thoughts of the model, where it shows them; not part of the answer. */
  | { type: 'reasoning'; choice: number; text: string }
  /** All text and thoughts of the choice so far are these instead: where thoughts end is sometimes known before where they began. */
  | { type: 'replace'; choice: number; text: string; reasoning: string }
  /** The model declines to answer, in words of its own channel. */
  | { type: 'refusal'; choice: number; text: string }
  /** A piece of a tool call as it comes, for showing; `call` is its place among the calls of the choice. */
  | { type: 'tool-call-delta'; choice: number; call: number; name: string; arguments: string }
  /** The model's thoughts, once, before the calls of the choice: a service may want them back along with the calls. */
  | { type: 'thoughts'; choice: number; thoughts: Thoughts }
  /** A tool call that is whole. Comes only when the choice has finished: never out of an answer that was cut off. */
  | { type: 'tool-call'; choice: number; call: number; toolCall: ToolCall }
  /** A legacy function call that is whole. */
  | { type: 'function-call'; choice: number; functionCall: { name: string; arguments: string } }
  | { type: 'logprobs'; choice: number; content: TokenLogprob[] }
  /** `reason` in the terms of the document (`stop`, `length`, `tool_calls`, `content_filter`, …); `raw` as it came, where that differs. */
  | { type: 'finish'; choice: number; reason: string; raw?: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'model'; model: string }
  /** What is left of the rate limits, where the head of the answer says so. */
  | { type: 'limits'; limits: Limits }
  /** The identity of the answer, once, as soon as known. `created` in seconds since the epoch. */
  | { type: 'identity'; id?: string; created?: number; systemFingerprint?: string }
  /**
   * The service does not take a field of the request, which therefore went without it, or with its other name (for
   * `response_format`: its weaker type), or with the value that it takes. `remembered` when that was known from an earlier request.
   */
  | { type: 'adjusted'; field: string; renamedTo?: string; value?: boolean | number; remembered?: true };

/** The error for an answer in which the model declined. @param refusal the model's words */
export function declined(refusal: string, url: string | undefined): ServiceError {
  return new ServiceError('declined', { url, message: scrub(refusal) });
}
