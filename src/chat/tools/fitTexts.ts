import { checkValue } from '../structured/check/checkValue.ts';
import type { Violation } from '../structured/violation.ts';

/** What may be written as a text where the schema wants it itself. How a number was written is lost where it is wanted as a text. */
const mayBeText = ['array', 'object', 'number', 'integer', 'boolean'];
/** The longest text that is read, in characters. */
const longest = 1_000_000;

/**
 * The arguments with each text that is just the JSON of what the schema wants in its place, as some models write lists and numbers. What
 * fits as it is stays; a copy is given.
 */
export function fitTexts(
  schema: Readonly<Record<string, unknown>>,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const texts = checkValue(schema, input).violations.filter(isText);
  if (texts.length === 0) return input;
  const fitted = structuredClone(input);
  for (const { path, fault } of texts) {
    const last = path.at(-1);
    const owner = path.slice(0, -1).reduce<unknown>((value, key) => memberOf(value, key), fitted);
    const text = last === undefined ? undefined : memberOf(owner, last);
    if (last === undefined || typeof text !== 'string' || text.length > longest) continue;
    const value = jsonOf(text);
    if (value !== undefined && isWanted(value, fault.wanted)) (owner as Record<string | number, unknown>)[last] = value;
  }
  return fitted;
}

type TypeViolation = Violation & { readonly fault: Extract<Violation['fault'], { readonly kind: 'type' }> };

function isText(violation: Violation): violation is TypeViolation {
  const { fault } = violation;
  return fault.kind === 'type' && fault.found === 'string' && fault.wanted.some((type) => mayBeText.includes(type));
}

function memberOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isWanted(value: unknown, wanted: readonly string[]): boolean {
  const type = Array.isArray(value) ? 'array' : typeof value;
  return wanted.includes(type) || (Number.isInteger(value) && wanted.includes('integer'));
}
