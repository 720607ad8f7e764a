/** What stands in a text in the place of a key. */
export const placeholder = '[API key]';

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
    return placeholder;
  }
  toJSON(): string {
    return placeholder;
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return placeholder;
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

/** The longest part of a key that may stand in a text by chance. */
const chanceLength = 11;

/** The text without the key, whole, encoded or in part. */
export function hideKey(text: string, key: string): string {
  const clean = hideWholeKey(text, key);
  return key.length < shortKey ? clean : hideParts(clean, key);
}

/** A key such as `x` or `none` is hidden as a word only: hidden within words, it would make texts unreadable. */
const shortKey = 6;

/** The text without the key, whole or encoded: quick on a text of any length, which nobody has cut the key in. */
export function hideWholeKey(text: string, key: string): string {
  if (key === '') return text;
  if (key.length < shortKey) {
    const alone = new RegExp(`(?<![A-Za-z0-9])${key.replace(/[^\w]/g, '\\$&')}(?![A-Za-z0-9])`, 'g');
    return text.replace(alone, placeholder);
  }
  const escaped = JSON.stringify(key).slice(1, -1);
  const forms = [key, escaped, encodeURIComponent(key), btoa(`:${key}`), btoa(key)];
  return forms.reduce((clean, form) => clean.replaceAll(form, placeholder), text);
}

/** Hides what a service left of a key that it cut short. */
function hideParts(text: string, key: string): string {
  let clean = '';
  for (let at = 0; at < text.length; ) {
    let length = 0;
    if (key.includes(text.slice(at, at + chanceLength + 1)) && at + chanceLength < text.length) {
      length = chanceLength + 1;
      while (at + length < text.length && key.includes(text.slice(at, at + length + 1))) length += 1;
    }
    clean += length > 0 ? placeholder : (text[at] ?? '');
    at += Math.max(1, length);
  }
  return clean;
}
