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
}

export interface TokenView {
  readonly text: string;
  readonly percent?: number | undefined;
  /** What could have stood in its place, with its percentage; the likeliest first. */
  readonly others: readonly (readonly [text: string, percent: number])[];
}
