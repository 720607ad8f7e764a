/** Bytes of UTF-8 a token in code: it has more punctuation than prose, which has about four. */
export const bytesPerToken = 3.5;

/** Roughly how many tokens a model reads in a text. An estimate: every model counts in its own way. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** Bytes of UTF-8 that have no more than this many estimated tokens. */
export function bytesWithin(tokens: number): number {
  return Math.floor(tokens * bytesPerToken);
}
