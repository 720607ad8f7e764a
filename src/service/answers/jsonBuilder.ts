/** Bounds of a JSON text. */
export interface JsonBounds {
  /** Characters, white space included. */
  text: number;
  /** Memory its values take, roughly, in bytes; strings are bounded by `text`. */
  weight: number;
  /** Members of objects with these names are read and not kept. */
  without?: ReadonlySet<string>;
  /** Whether `NaN` and `Infinity`, which Python writes though JSON has none, are read as null. */
  endlessAsNull?: boolean;
}

export type JsonState = 'open' | 'whole' | 'broken' | 'too-large';

/** Builds the value of a JSON text from its tokens, and says which may come next. */
export interface JsonBuilder {
  readonly state: JsonState;
  /** The value, once it is whole. */
  readonly value: unknown;
  /** Whether a number, `true`, `false` or `null` may begin now. */
  wantsValue(): boolean;
  /** Whether the words of the string that comes are of use. */
  wantsText(): boolean;
  /** Takes a character outside of strings and numbers, and gives whether a string begins with it. */
  takeMark(code: number): boolean;
  /** Takes a number, `true`, `false` or `null`. */
  putToken(token: string): void;
  /** Takes a string, which may be a name. */
  putString(text: string): void;
  /** Ends the text. The first reason stays. */
  fail(reason: 'broken' | 'too-large'): void;
}

/** The deepest nesting that is read; no service's answer is deeper. */
const maxDepth = 128;
/** The most members of an object; no service sends more, and larger objects are slow to build. */
const maxMembers = 10_000;
const weights = { list: 64, object: 96, member: 40, string: 32, number: 16 };

type Container = unknown[] | Record<string, unknown>;
/** The place where a value is put; without a `container` it is dropped. */
interface Level {
  container: Container | undefined;
  isList: boolean;
  name: string;
  members: number;
}

const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const numberShape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

export function createJsonBuilder(bounds: JsonBounds): JsonBuilder {
  let state: JsonState = 'open';
  let value: unknown;
  let weight = 0;
  const levels: Level[] = [];
  let level: Level | undefined;
  /** The token expected next. `first`: a value, or the end of an empty list; `name?`: a name, or the end of an empty object. */
  let next: 'value' | 'first' | 'name' | 'name?' | 'colon' | 'after' = 'value';

  const isName = (): boolean => next === 'name' || next === 'name?';
  const isKept = (): boolean =>
    level === undefined || (level.container !== undefined && (level.isList || !bounds.without?.has(level.name)));

  function fail(reason: 'broken' | 'too-large'): void {
    if (state === 'open') state = reason;
  }

  function add(bytes: number): void {
    weight += bytes;
    if (weight > bounds.weight) fail('too-large');
  }

  function put(item: unknown): void {
    next = 'after';
    if (level === undefined) {
      value = item;
      if (state === 'open') state = 'whole';
    } else if (isKept()) {
      if (level.isList) (level.container as unknown[]).push(item);
      else if (level.name === '__proto__') return;
      else (level.container as Record<string, unknown>)[level.name] = item;
      add(level.isList ? 8 : weights.member);
    }
  }

  function open(isList: boolean): void {
    if (levels.length === maxDepth) {
      fail('broken');
      return;
    }
    const container = isKept() ? (isList ? [] : {}) : undefined;
    if (container !== undefined) add(isList ? weights.list : weights.object);
    level = { container, isList, name: '', members: 0 };
    levels.push(level);
    next = isList ? 'first' : 'name?';
  }

  function close(): void {
    const closed = levels.pop();
    level = levels.at(-1);
    put(closed?.container);
  }

  function takeMark(code: number): boolean {
    if (code === quote && next !== 'after' && next !== 'colon') return true;
    if (next === 'after' && code === comma) next = level?.isList ? 'value' : 'name';
    else if (next === 'after' && code === (level?.isList ? closeList : closeObject)) close();
    else if (next === 'colon' && code === colon) next = 'value';
    else if (next === 'name?' && code === closeObject) close();
    else if (next === 'first' && code === closeList) close();
    else if ((next === 'value' || next === 'first') && (code === openList || code === openObject)) {
      open(code === openList);
    } else fail('broken');
    return false;
  }

  return {
    get state() {
      return state;
    },
    get value() {
      return value;
    },
    wantsValue: () => next === 'value' || next === 'first',
    wantsText: () => isName() || isKept(),
    takeMark,
    putToken(token) {
      if (Object.hasOwn(literals, token)) return put(literals[token]);
      if (bounds.endlessAsNull && /^(?:NaN|-?Infinity)$/.test(token)) return put(null);
      if (!numberShape.test(token)) return fail('broken');
      if (isKept()) add(weights.number);
      put(Number(token));
    },
    putString(text) {
      if (state !== 'open') return;
      if (!isName()) {
        if (isKept()) add(weights.string);
        return put(text);
      }
      next = 'colon';
      if (level === undefined) return;
      level.name = text;
      if (++level.members > maxMembers) fail('too-large');
    },
    fail,
  };
}
