import { isJsonSpace } from '../../base/jsonText.ts';

/** Bounds of a JSON text. */
export interface JsonBounds {
  /** Characters, white space included. */
  text: number;
  /** Memory its values take, roughly, in bytes; strings are bounded by `text`. */
  weight: number;
  /** Members of objects with these names are read and not kept. */
  without?: ReadonlySet<string>;
}

/** Reads one JSON text (RFC 8259) in pieces, so that no piece takes long however long the text. */
export interface JsonReader {
  /** Takes more of the text, and gives how much of it belonged to the value: less than all once the value has ended. */
  feed(text: string): number;
  /** Ends the text, which completes a number at its end. */
  end(): void;
  readonly state: 'open' | 'whole' | 'broken' | 'too-large';
  /** The value that was read, once it is whole. */
  readonly value: unknown;
}

/** The deepest nesting that is read; no service's answer is deeper. */
const maxDepth = 128;
/** The most members of an object; no service sends more, and larger objects are slow to build. */
const maxMembers = 10_000;
/** The longest number, in characters; no caller reads a longer one. */
const maxNumber = 1_000;
const weights = { list: 64, object: 96, member: 40, string: 32, number: 16 };

type Container = unknown[] | Record<string, unknown>;
/** The place where a value is put; without a `container` it is dropped. */
interface Level {
  container: Container | undefined;
  isList: boolean;
  name: string;
  members: number;
}

const [quote, backslash, comma, colon, letterU] = [0x22, 0x5c, 0x2c, 0x3a, 0x75];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const numberShape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

export function createJsonReader(bounds: JsonBounds): JsonReader {
  let state: JsonReader['state'] = 'open';
  let value: unknown;
  let length = 0;
  let weight = 0;
  const levels: Level[] = [];
  let level: Level | undefined;
  /** The token expected next. `first`: a value, or the end of an empty list; `name?`: a name, or the end of an empty object. */
  let next: 'value' | 'first' | 'name' | 'name?' | 'colon' | 'after' = 'value';
  let inString = false;
  /** The part of a string or a number read so far. */
  let token = '';
  let inToken = false;
  /** The escape that the last piece broke off in. */
  let held = '';

  const isName = (): boolean => next === 'name' || next === 'name?';

  function add(bytes: number): void {
    weight += bytes;
    if (weight > bounds.weight) state = 'too-large';
  }

  const isKept = (): boolean =>
    level === undefined || (level.container !== undefined && (level.isList || !bounds.without?.has(level.name)));

  function put(item: unknown): void {
    next = 'after';
    if (level === undefined) {
      value = item;
      state = 'whole';
    } else if (isKept()) {
      if (level.isList) (level.container as unknown[]).push(item);
      else if (level.name === '__proto__') return;
      else (level.container as Record<string, unknown>)[level.name] = item;
      add(level.isList ? 8 : weights.member);
    }
  }

  function open(isList: boolean): void {
    if (levels.length === maxDepth) {
      state = 'broken';
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

  function endToken(): void {
    inToken = false;
    if (Object.hasOwn(literals, token)) put(literals[token]);
    else if (!numberShape.test(token)) state = 'broken';
    else {
      if (isKept()) add(weights.number);
      put(Number(token));
    }
    token = '';
  }

  function endString(): void {
    inString = false;
    const text = token;
    token = '';
    if (isName()) {
      if (level !== undefined) {
        level.name = text;
        if (++level.members > maxMembers) state = 'too-large';
      }
      next = 'colon';
      return;
    }
    if (isKept()) add(weights.string);
    put(text);
  }

  /** Goes through a string from `at`; gives the place after its quote, or the end of the text. */
  function readString(text: string, at: number): number {
    const start = at;
    let hasEscape = false;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code < 0x20) state = 'broken';
      if (code !== backslash) continue;
      const size = text.charCodeAt(at + 1) === letterU ? 6 : 2;
      if (at + size > text.length) {
        held = text.slice(at);
        break;
      }
      hasEscape = true;
      at += size - 1;
    }
    if (isName() || isKept()) token += hasEscape ? unescaped(text.slice(start, at)) : text.slice(start, at);
    if (at === text.length || held !== '') return text.length;
    if (state === 'open') endString();
    return at + 1;
  }

  function unescaped(inside: string): string {
    try {
      return JSON.parse(`"${inside}"`);
    } catch {
      state = 'broken';
      return '';
    }
  }

  /** Takes one character outside of strings and numbers. */
  function take(code: number): void {
    if (next === 'after') {
      if (code === comma) next = level?.isList ? 'value' : 'name';
      else if (code === (level?.isList ? closeList : closeObject)) close();
      else state = 'broken';
    } else if (next === 'colon') {
      if (code === colon) next = 'value';
      else state = 'broken';
    } else if (isName()) {
      if (code === quote) inString = true;
      else if (code === closeObject && next === 'name?') close();
      else state = 'broken';
    } else if (code === quote) inString = true;
    else if (code === openList || code === openObject) open(code === openList);
    else if (code === closeList && next === 'first') close();
    else state = 'broken';
  }

  function read(text: string): number {
    let at = 0;
    while (at < text.length && state === 'open') {
      if (inString) {
        at = readString(text, at);
        continue;
      }
      const code = text.charCodeAt(at);
      if (isTokenPart(code) && (inToken || next === 'value' || next === 'first')) {
        const start = at;
        while (at < text.length && isTokenPart(text.charCodeAt(at))) at++;
        token += text.slice(start, at);
        inToken = true;
        if (token.length > maxNumber) state = 'broken';
      } else if (inToken) endToken();
      else {
        if (code > 0x20) take(code);
        else if (!isJsonSpace(code)) state = 'broken';
        at++;
      }
    }
    return at;
  }

  return {
    feed(text) {
      if (state !== 'open') return 0;
      length += text.length;
      if (length > bounds.text) {
        state = 'too-large';
        return 0;
      }
      const before = held;
      held = '';
      return read(before + text) - before.length;
    },
    end() {
      if (state === 'open' && inToken) endToken();
    },
    get state() {
      return state;
    },
    get value() {
      return value;
    },
  };
}

/** Letters, digits and signs, of which numbers and `true`, `false`, `null` are made. */
function isTokenPart(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ||
    code === 0x2d ||
    code === 0x2b ||
    code === 0x2e
  );
}
