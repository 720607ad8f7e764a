/** Code has about this many bytes of UTF-8 a token: more punctuation than prose, which has about four. */
const bytesPerToken = 3.5;

/** Roughly how many tokens a model reads in a text. An estimate: every model counts in its own way. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** How many characters surely fit into so many estimated tokens, whatever the characters are. */
export function charactersWithin(tokens: number): number {
  // One UTF-16 unit never takes more than three bytes of UTF-8.
  return Math.max(1, Math.floor((tokens * bytesPerToken) / 3));
}
