import { isJsonObject } from '../../../base/jsonText.ts';
import type { Fault } from '../violation.ts';
import { canonicalJson } from './jsonValues.ts';
import type { SchemaCheck, ValuePlace } from './schemaCheck.ts';
import { hasFormat } from './textFormat.ts';

type Keywords = Readonly<Record<string, unknown>>;
type BoundKind = Extract<Fault, { readonly bound: number }>['kind'];

/** Tells a value that is beyond a bound of the schema; what is no number is no bound. */
function holds(
  check: SchemaCheck,
  bound: unknown,
  isKept: (bound: number) => boolean,
  kind: BoundKind,
  place: ValuePlace | undefined,
): boolean {
  if (typeof bound !== 'number' || !Number.isFinite(bound) || isKept(bound)) return true;
  return check.fault(place, { kind, bound });
}

export function checkNumber(
  check: SchemaCheck,
  schema: Keywords,
  value: number,
  place: ValuePlace | undefined,
): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // In draft 4, these two say how the others are meant.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  return [
    above === minimum || holds(check, minimum, (bound) => value >= bound, 'minimum', place),
    below === maximum || holds(check, maximum, (bound) => value <= bound, 'maximum', place),
    holds(check, above, (bound) => value > bound, 'above', place),
    holds(check, below, (bound) => value < bound, 'below', place),
    holds(check, multipleOf, (bound) => isMultiple(value, bound), 'multipleOf', place),
  ].every(Boolean);
}

/** Of decimal fractions, too: 0.3 is a multiple of 0.1. Both are taken as they are written, which a division of them is not. */
function isMultiple(value: number, of: number): boolean {
  if (of <= 0 || value % of === 0 || !Number.isFinite(value)) return true;
  const [one, other] = [decimalOf(value), decimalOf(of)];
  const digits = Math.max(one.digits, other.digits);
  const whole = ({ number, digits: own }: Decimal): bigint => number * 10n ** BigInt(digits - own);
  return whole(one) % whole(other) === 0n;
}

/** A number without its point, and how many digits stand behind that. */
interface Decimal {
  readonly number: bigint;
  readonly digits: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [before = '', behind = ''] = mantissa.split('.');
  const digits = behind.length - Number(exponent);
  const number = BigInt(before + behind);
  return digits >= 0 ? { number, digits } : { number: number * 10n ** BigInt(-digits), digits: 0 };
}

