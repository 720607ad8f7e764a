/** Deeper JSON than this is no answer, and no request, of anybody. */
const maxDepth = 128;

/** A value as JSON text; undefined when it is no JSON, or nested too deep to be walked safely. */
export function jsonText(value: unknown): string | undefined {
  if (!isJsonValue(value)) return undefined;
  return JSON.stringify(value);
}

/**
 * Whether a value is what JSON can say, at most 128 levels deep: no functions, no instances, no endless numbers, nothing
 * that holds itself.
 * @param owners the objects it stands in
 */
export function isJsonValue(value: unknown, owners: readonly unknown[] = []): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || owners.length >= maxDepth || owners.includes(value)) return false;
  const path = [...owners, value];
  if (Array.isArray(value)) return value.every((item) => isJsonValue(item, path));
  return isPlainObject(value) && Object.values(value).every((item) => item === undefined || isJsonValue(item, path));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype as object) === null;
}
