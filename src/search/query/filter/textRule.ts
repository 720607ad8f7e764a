import { ServiceError } from '../../../base/errors.ts';
import { indexedWords } from '../../store/words.ts';

/** What the text of a hit has to hold, or must not hold, as it was typed. */
export interface TextRule {
  /**
   * `phrase`: these very letters, where any blanks stand for any others · `word`: that word, also as a part of an identifier · `pattern`:
   * a match of a regular expression · `symbol`: the declaration of a name that has these letters · `symbol-pattern`: of one that matches
   */
  readonly kind: 'phrase' | 'word' | 'pattern' | 'symbol' | 'symbol-pattern';
  readonly source: string;
  /** Flags of a pattern that were typed: `i`, `m`, `s`. */
  readonly flags?: string;
  readonly isNegative: boolean;
}

/** A chunk as rules look at it. */
export interface RuledText {
  readonly text: string;
  readonly names: readonly string[];
}

/** A rule that is ready to be used. */
export interface TextTest {
  readonly rule: TextRule;
  holds(chunk: RuledText): boolean;
  /** Whether one of some names is what is looked for: for an expression, a declaration tells more than a use. */
  isDeclared(names: readonly string[]): boolean;
  /** Where in a text it is held: the first offset of each match, in order. */
  places(text: string): Iterable<number>;
}

/** Longest regular expression that is taken. */
const longestPattern = 1_000;

/** @throws ServiceError `invalid-request`, `param` `pattern`, for what is no regular expression; `message` is its text, `hint` why */
export function compileRule(rule: TextRule): TextTest {
  const { kind } = rule;
  if (kind === 'word') return wordTest(rule);
  const shape = kind === 'pattern' || kind === 'symbol-pattern' ? patternOf(rule) : phraseOf(lastPart(rule));
  const places = function* (text: string): Generator<number> {
    for (const { index } of text.matchAll(shape.all)) yield index;
  };
  const isOfText = kind === 'phrase' || kind === 'pattern';
  return {
    rule,
    places,
    isDeclared: (names) => kind !== 'phrase' && names.some((name) => shape.one.test(name)),
    holds: (chunk) => (isOfText ? shape.one.test(chunk.text) : chunk.names.some((name) => shape.one.test(name))),
  };
}

interface Shape {
  readonly one: RegExp;
  readonly all: RegExp;
}

/** Letters are any letters while all that are typed are small ones; with a capital, they are as typed. */
function caseOf(typed: string): 'i' | '' {
  return /\p{Lu}/u.test(typed) ? '' : 'i';
}

function phraseOf(source: string): Shape {
  const parts = source
    .trim()
    .split(/\s+/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const flags = `${caseOf(source)}u`;
  const text = parts.join('\\s+').replaceAll('\\-', '-');
  return { one: new RegExp(text, flags), all: new RegExp(text, `${flags}g`) };
}

/** Of `Store.open` and `std::move`, the last part is what is declared. */
function lastPart({ kind, source }: TextRule): string {
  return kind === 'symbol' ? (source.split(/\.|::|#/).findLast((part) => part !== '') ?? source) : source;
}

function patternOf({ source, flags = '' }: TextRule): Shape {
  if (source.length > longestPattern) throw badPattern(source, 'long');
  // What follows a backslash is no letter that was typed: `\W`, `\S`.
  const sensitive = flags.includes('i') ? 'i' : caseOf(source.replace(/\\[pP]\{[^}]*\}|\\./g, ''));
  const others = `${/[ms]/.test(flags) ? [...new Set(flags.replace(/[^ms]/g, ''))].join('') : ''}${sensitive}`;
  const anchored = others.includes('m') ? others : `${others}m`;
  for (const each of [`${anchored}u`, anchored]) {
    try {
      return { one: new RegExp(source, each), all: new RegExp(source, `${each}g`) };
    } catch (error) {
      if (!each.endsWith('u')) throw badPattern(source, reasonOf(error));
    }
  }
  throw badPattern(source, '');
}

/** What the engine says of a pattern, without the pattern. */
function reasonOf(error: unknown): string {
  return error instanceof SyntaxError ? (error.message.split(': ').at(-1) ?? '') : '';
}

/** @param hint why: `long`, `slow`, or what the engine of regular expressions says */
export function badPattern(source: string, hint: string): ServiceError {
  return new ServiceError('invalid-request', { param: 'pattern', message: source, hint });
}

function wordTest(rule: TextRule): TextTest {
  const wanted = wordsOf(rule.source);
  return {
    rule,
    holds({ text }) {
      // Most texts do not have the letters at all.
      if (!text.toLowerCase().includes(wanted[0] ?? '')) return false;
      const found = new Set(wordsOf(text));
      return wanted.every((word) => found.has(word));
    },
    isDeclared: () => false,
    places: () => [],
  };
}

const wordsOf = (text: string): string[] =>
  indexedWords(text)
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}_$]+/u)
    .filter((word) => word !== '');