export function checkString(
  check: SchemaCheck,
  schema: Keywords,
  value: string,
  place: ValuePlace | undefined,
): boolean {
  const { minLength, maxLength, pattern, format } = schema;
  let isFit = true;
  if (minLength !== undefined || maxLength !== undefined) {
    check.effort.steps = Math.max(0, check.effort.steps - Math.ceil(value.length / 16));
    const length = characters(value);
    isFit = holds(check, minLength, (bound) => length >= bound, 'minLength', place);
    isFit = holds(check, maxLength, (bound) => length <= bound, 'maxLength', place) && isFit;
  }
  if (typeof pattern === 'string' && isMatch(check, pattern, value) === false)
    isFit = check.fault(place, { kind: 'pattern', wanted: pattern });
  if (typeof format !== 'string') return isFit;
  const hasIt = format === 'regex' ? isPattern(value) : hasFormat(value, format);
  return hasIt ? isFit : check.fault(place, { kind: 'format', wanted: format });
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Undefined for a pattern that is not checked, and where the effort is spent. */
function isMatch(check: SchemaCheck, pattern: string, text: string): boolean | undefined {
  return check.pattern(pattern)?.test(text, check.effort);
}

function isPattern(text: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(text, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}

export function checkArray(
  check: SchemaCheck,
  schema: Keywords,
  value: readonly unknown[],
  place: ValuePlace | undefined,
): boolean {
  const { minItems, maxItems, uniqueItems, unevaluatedItems } = schema;
  if (unevaluatedItems !== undefined) check.pass('keyword', 'unevaluatedItems');
  let isFit = holds(check, minItems, (bound) => value.length >= bound, 'minItems', place);
  isFit = holds(check, maxItems, (bound) => value.length <= bound, 'maxItems', place) && isFit;
  isFit = checkItems(check, schema, value, place) && isFit;
  if (uniqueItems === true) isFit = checkUnique(check, value, place) && isFit;
  return checkContains(check, schema, value, place) && isFit;
}

function checkItems(
  check: SchemaCheck,
  schema: Keywords,
  value: readonly unknown[],
  place: ValuePlace | undefined,
): boolean {
  const { items, prefixItems, additionalItems } = schema;
  // Before 2020, a list of `items` was what `prefixItems` is since, and `additionalItems` what followed it.
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const others = Array.isArray(items) ? additionalItems : items;
  let isFit = true;
  for (const [index, item] of value.entries()) {
    const schemaOfItem: unknown = index < first.length ? first[index] : others;
    if (schemaOfItem === undefined) break;
    if (check.effort.steps <= 0) return isFit;
    isFit = check.fits(schemaOfItem, item, { key: index, outer: place }) && isFit;
  }
  return isFit;
}

function checkUnique(check: SchemaCheck, value: readonly unknown[], place: ValuePlace | undefined): boolean {
  const known = new Map<string, number>();
  let isFit = true;
  for (const [index, item] of value.entries()) {
    const text = canonicalJson(item, check.effort);
    if (check.effort.steps <= 0) return isFit;
    const before = known.get(text);
    if (before === undefined) known.set(text, index);
    else isFit = check.fault({ key: index, outer: place }, { kind: 'same', index: before });
  }
  return isFit;
}

function checkContains(
  check: SchemaCheck,
  schema: Keywords,
  value: readonly unknown[],
  place: ValuePlace | undefined,
): boolean {
  const { contains, minContains = 1, maxContains } = schema;
  if (contains === undefined) return true;
  const matches = value.filter((item, index) => check.isFit(contains, item, { key: index, outer: place })).length;
  const isEnough = typeof minContains !== 'number' || matches >= minContains;
  const isTooMany = typeof maxContains === 'number' && matches > maxContains;
  if ((isEnough && !isTooMany) || check.effort.steps <= 0) return true;
  return check.fault(place, { kind: 'contains' });
}

type Members = Readonly<Record<string, unknown>>;

export function checkObject(
  check: SchemaCheck,
  schema: Keywords,
  value: Members,
  place: ValuePlace | undefined,
): boolean {
  const { required, minProperties, maxProperties, propertyNames, unevaluatedProperties } = schema;
  if (unevaluatedProperties !== undefined) check.pass('keyword', 'unevaluatedProperties');
  const names = Object.keys(value);
  let isFit = true;
  for (const name of Array.isArray(required) ? required : []) {
    check.effort.steps--;
    if (typeof name === 'string' && !Object.hasOwn(value, name)) isFit = check.fault(place, { kind: 'missing', name });
  }
  isFit = holds(check, minProperties, (bound) => names.length >= bound, 'minProperties', place) && isFit;
  isFit = holds(check, maxProperties, (bound) => names.length <= bound, 'maxProperties', place) && isFit;
  isFit = checkMembers(check, schema, value, place) && isFit;
  if (propertyNames !== undefined)
    for (const name of names) {
      const here = { key: name, outer: place };
      if (!check.isFit(propertyNames, name, here)) isFit = check.fault(here, { kind: 'name' });
    }
  return checkDependent(check, schema, value, place) && isFit;
}

function checkMembers(check: SchemaCheck, schema: Keywords, value: Members, place: ValuePlace | undefined): boolean {
  const { properties, patternProperties, additionalProperties } = schema;
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  let isFit = true;
  for (const [name, member] of Object.entries(value)) {
    if (check.effort.steps <= 0) return isFit;
    const here = { key: name, outer: place };
    let isKnown = false;
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
      isKnown = true;
      isFit = check.fits(properties[name], member, here) && isFit;
    }
    for (const [pattern, schemaOfMember] of patterns) {
      const found = isMatch(check, pattern, name);
      // A name may be meant by a pattern that is not checked.
      if (found !== false) isKnown = true;
      if (found) isFit = check.fits(schemaOfMember, member, here) && isFit;
    }
    if (isKnown || additionalProperties === undefined) continue;
    if (additionalProperties === false) isFit = check.fault(here, { kind: 'extra' });
    else isFit = check.fits(additionalProperties, member, here) && isFit;
  }
  return isFit;
}

/** What has to be there because something else is. */
function checkDependent(check: SchemaCheck, schema: Keywords, value: Members, place: ValuePlace | undefined): boolean {
  let isFit = true;
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependent = schema[keyword];
    if (!isJsonObject(dependent)) continue;
    for (const [by, needs] of Object.entries(dependent)) {
      check.effort.steps--;
      if (!Object.hasOwn(value, by)) continue;
      if (!Array.isArray(needs)) isFit = check.fits(needs, value, place) && isFit;
      else
        for (const name of needs)
          if (typeof name === 'string' && !Object.hasOwn(value, name))
            isFit = check.fault(place, { kind: 'needs', name, by });
    }
  }
  return isFit;
}
