/**
 * Regular expressions of schemas, matched without backtracking: in time that grows with the text times the pattern, whatever either is.
 * A schema comes from outside, and with `(a+)+$` and thirty letters, the engine of JavaScript would hold up the whole window.
 */

/** A counter of what a check may still cost; it is taken from, and never goes below zero. */
export interface Effort {
  steps: number;
}

/** A pattern that is ready to be matched. */
export interface TextPattern {
  /** Whether a text has a match anywhere in it; undefined where that would take more than the effort. */
  test(text: string, effort: Effort): boolean | undefined;
}

const longestPattern = 2_000;
const mostInstructions = 4_000;
const deepestGroup = 50;
/** Higher counts than this are not written out. */
const mostRepeats = 1_000;

type Around = (before: string | undefined, after: string | undefined) => boolean;

type Instruction =
  | { readonly op: 'char'; readonly test: (char: string) => boolean; readonly next: number }
  | { readonly op: 'split'; readonly to: readonly number[] }
  | { readonly op: 'assert'; readonly holds: Around; readonly next: number }
  | { readonly op: 'look'; readonly start: number; readonly isNegative: boolean; readonly next: number }
  | { readonly op: 'match' };

type Pattern =
  | { readonly kind: 'char'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly of: Pattern; readonly least: number; readonly most: number }
  | { readonly kind: 'assert'; readonly holds: Around }
  | { readonly kind: 'look'; readonly of: Pattern; readonly isNegative: boolean };

/** Reads a pattern; undefined for what is none, is too long, or looks back: those are not checked. */
export function readPattern(source: string): TextPattern | undefined {
  if (source.length > longestPattern) return undefined;
  const flags = ['u', ''].find((each) => isRegExp(source, each));
  if (flags === undefined || (flags === '' && isOfOtherDialect(source))) return undefined;
  try {
    const program = compile(parse(source), flags);
    return { test: (text, effort) => matches(program, flags === 'u' ? Array.from(text) : text.split(''), effort) };
  } catch {
    return undefined;
  }
}

/**
 * Whether a pattern has what JavaScript takes for plain letters, and another language for more: `\A`, `\Z`, `\p{L}`, `[[:alpha:]]`. With
 * the flag `u`, JavaScript refuses those, so that they are looked for where it has refused the pattern.
 */
