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

/** Strings that hold JSON themselves are followed this deep. */
const maxShells = 4;

/**
 * The object that a model wrote as JSON, or nearly so, as `readNearlyJson` reads it.
 * @returns undefined for a text with no meaning, or with more than one, and for a list
 */
export function readObject(text: string): Record<string, unknown> | undefined {
  const value = readNearlyJson(text);
  return isPlainObject(value) ? value : undefined;
}

/**
 * The object or list that a model meant: mended as by `mendJson`, taken out of a fence and out of a string that holds it; no members
 * for nothing at all. Integers that a number cannot hold are texts of their digits.
 * @returns undefined for what is no object and no list, or may mean two things
 */
export function readNearlyJson(text: string): unknown {
  const json = meantText(text, 0);
  try {
    return json === undefined ? undefined : JSON.parse(json, keepDigits);
  } catch {
    // With a reviver, JSON.parse overflows the stack on values that are nested thousands deep.
    return undefined;
  }
}

function meantText(text: string, shells: number): string | undefined {
  const bare = unwrapped(text);
  if (bare === '' || bare === 'None' || bare === 'undefined') return '{}';
  // The inside of a string that lost its quotes: `{\"x\": 1}`
  const escaped = /^[{[]\s*\\"/.test(bare) ? mendJson(`"${bare}"`) : undefined;
  const mended = escaped ?? mendJson(bare);
  if (mended === 'null') return '{}';
  if (mended?.startsWith('"')) return shells === maxShells ? undefined : meantText(JSON.parse(mended), shells + 1);
  return mended?.startsWith('{') || mended?.startsWith('[') ? mended : undefined;
}

/** A whole number that would be rounded stays as it is written. The third argument is ECMAScript's since 2025. */
function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const { source = '' } = context ?? {};
  return /^-?\d+$/.test(source) && String(value) !== source ? source : value;
}

/** A text without what models put around it: a byte order mark, a fence of code, the marks that end their turn. */
function unwrapped(text: string): string {
  let bare = text.replace(/^\uFEFF/, '').trim();
  for (let open = lastMark(bare); open !== undefined; open = lastMark(bare)) bare = bare.slice(0, open).trimEnd();
  const fence = /^(`+|~{3,})[\w-]*\s*/.exec(bare);
  if (fence === null) return bare;
  const [start, marks = ''] = fence;
  const end = bare.endsWith(marks) && bare.length >= start.length + marks.length ? -marks.length : undefined;
  return bare.slice(start.length, end).trim();
}

/** Where the last mark of a template begins, such as `<|im_end|>` or `</tool_call>`, when the text ends with one. */
function lastMark(text: string): number | undefined {
  const start = text.endsWith('>') ? text.lastIndexOf('<') : -1;
  return start > 0 && /^<[/|｜][^\s<>"']{1,48}>$/.test(text.slice(start, start + 52)) ? start : undefined;
}

/**
 * JSON text for a text that is nearly JSON and can mean only one thing: with a comma too many, one bracket too few or some too many at
 * its end, single quotes and words of Python, names without quotes, line breaks and lone backslashes in strings, the same value
 * twice, or an empty one beside it. JSON stays as it is. Undefined for all else.
 */
function mendJson(text: string): string | undefined {
  if (isJson(text)) return text.trim();
  try {
    const values = createReader(text).values();
    const told = [...new Set(values.filter((value) => !['{}', '[]', 'null', '""'].includes(value)))];
    const mended = told.length === 0 ? values[0] : told[0];
    return told.length <= 1 && mended !== undefined && isJson(mended) ? mended : undefined;
  } catch {
    return undefined;
  }
}

const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** Reads a text as JSON in a wide sense, and writes each value anew. Its functions throw where the text has no meaning. */
function createReader(text: string) {
  let at = 0;
  let missing = 0;

  function fail(): never {
    throw new SyntaxError('no JSON');
  }

  function skipSpace(): void {
    while (at < text.length && (isJsonSpace(text.charCodeAt(at)) || text[at] === '\u00a0')) at++;
  }

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  }

  function value(depth: number): string {
    skipSpace();
    const first = text[at];
    if (depth > maxDepth) fail();
    if (first === '{') return items('}', () => `${name()}:${value(depth + 1)}`);
    if (first === '[') return items(']', () => value(depth + 1));
    if (first === '"' || first === "'") return string(first);
    const word = take(/[+-]?[\w.][\w.+-]*/y) ?? fail();
    return words[word] ?? word;
  }

  function items(close: string, item: () => string): string {
    const read: string[] = [];
    const open = text[at++];
    for (;;) {
      skipSpace();
      if (text[at] === close) {
        at++;
        break;
      }
      if (isEndOfOuter()) {
        // One bracket is forgotten; where more are, or nothing is in them, the text may have been cut.
        if (++missing > 1 || read.length === 0) fail();
        break;
      }
      if (read.length > 0 && take(/,/y) === undefined) fail();
      skipSpace();
      if (at === text.length) fail();
      if (text[at] !== close) read.push(item());
    }
    return `${open}${read.join(',')}${close}`;
  }

  /** Whether only the brackets of what is around an item are left. */
  function isEndOfOuter(): boolean {
    return at === text.length || (/[}\]]/.test(text[at] ?? '') && /^[\s}\]]+$/.test(text.slice(at)));
  }

  function name(): string {
    const first = text[at];
    const written =
      first === '"' || first === "'" ? string(first) : JSON.stringify(take(/[\p{L}_$][\p{L}\d_$-]*/uy) ?? fail());
    skipSpace();
    if (take(/:/y) === undefined) fail();
    return written;
  }

  function string(quote: string): string {
    const start = ++at;
    while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
    if (at >= text.length) fail();
    return `"${mendString(text.slice(start, at++)) ?? fail()}"`;
  }

  return {
    /** All values that stand behind one another. Brackets and commas behind the last are left out. */
    values(): string[] {
      const read: string[] = [];
      for (skipSpace(); at < text.length; skipSpace()) {
        read.push(value(0));
        take(/[\s}\],;]+/y);
      }
      return read;
    },
  };
}

/**
 * The inside of a string as JSON writes it: line breaks escaped, and backslashes that stand for themselves. Undefined where a
 * backslash may mean two things, as in `C:\dir\new`.
 */
function mendString(inner: string): string | undefined {
  let hasLetters = false;
  let hasLone = false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not hold them
  const mended = inner.replace(/\\(u[\da-fA-F]{4}|[\s\S])|["\u0000-\u001f]/g, (found, escaped?: string) => {
    if (escaped === undefined) return found === '"' ? '\\"' : JSON.stringify(found).slice(1, -1);
    if (escaped === "'") return "'";
    if ('"\\/'.includes(escaped)) return found;
    const isKnown = escaped.length > 1 || 'bfnrt'.includes(escaped);
    hasLetters ||= isKnown || /[ux\d]/.test(escaped);
    hasLone ||= !isKnown;
    return isKnown ? found : JSON.stringify(found).slice(1, -1);
  });
  return hasLetters && hasLone ? undefined : mended;
}
