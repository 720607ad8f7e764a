/** The deepest nesting of an answer or a request; real ones are never deeper. */
const maxDepth = 128;

/** A value as JSON text; undefined when it is no JSON, or nested too deep to be walked safely. */
export function jsonText(value: unknown): string | undefined {
  if (!isJsonValue(value)) return undefined;
  return JSON.stringify(value);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a code of a character is one that JSON may have between values. */
export function isJsonSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The longest text that is parsed quickly whatever it holds, in characters. */
const shortText = 64 * 1024;
/** The most values that are parsed quickly however long they are. */
const fewValues = 100_000;

/** Whether a JSON text may hold so many values that parsing it in one go takes long: each takes more time than its letters. */
export function isTooManifold(text: string): boolean {
  if (text.length <= shortText) return false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Comma, bracket, brace
    if (code === 0x2c || code === 0x5b || code === 0x7b) values++;
  }
  return values > fewValues;
}

/**
 * Whether a value is what JSON can say, at most 128 levels deep: no functions, no instances, no endless numbers, nothing
 * that holds itself.
 * @param owners the objects it stands in
 */
export function isJsonValue(value: unknown, owners: unknown[] = []): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || owners.length >= maxDepth || owners.includes(value)) return false;
  owners.push(value);
  const items = Array.isArray(value) ? value : isPlainObject(value) ? Object.values(value) : undefined;
  const isSound = items?.every((item) => (item === undefined && items !== value) || isJsonValue(item, owners)) ?? false;
  owners.pop();
  return isSound;
}

/** Whether a value that was parsed from JSON is an object, and no list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype as object) === null;
}

/** JSON within JSON is followed this deep. */
const deepest = 3;

/**
 * The object that a model wrote as JSON, or nearly so: in a code fence, as text within JSON, with a comma behind the last member, with
 * line breaks in a text, with one bracket too few or too many at the end, or as Python writes it. Empty text and `null` are no
 * arguments. Integers that a number cannot hold are texts of their digits.
 * @returns undefined for a text with no meaning, or with more than one
 */
export function readObject(text: string): Record<string, unknown> | undefined {
  const value = readNearlyJson(text);
  return isPlainObject(value) ? value : undefined;
}

/** The same, for what may be a list, too. */
export function readNearlyJson(text: string, depth = 0): unknown {
  if (depth > deepest) return undefined;
  const inner = withoutFence(text.trim());
  if (inner.trim() === '') return {};
  const value = parse(inner) ?? parse(mended(inner));
  if (value === undefined) return undefined;
  if (value.json === null) return {};
  if (typeof value.json !== 'string') return value.json;
  return value.json.trim() === '' ? undefined : readNearlyJson(value.json, depth + 1);
}

/** What stands between a fence and its like at the end. */
function withoutFence(text: string): string {
  const [opening = '', ticks = ''] = /^(`{3,}|~{3,})[\w-]*[ \t]*\n/.exec(text) ?? [];
  return ticks !== '' && text.length > opening.length && text.endsWith(ticks)
    ? text.slice(opening.length, -ticks.length)
    : text;
}

function parse(text: string | undefined): { readonly json: unknown } | undefined {
  try {
    return text === undefined ? undefined : { json: JSON.parse(text, keepDigits) };
  } catch {
    return undefined;
  }
}

/** A whole number that would be rounded stays as it is written. The third argument is ECMAScript's since 2025. */
function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const { source = '' } = context ?? {};
  return /^-?\d+$/.test(source) && String(value) !== source ? source : value;
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const python: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with what has one meaning put right; undefined where it breaks off within a text, or more is wrong. */
function mended(text: string): string | undefined {
  // Texts of Python in single quotation marks; where both kinds stand, which one ends a text cannot be told.
  const quote = text.includes('"') ? '"' : "'";
  const open: string[] = [];
  const out: string[] = [];
  for (let at = 0; at < text.length; ) {
    const sign = text[at] ?? '';
    if (sign === quote) {
      const end = endOfText(text, at, quote);
      if (end === undefined) return undefined;
      out.push(`"${text.slice(at + 1, end).replace(/[\n\r\t]/g, (control) => controls[control] ?? '')}"`);
      at = end + 1;
      continue;
    }
    if (sign in closers) open.push(closers[sign] ?? '');
    else if (sign === '}' || sign === ']') {
      // One bracket too many, and nothing behind it.
      if (open.length === 0) return text.slice(at + 1).trim() === '' ? out.join('') : undefined;
      if (open.pop() !== sign) return undefined;
      dropComma(out);
    }
    const [word = sign] = /^[A-Za-z]+/.exec(text.slice(at, at + 8)) ?? [];
    out.push(python[word] ?? word);
    at += word.length;
  }
  const last = out.findLast((piece) => piece.trim() !== '');
  return open.length > 1 || last === ',' || last === ':' ? undefined : out.join('') + open.join('');
}

/** Takes away a comma at the end, before white space. */
function dropComma(pieces: string[]): void {
  const last = pieces.findLastIndex((piece) => piece.trim() !== '');
  if (pieces[last] === ',') pieces.splice(last, 1);
}

function endOfText(text: string, start: number, quote: string): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return undefined;
}