function isOfOtherDialect(source: string): boolean {
  return /\[\[:\^?\w+:\]|^(?:[^\\]|\\[^A-Za-z]|\\[bBdDwWsStrnvfcxuk])*\\(?![bBdDwWsStrnvfcxuk])[A-Za-z]/.test(source);
}

function isRegExp(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

function unsupported(): never {
  throw new SyntaxError('not supported');
}

const isWord = (char: string | undefined): boolean => char !== undefined && /^\w$/.test(char);
const assertions: Readonly<Record<string, Around>> = {
  '^': (before) => before === undefined,
  $: (_, after) => after === undefined,
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
};

/** One letter, or what stands for one: a class, an escape, a dot. */
const oneChar =
  /\[(?:\\[\s\S]|[^\]\\])*\]|\\u\{[\da-fA-F]+\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\[pP]\{[^}]*\}|\\0(?!\d)|\\[^1-9kbBpPux]|[^\\()|*+?]/uy;

function parse(source: string): Pattern {
  let at = 0;
  let depth = 0;

  function choice(): Pattern {
    if (++depth > deepestGroup) unsupported();
    const of: Pattern[] = [sequence()];
    while (source[at] === '|') {
      at++;
      of.push(sequence());
    }
    depth--;
    return of.length === 1 && of[0] !== undefined ? of[0] : { kind: 'choice', of };
  }

  function sequence(): Pattern {
    const of: Pattern[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') of.push(repeated(atom()));
    return { kind: 'sequence', of };
  }

  function atom(): Pattern {
    if (source[at] === '(') return group();
    const mark = source[at] === '\\' ? source.slice(at, at + 2) : (source[at] ?? '');
    const holds = Object.hasOwn(assertions, mark) ? assertions[mark] : undefined;
    if (holds !== undefined) {
      at += mark.length;
      return { kind: 'assert', holds };
    }
    oneChar.lastIndex = at;
    const found = oneChar.exec(source)?.[0] ?? unsupported();
    at += found.length;
    return { kind: 'char', source: found };
  }

  function group(): Pattern {
    const [opening = '', look] = /^\((?:\?(?::|<[\p{L}_$][\p{L}\p{N}_$]*>|([=!])))?/u.exec(source.slice(at)) ?? [];
    at += opening.length;
    if (source[at] === '?') unsupported();
    const of = choice();
    if (source[at++] !== ')') unsupported();
    return look === undefined ? of : { kind: 'look', of, isNegative: look === '!' };
  }

  function repeated(of: Pattern): Pattern {
    const [mark, fixed, comma, last] = /^(?:[*+?]|\{(\d+)(,)?(\d+)?\})/.exec(source.slice(at)) ?? [];
    if (mark === undefined) return of;
    at += mark.length;
    if (source[at] === '?') at++;
    if (of.kind === 'assert' || of.kind === 'look') unsupported();
    const least = fixed === undefined ? (mark === '+' ? 1 : 0) : Number(fixed);
    const upper = last === undefined ? Number.POSITIVE_INFINITY : Number(last);
    const most =
      fixed === undefined ? (mark === '?' ? 1 : Number.POSITIVE_INFINITY) : comma === undefined ? least : upper;
    return { kind: 'repeat', of, least, most };
  }

  const whole = choice();
  return at === source.length ? whole : unsupported();
}

interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

/** Written from the end on, so that each part knows where it leads to. */
function compile(pattern: Pattern, flags: string): Program {
  const instructions: Instruction[] = [];
  const tests = new Map<string, (char: string) => boolean>();

  function add(instruction: Instruction): number {
    if (instructions.length >= mostInstructions) unsupported();
    return instructions.push(instruction) - 1;
  }

  function testOf(source: string): (char: string) => boolean {
    const known = tests.get(source);
    if (known !== undefined) return known;
    // What matches one letter takes no time to speak of, whatever it is.
    const one = new RegExp(`^${source}$`, flags);
    const test = (char: string): boolean => one.test(char);
    tests.set(source, test);
    return test;
  }

  function write(part: Pattern, next: number): number {
    switch (part.kind) {
      case 'char':
        return add({ op: 'char', test: testOf(part.source), next });
      case 'assert':
        return add({ op: 'assert', holds: part.holds, next });
      case 'look':
        return add({ op: 'look', start: write(part.of, add({ op: 'match' })), isNegative: part.isNegative, next });
      case 'sequence':
        return part.of.reduceRight((to, each) => write(each, to), next);
      case 'choice':
        return add({ op: 'split', to: part.of.map((each) => write(each, next)) });
      case 'repeat':
        return repeat(part, next);
    }
  }

  function repeat({ of, least, most }: Extract<Pattern, { readonly kind: 'repeat' }>, next: number): number {
    if (least > mostRepeats || (most > mostRepeats && most !== Number.POSITIVE_INFINITY)) unsupported();
    let to = next;
    if (most === Number.POSITIVE_INFINITY) {
      const again: number[] = [next];
      to = add({ op: 'split', to: again });
      again.push(write(of, to));
    } else {
      for (let i = least; i < most; i++) to = add({ op: 'split', to: [next, write(of, to)] });
    }
    for (let i = 0; i < least; i++) to = write(of, to);
    return to;
  }

  const start = write(pattern, add({ op: 'match' }));
  return { instructions, start };
}

/** Goes through the text once, with all places of the pattern that may be reached so far. */
function matches({ instructions, start }: Program, text: readonly string[], effort: Effort): boolean | undefined {
  /** @param isAnchored whether the match has to begin at `from` */
  function run(first: number, from: number, isAnchored: boolean): boolean | undefined {
    let current: number[] = [];
    for (let at = from; at <= text.length; at++) {
      if (at === from || !isAnchored) current.push(first);
      const reached = follow(current, at);
      if (typeof reached !== 'object') return reached;
      const char = text[at];
      if (char === undefined || (isAnchored && reached.length === 0)) return false;
      current = reached.flatMap((each) => {
        const instruction = instructions[each];
        return instruction?.op === 'char' && instruction.test(char) ? [instruction.next] : [];
      });
    }
    return false;
  }

  /** The places that wait for a letter; true where the pattern has ended. */
  function follow(from: readonly number[], at: number): number[] | boolean | undefined {
    const seen = new Set<number>();
    const waiting: number[] = [];
    const open = [...from];
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (seen.has(each)) continue;
      seen.add(each);
      if (--effort.steps < 0) return spent(effort);
      const instruction = instructions[each];
      if (instruction?.op === 'match') return true;
      if (instruction?.op === 'char') waiting.push(each);
      else if (instruction?.op === 'split') open.push(...instruction.to);
      else if (instruction?.op === 'assert') {
        if (instruction.holds(text[at - 1], text[at])) open.push(instruction.next);
      } else if (instruction?.op === 'look') {
        const found = run(instruction.start, at, true);
        if (found === undefined) return undefined;
        if (found !== instruction.isNegative) open.push(instruction.next);
      }
    }
    return waiting;
  }

  return run(start, 0, false);
}

function spent(effort: Effort): undefined {
  effort.steps = 0;
  return undefined;
}
