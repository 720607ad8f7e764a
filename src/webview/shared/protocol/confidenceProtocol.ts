/**
 * How sure the model was of an answer, as the page shows it. Every text is the model's. Of each word there is one item in each list:
 * lists of numbers and texts go to the page in a fraction of the time that as many objects take.
 */
export interface ConfidenceView {
  readonly text: string;
  /** Where each word begins in the text. What stands before the first one is what nothing is known of. */
  readonly starts: readonly number[];
  /** From 0 to 100; null where the service did not say. */
  readonly percents: readonly (number | null)[];
  /** `TokenView[]` as JSON: read for the word that somebody looks at. */
  readonly tokens: readonly string[];
  /** As a person reads it. */
  readonly perplexity: string;
  /** Whether the answer can go on from an alternative. */
  readonly canFork: boolean;
}

export interface TokenView {
  readonly text: string;
  readonly percent?: number | undefined;
  /** What could have stood in its place, with its percentage, and why the answer cannot go on from it; the likeliest first. */
  readonly others: readonly (readonly [text: string, percent: number, noFork?: NoForkReason])[];
}

/** As `NoFork` of the host: a part of a character, no text, or a token that began in the thoughts. */
export type NoForkReason = 'part' | 'control' | 'thoughts';

/** Goes on with another token than the model took: a new version of the answer. */
export interface ForkToken {
  readonly type: 'forkToken';
  readonly message: string;
  /** Where in the text the token begins, in UTF-16 units. */
  readonly at: number;
  /** Which of its alternatives, from 0. */
  readonly other: number;
}
