import { badField } from './replies.ts';

/** Says what a value should have been, or undefined when it is right. */
export type Check = (value: unknown) => string | undefined;
export type Fields = Record<string, Check>;
export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const must =
  (test: (value: unknown) => boolean, noun: string): Check =>
  (value) =>
    test(value) ? undefined : noun;

export const aString = must((v) => typeof v === 'string', 'a string');
export const aFilledString = must((v) => typeof v === 'string' && v.trim() !== '', 'a string that is not empty');
export const aBoolean = must((v) => typeof v === 'boolean', 'a boolean');
export const anObject = must(isObject, 'an object');
export const anArray = must(Array.isArray, 'an array');
export const number = (from: number, to: number): Check =>
  must((v) => typeof v === 'number' && v >= from && v <= to, `a number from ${from} to ${to}`);
export const integer = (from: number, to = Number.MAX_SAFE_INTEGER): Check =>
  must(
    (v) => Number.isSafeInteger(v) && (v as number) >= from && (v as number) <= to,
    to === Number.MAX_SAFE_INTEGER ? `an integer of at least ${from}` : `an integer from ${from} to ${to}`,
  );
export const oneOf = (...values: string[]): Check =>
  must((v) => typeof v === 'string' && values.includes(v), `one of ${values.join(', ')}`);
export const orNull =
  (check: Check): Check =>
  (value) => {
    const wanted = value === null ? undefined : check(value);
    return wanted && `${wanted}, or null`;
  };
export const either =
  (...checks: Check[]): Check =>
  (value) => {
    const wanted = checks.map((check) => check(value));
    return wanted.includes(undefined) ? undefined : wanted.join(' or ');
  };

/**
 * Holds an object against its table of fields.
 * @param at where the object stands in the request, e.g. `messages[2].`
 * @throws Refusal 400 with `param` for a field that is unknown, ill-typed or missing
 */
export function checkFields(value: Json, fields: Fields, required: string[], at = ''): void {
  for (const name of required) {
    if (value[name] === undefined) {
      throw badField(at + name, `Missing required field '${at}${name}'.`, 'missing_required_parameter');
    }
  }
  for (const [name, item] of Object.entries(value)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!check) throw badField(at + name, `Unknown field '${at}${name}'.`, 'unknown_parameter');
    const wanted = check(item);
    if (wanted) throw badField(at + name, `Field '${at}${name}' must be ${wanted}.`, 'invalid_type');
  }
}
