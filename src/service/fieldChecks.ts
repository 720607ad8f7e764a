import { ServiceError } from '../base/errors.ts';
import { isPlainObject } from '../base/jsonText.ts';

/** Says what a value should have been, as an English phrase; undefined when it is right. */
export type FieldCheck = (value: unknown) => string | undefined;
export type FieldChecks = Readonly<Record<string, FieldCheck>>;

const must =
  (test: (value: unknown) => boolean, phrase: string): FieldCheck =>
  (value) =>
    test(value) ? undefined : phrase;

export const isString = must((value) => typeof value === 'string', 'text');
export const isFilledString = must(
  (value) => typeof value === 'string' && value.trim() !== '',
  'text that is not empty',
);
export const isBoolean = must((value) => typeof value === 'boolean', 'true or false');
export const isNumber = must(Number.isFinite, 'a number');
export const isInteger = must(Number.isSafeInteger, 'a whole number');
export const isObject = must(isPlainObject, 'an object');
export const isList = must((value) => Array.isArray(value) && value.length > 0, 'a list that is not empty');

export const numberFrom = (least: number, most = Number.MAX_VALUE): FieldCheck =>
  must((value) => typeof value === 'number' && value >= least && value <= most, numberPhrase('number', least, most));
export const integerFrom = (least: number, most = Number.MAX_SAFE_INTEGER): FieldCheck =>
  must(
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
    numberPhrase('whole number', least, most),
  );
export const matches = (pattern: RegExp, phrase: string): FieldCheck =>
  must((value) => typeof value === 'string' && pattern.test(value), phrase);
export const orNull =
  (check: FieldCheck): FieldCheck =>
  (value) => {
    const phrase = value === null ? undefined : check(value);
    return phrase === undefined ? undefined : `${phrase}, or null`;
  };
export const either =
  (...checks: readonly FieldCheck[]): FieldCheck =>
  (value) => {
    const phrases = checks.map((check) => check(value));
    return phrases.includes(undefined) ? undefined : phrases.join(', or ');
  };

function numberPhrase(noun: string, least: number, most: number): string {
  return most < Number.MAX_SAFE_INTEGER ? `a ${noun} from ${least} to ${most}` : `a ${noun} of at least ${least}`;
}

/**
 * Checks an object against the table of its fields. A member that is undefined counts as absent.
 * @param at where the object stands in the request: `tools[0].function.`
 * @throws ServiceError `invalid-request` for the first field that is missing, unknown or of another kind
 */
export function checkFields(value: unknown, checks: FieldChecks, required: readonly string[], at = ''): void {
  if (!isPlainObject(value)) throw invalidField(at.replace(/\.$/, ''), 'an object');
  for (const name of new Set([...required, ...Object.keys(value)])) {
    const given = value[name];
    if (given === undefined && !required.includes(name)) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    const phrase = check === undefined ? 'no value: there is no such field' : check(given);
    if (phrase !== undefined) throw invalidField(at + name, phrase);
  }
}

/** @param takes what the field takes, as an English phrase */
export function invalidField(param: string, takes: string): ServiceError {
  return new ServiceError('invalid-request', { param, hint: takes, message: `${param}: takes ${takes}` });
}
