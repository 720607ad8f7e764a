import type { Parameters } from '../parameters/parameterForms.ts';

/** With what an answer was asked for, so that it can be asked for again in the same way. */
export interface AskedWith {
  /** The model, by the name that the service was given. */
  readonly model: string;
  /** What the conversation set. */
  readonly parameters: Parameters;
  /** SHA-256 of all that was sent: tells whether a later request is the same. */
  readonly request: string;
}

/** How an answer that was asked for once more differs from the first one. */
export interface ReplayResult {
  /** The first answer. */
  readonly of: string;
  /** The words of the first answer, how many of them are others, and the first; absent where there is too much to compare. */
  readonly words?: number | undefined;
  readonly differing?: number | undefined;
  readonly firstWord?: string | undefined;
  /** Whether the words are the same, and the blanks or line breaks between them are not. */
  readonly hasOtherBlanks?: boolean | undefined;
  /** Whether all that was sent is the same. Settings and instruction files may have changed. */
  readonly isSameRequest: boolean;
  /** Whether the service has the mark that it had; absent where it does not say. */
  readonly isSameFingerprint?: boolean | undefined;
}

/** The rest of a rate limit, as the service told it with an answer. */
export interface LimitLeft {
  readonly remaining: number;
  /** Of how many. */
  readonly limit?: number | undefined;
  /** When it is whole again, in milliseconds since the epoch; undefined where the service does not say. */
  readonly resetAt?: number | undefined;
}
