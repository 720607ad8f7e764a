import type { ServiceError } from './errors.ts';
import type { Adjustment } from './fieldMemory.ts';

/** Tokens, and seconds where the service gives times. A member is absent when the service did not say: unknown is not 0. */
export interface Usage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  queueTime?: number;
  promptTime?: number;
  completionTime?: number;
  totalTime?: number;
}

/** A tool call, or a legacy function call, whose arguments have all come. */
export interface ToolCall {
  /** The service's id; made here when it gave none. A legacy function call has none. */
  id: string;
  name: string;
  /** JSON text as the model wrote it; it need not be valid. */
  arguments: string;
}

/** Log-probability of a token (service-api.md 2.5). */
export interface TokenLogprob {
  token: string;
  logprob: number;
  /** UTF-8 bytes; a character may be spread over several tokens. Null where the service gives none. */
  bytes: number[] | null;
  top: { token: string; logprob: number; bytes: number[] | null }[];
}

/** What comes out of a chat call, the same whether it streams or not. `choice` is the place of the choice, from 0. */
export type ChatEvent =
  | { type: 'text'; choice: number; text: string }
  /** Thoughts of the model, where it shows them; not part of the answer. */
  | { type: 'reasoning'; choice: number; text: string }
  /** The model declines to answer, in words of its own channel. */
  | { type: 'refusal'; choice: number; text: string }
  /** A piece of a tool call as it comes, for showing; `call` is its place among the calls of the choice. */
  | { type: 'tool-call-delta'; choice: number; call: number; name: string; arguments: string }
  /** A tool call that is whole. Comes only when the choice has finished: never out of an answer that was cut off. */
  | { type: 'tool-call'; choice: number; call: number; toolCall: ToolCall }
  /** The legacy form, whole. */
  | { type: 'function-call'; choice: number; functionCall: { name: string; arguments: string } }
  | { type: 'logprobs'; choice: number; content: TokenLogprob[] }
  /** `reason` in the terms of the document (`stop`, `length`, `tool_calls`, `content_filter`, …); `raw` as it came, where that differs. */
  | { type: 'finish'; choice: number; reason: string; raw?: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'model'; model: string }
  /** Once, as soon as known. `created` in seconds since the epoch. */
  | { type: 'identity'; id?: string; created?: number; systemFingerprint?: string }
  /**
   * The service does not take a field of the request, which therefore went without it, or with its other name (for
   * `response_format`: its weaker type). `remembered` when that was known from an earlier request.
   */
  | { type: 'adjusted'; field: string; renamedTo?: string; remembered?: true };

/** One choice of a completion. What the service did not give is empty, or absent. */
export interface CompletionChoice {
  index: number;
  text: string;
  reasoning: string;
  refusal: string;
  toolCalls: ToolCall[];
  functionCall?: { name: string; arguments: string };
  logprobs: TokenLogprob[];
  /** In the terms of the document, as in the event `finish`. */
  finishReason?: string;
  rawFinishReason?: string;
}

/** A whole answer (service-api.md 2.4). Usage is absent when the service did not say. */
export interface Completion {
  id?: string;
  /** Seconds since the epoch. */
  created?: number;
  model?: string;
  systemFingerprint?: string;
  choices: CompletionChoice[];
  usage?: Usage;
  /** What the request went without, since the service does not take it. */
  adjustments: Adjustment[];
  /** Why the answer is not complete; all else is what came before. */
  error?: ServiceError;
}
