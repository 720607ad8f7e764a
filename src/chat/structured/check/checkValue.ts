import { isJsonObject } from '../../../base/jsonText.ts';
import { createReferences } from '../schemaReferences.ts';
import type { Fault, Unchecked, ValuePath, Violation } from '../violation.ts';
import { checkArray, checkNumber, checkObject, checkString } from './checkParts.ts';
import { canonicalJson, typeOf, wantedList } from './jsonValues.ts';
import type { SchemaCheck, ValuePlace } from './schemaCheck.ts';
import { type Effort, readPattern, type TextPattern } from './textPattern.ts';

/** What came of checking an answer. */
export interface Checked {
  /** In the order of the answer; at most `mostViolations`. */
  readonly violations: readonly Violation[];
  /** Whether there may be more of them. */
  readonly hasMore: boolean;
  /** Parts of the schema that were passed over. */
  readonly unchecked: readonly Unchecked[];
  /** Whether all of the answer was looked at: a schema may make that take too long. */
  readonly isWhole: boolean;
}

const mostViolations = 200;
/** The most parts of a schema that are named as unchecked. */
const mostUnchecked = 20;
/** What a check may cost: about a second. A step is that of a pattern; a schema that is held against a value costs as much as several. */
const mostSteps = 6_000_000;
const schemaSteps = 6;
const faultSteps = 10;
/** How many schemas may be in use within each other, of one value or of one in another. */
const deepest = 400;

const knownTypes = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

type Schema = Readonly<Record<string, unknown>>;

/**
 * Checks a value that was read from JSON against a JSON schema (drafts 4 to 2020-12). It goes through both without running anything of
 * theirs, takes a bounded number of steps, and fetches nothing. Does not throw.
 */
