/** Code has about this many bytes of UTF-8 a token: more punctuation than prose, which has about four. */
const bytesPerToken = 3.5;

/** Roughly how many tokens a model reads in a text. An estimate: every model counts in its own way. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** How many bytes of UTF-8 have no more than so many estimated tokens. */
export function bytesWithin(tokens: number): number {
  return Math.floor(tokens * bytesPerToken);
}
