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