export function checkValue(schema: unknown, value: unknown): Checked {
  const run = createRun(schema);
  run.fits(schema, value, undefined);
  const { violations, hasMore, unchecked, effort } = run;
  return { violations, hasMore, unchecked: [...unchecked.values()], isWhole: effort.steps > 0 };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one state, which its functions share
function createRun(root: unknown) {
  const find = createReferences(root);
  const siblingsCount = !/draft-0[3467]/.test(isJsonObject(root) ? String(root['$schema'] ?? '') : '');
  const effort: Effort = { steps: mostSteps };
  const unchecked = new Map<string, Unchecked>();
  const patterns = new Map<string, TextPattern | undefined>();
  const wanted = new WeakMap<readonly unknown[], ReadonlySet<string>>();
  /** The schemas that each value is being checked against. */
  const inUse = new Map<unknown, unknown[]>();
  let depth = 0;
  let hasMore = false;
  const violations: Violation[] = [];
  let list = violations;

  const check: SchemaCheck = {
    effort,
    fits,
    isFit: (schema, value, place) => collect(() => fits(schema, value, place)).isFit,
    fault(place, fault) {
      if (list.length >= mostViolations) {
        hasMore = true;
        return false;
      }
      const path = pathOf(place);
      effort.steps = Math.max(0, effort.steps - faultSteps - path.length);
      list.push({ path, fault });
      return false;
    },
    pass(kind, text) {
      if (unchecked.size < mostUnchecked) unchecked.set(`${kind} ${text}`, { kind, text: text.slice(0, 300) });
    },
    pattern(source) {
      if (!patterns.has(source)) {
        const read = readPattern(source);
        if (read === undefined) check.pass('pattern', source);
        patterns.set(source, read);
      }
      return patterns.get(source);
    },
  };

  /** Runs a check whose faults do not count yet. */
  function collect(run: () => boolean): { readonly isFit: boolean; readonly found: readonly Violation[] } {
    const [outer, more] = [list, hasMore];
    const found: Violation[] = [];
    list = found;
    const isFit = run();
    [list, hasMore] = [outer, more];
    return { isFit, found };
  }

  function fits(schema: unknown, value: unknown, place: ValuePlace | undefined): boolean {
    if (schema === true || effort.steps <= 0) return true;
    effort.steps = Math.max(0, effort.steps - schemaSteps);
    if (schema === false) return check.fault(place, { kind: 'never' });
    if (!isJsonObject(schema)) return true;
    if (depth >= deepest) {
      check.pass('deep', '');
      return true;
    }
    depth++;
    const isFit = fitsObject(schema, value, place);
    depth--;
    return isFit;
  }

  function fitsObject(schema: Schema, value: unknown, place: ValuePlace | undefined): boolean {
    const reference = referenceOf(schema);
    const referred = reference === undefined || fitsReferred(reference, value, place);
    if (reference !== undefined && !siblingsCount) return referred;
    const results = [
      referred,
      fitsType(schema, value, place),
      fitsValues(schema, value, place),
      typeof value === 'string' ? checkString(check, schema, value, place) : true,
      typeof value === 'number' ? checkNumber(check, schema, value, place) : true,
      Array.isArray(value) ? checkArray(check, schema, value, place) : true,
      isJsonObject(value) ? checkObject(check, schema, value, place) : true,
      fitsForms(schema, value, place),
      fitsCondition(schema, value, place),
    ];
    return results.every(Boolean);
  }

  /** A schema that leads back to itself with the same value, before it has said anything of it, would be checked without end. */
  function fitsReferred(reference: string, value: unknown, place: ValuePlace | undefined): boolean {
    const referred = find(reference);
    if ('problem' in referred) {
      check.pass(referred.problem, reference);
      return true;
    }
    const before = inUse.get(place) ?? [];
    if (before.includes(referred.schema)) {
      check.pass('circle', reference);
      return true;
    }
    inUse.set(place, [...before, referred.schema]);
    const isFit = fits(referred.schema, value, place);
    if (before.length === 0) inUse.delete(place);
    else inUse.set(place, before);
    return isFit;
  }

  function fitsType({ type, nullable }: Schema, value: unknown, place: ValuePlace | undefined): boolean {
    const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
    // What a word of another dialect means (`STRING`, `any`, `float`), nobody can tell.
    const other = types.find((each) => !knownTypes.has(each));
    if (other !== undefined) check.pass('keyword', `"type": ${JSON.stringify(other)}`);
    if (types.length === 0 || other !== undefined || (value === null && nullable === true)) return true;
    const found = typeOf(value);
    if (types.includes(found) || (found === 'integer' && types.includes('number'))) return true;
    return check.fault(place, {
      kind: 'type',
      wanted: types.slice(0, 10),
      found: found === 'integer' ? 'number' : found,
    });
  }

  function fitsValues(schema: Schema, value: unknown, place: ValuePlace | undefined): boolean {
    const { enum: values } = schema;
    let isFit = true;
    if (Array.isArray(values)) {
      let known = wanted.get(values);
      if (known === undefined) {
        known = new Set(values.map((each) => canonicalJson(each, effort)));
        wanted.set(values, known);
      }
      if (!known.has(canonicalJson(value, effort)) && effort.steps > 0)
        isFit = check.fault(place, { kind: 'enum', wanted: wantedList(values) });
    }
    if (!Object.hasOwn(schema, 'const')) return isFit;
    const isSame = canonicalJson(schema['const'], effort) === canonicalJson(value, effort);
    if (isSame || effort.steps <= 0) return isFit;
    return check.fault(place, { kind: 'const', wanted: wantedList([schema['const']]) });
  }

  function fitsForms({ allOf, anyOf, oneOf, not }: Schema, value: unknown, place: ValuePlace | undefined): boolean {
    let isFit = true;
    if (Array.isArray(allOf)) for (const each of allOf) isFit = fits(each, value, place) && isFit;
    if (Array.isArray(anyOf) && anyOf.length > 0) {
      const tried = anyOf.map((each) => collect(() => fits(each, value, place)));
      if (!tried.some((each) => each.isFit)) isFit = tellNearest(tried, place, { kind: 'anyOf' });
    }
    if (Array.isArray(oneOf) && oneOf.length > 0) {
      const tried = oneOf.map((each) => collect(() => fits(each, value, place)));
      const matches = tried.filter((each) => each.isFit).length;
      if (matches !== 1 && effort.steps > 0) isFit = tellNearest(tried, place, { kind: 'oneOf', matches });
    }
    if (not === undefined || !check.isFit(not, value, place) || effort.steps <= 0) return isFit;
    return check.fault(place, { kind: 'not' });
  }

  /** Tells what is wrong by the one form that was meant, where the others are ruled out by the type of the value or of a member that names it. */
  function tellNearest(
    tried: readonly ReturnType<typeof collect>[],
    place: ValuePlace | undefined,
    fault: Fault,
  ): boolean {
    const here = pathOf(place).length;
    const isOther = ({ path, fault: { kind } }: Violation): boolean =>
      (kind === 'type' && path.length === here) || (['const', 'enum'].includes(kind) && path.length <= here + 1);
    const meant = tried.filter(({ isFit, found }) => !isFit && !found.some(isOther));
    const [only] = meant;
    if (meant.length !== 1 || only === undefined) return check.fault(place, fault);
    for (const each of only.found) if (list.length < mostViolations) list.push(each);
    return false;
  }

  function fitsCondition(
    { if: condition, then, else: other }: Schema,
    value: unknown,
    place: ValuePlace | undefined,
  ): boolean {
    if (condition === undefined) return true;
    const branch = check.isFit(condition, value, place) ? then : other;
    return branch === undefined || fits(branch, value, place);
  }

  return {
    fits,
    violations,
    unchecked,
    effort,
    get hasMore() {
      return hasMore;
    },
  };
}

function referenceOf(schema: Schema): string | undefined {
  return [schema['$ref'], schema['$dynamicRef'], schema['$recursiveRef']].find((each) => typeof each === 'string') as
    | string
    | undefined;
}

function pathOf(place: ValuePlace | undefined): ValuePath {
  const path: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.outer) path.push(at.key);
  return path.reverse();
}
