/**
 * An API key that cannot slip into a log, an error or a message: only `reveal()` gives the text, and every other way
 * of writing it down gives a placeholder.
 */
export class ApiKey {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  /** The key itself: called where it is sent (`keyHeader`), stored, and edited by its owner. */
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

/** The header with which a key is sent. The one place where the key goes into a request. */
export function keyHeader(key: ApiKey): Record<string, string> {
  return { authorization: `Bearer ${key.reveal()}` };
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
