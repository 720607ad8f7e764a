/**
 * An API key that cannot slip into a log, an error or a message: only `reveal()` gives the text, and every other way
 * of writing it down gives a placeholder.
 */
export class ApiKey {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  /** The key itself. Called in one place: where the Authorization header is written. */
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return '[API key]';
  }
  toJSON(): string {
    return '[API key]';
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[API key]';
  }
}

/**
 * Takes the key out of what a person pasted: without surrounding white space, quotes, a header name, or `Bearer `.
 * Returns undefined when nothing usable is left (empty, or characters a header cannot carry).
 */
export function cleanApiKey(pasted: string): string | undefined {
  let key = pasted.trim();
  for (let before = ''; before !== key; ) {
    before = key;
    key = key.replace(/^(['"`])(.*)\1$/s, '$2').trim();
    key = key.replace(/^authorization\s*:\s*/i, '').replace(/^bearer(\s+|$)/i, '');
  }
  return /^[\x21-\x7e]+$/.test(key) ? key : undefined;
}
