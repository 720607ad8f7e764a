/** Where a text stops being JSON. */
export interface JsonFault {
  /** In characters from 0. */
  readonly at: number;
  /** Whether the text ends there: more of it might have made it whole. */
  readonly isEnd: boolean;
  /** Whether it is JSON so far, but has more lists and objects in each other than there may be. */
  readonly isTooDeep?: boolean;
}

const literals = ['true', 'false', 'null'];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const beginning = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:\d[eE][+-]?\d*)?)?$/;

/**
 * The first place where a text is not JSON (RFC 8259); undefined where all of it is. It is read letter by letter and never calls itself,
 * so that no text overflows the stack.
 * @param deepest how many lists and objects may stand in each other
 */
export function jsonFault(text: string, deepest: number): JsonFault | undefined {
  const open: string[] = [];
  let at = skipSpace(text, 0);
  /** What may come next. */
  let next: 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'comma' = 'value';
  const fault = (): JsonFault => ({ at, isEnd: at >= text.length });

  for (; at < text.length || open.length > 0 || next !== 'comma'; at = skipSpace(text, at)) {
    const letter = text[at];
    if (letter === undefined) return fault();
    const inside = open.at(-1);
    if (next === 'comma') {
      if (inside !== undefined && letter === ',') next = inside === '{' ? 'name' : 'value';
      else if (inside !== undefined && letter === closing(inside)) open.pop();
      else return fault();
      at++;
    } else if (next === 'colon') {
      if (letter !== ':') return fault();
      next = 'value';
      at++;
    } else if ((next === 'nameOrEnd' && letter === '}') || (next === 'valueOrEnd' && letter === ']')) {
      open.pop();
      next = 'comma';
      at++;
    } else if (next === 'name' || next === 'nameOrEnd') {
      const end = letter === '"' ? endOfString(text, at) : broken;
      if (end < 0) return { at, isEnd: end === openAtEnd };
      at = end;
      next = 'colon';
    } else if (letter === '{' || letter === '[') {
      if (open.push(letter) > deepest) return { at, isEnd: false, isTooDeep: true };
      next = letter === '{' ? 'nameOrEnd' : 'valueOrEnd';
      at++;
    } else {
      const end = endOfScalar(text, at);
      if (end < 0) return { at, isEnd: end === openAtEnd || isCutScalar(text, at) };
      at = end;
      next = 'comma';
    }
  }
  return undefined;
}

const closing = (open: string): string => (open === '{' ? '}' : ']');

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text[at] ?? '')) at++;
  return at;
}

/** The place behind a string; `broken` where it is none, and `open` where the text ends in it. */
const [broken, openAtEnd] = [-1, -2];

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return broken;
    if (code !== 0x5c) continue;
    at++;
    if (text[at] === 'u') {
      const digits = text.slice(at + 1, at + 5);
      if (!/^[\da-fA-F]*$/.test(digits)) return broken;
      if (digits.length < 4) return openAtEnd;
      at += 4;
    } else if (at < text.length && !'"\\/bfnrt'.includes(text[at] ?? '')) return broken;
  }
  return openAtEnd;
}

function endOfScalar(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  const literal = literals.find((each) => text.startsWith(each, at));
  if (literal !== undefined) return /\w/.test(text[at + literal.length] ?? '') ? -1 : at + literal.length;
  number.lastIndex = at;
  const found = number.exec(text)?.[0] ?? '';
  return found === '' ? -1 : at + found.length;
}

/** Whether what stands at the end of a text may be the beginning of a number or a word. */
function isCutScalar(text: string, at: number): boolean {
  if (text.length - at > 400) return false;
  const rest = text.slice(at);
  return (
    literals.some((each) => each.startsWith(rest)) || beginning.test(rest) || /^-?\d+(?:\.\d+)?[eE][+-]?$/.test(rest)
  );
}
