/** How sure the model was of an answer, as the page shows it. Every text is the model's. */
export interface ConfidenceView {
  /** What the answer begins with that nothing is known of, such as what it goes on from. */
  readonly before: string;
  /** Together, the rest of the answer. */
  readonly words: readonly WordView[];
  /** As a person reads it. */
  readonly perplexity: string;
}

export interface WordView {
  readonly text: string;
  /** From 0 to 100; absent where the service did not say. */
  readonly percent?: number | undefined;
  readonly tokens: readonly TokenView[];
}

export interface TokenView {
  readonly text: string;
  readonly percent?: number | undefined;
  /** What could have stood in its place, with its percentage; the likeliest first. */
  readonly others: readonly (readonly [text: string, percent: number])[];
}
