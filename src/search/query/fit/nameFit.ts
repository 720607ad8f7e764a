import { stem } from '../../store/stem.ts';
import { splitIdentifier } from '../../store/words.ts';
import type { QueryTerms } from '../queryTerms.ts';

/** The least length at which one word that begins another means the same. */
const leastPrefix = 4;

/** How well the names of a chunk fit a question, from 0 to 1. @param mention how well a mention fits at most */
export function fitOfNames({ names, mentions = [] }: DeclaredNames, terms: QueryTerms, mention = 1): number {
  // A chunk with a rare word has its relevance from it already.
  const evened = new Map([...terms.words].map(([word, weight]) => [word, Math.sqrt(weight)]));
  let best = 0;
  for (const name of names) {
    const most = mentions.includes(name) ? mention : 1;
    if (most > best) best = Math.max(best, most * fitOf(stemsOf(name), evened));
  }
  return best;
}

/** The names that a chunk declares; `types` and `mentions` are among `names`. */
export interface DeclaredNames {
  readonly names: readonly string[];
  readonly types?: readonly string[];
  readonly mentions?: readonly string[];
}

/** How much less than a type's own declaration another one is. */
export interface RoleWeights {
  readonly other: number;
  readonly mention: number;
}

/** How exactly one of the names is asked for. */
export interface Exactness {
  /** 1 as it is written, less in other letters, 0 otherwise. */
  readonly exact: number;
  /** The share of the question that is this name: a sentence with the name of a type is rarely about the type alone. */
  readonly share: number;
}

export function exactnessOf(
  { names, types = [], mentions = [] }: DeclaredNames,
  { symbols, words }: QueryTerms,
  weights: RoleWeights,
): Exactness {
  let best: Exactness = { exact: 0, share: 0 };
  if (symbols.size === 0) return best;
  for (const name of names) {
    for (const symbol of symbols) {
      const letters = symbol === name ? 1 : symbol.toLowerCase() === name.toLowerCase() ? otherCase : 0;
      const exact = letters * (types.includes(name) ? 1 : weights[mentions.includes(name) ? 'mention' : 'other']);
      if (exact > best.exact) best = { exact, share: shareOf(name, words) };
    }
  }
  return best;
}

const otherCase = 0.4;

/** By the weights of the words of a question, the share of those that make up a name. */
function shareOf(name: string, words: ReadonlyMap<string, number>): number {
  const own = new Set(stemsOf(name));
  let [part, all] = [0, 0];
  for (const [word, weight] of words) {
    all += weight;
    if (own.has(word)) part += weight;
  }
  return all === 0 ? 0 : part / all;
}

/** The stems of the words of a name. */
export function stemsOf(name: string): string[] {
  return splitIdentifier(name).map((word) => stem(word.toLowerCase()));
}

/**
 * The harmonic mean of two shares: of a name's words that are asked for, and of what is asked that the name has.
 * @param around further words that count as the name's for the terms, though it need not ask for them
 * @param least the length from which one word may begin the other
 */
export function fitOf(
  own: readonly string[],
  words: ReadonlyMap<string, number>,
  around: readonly string[] = [],
  least: number = leastPrefix,
): number {
  const parts = new Set(own);
  let [asked, found, all] = [0, 0, 0];
  for (const part of parts)
    for (const word of words.keys())
      if (isSame(part, word, least)) {
        asked++;
        break;
      }
  if (asked === 0) return 0;
  for (const [word, weight] of words) {
    all += weight;
    if ([...own, ...around].some((part) => isSame(part, word, least))) found += weight;
  }
  const [precision, recall] = [asked / parts.size, found / all];
  return (2 * precision * recall) / (precision + recall);
}

/** Whether two stems are one word, or one begins the other, such as `format` and `formatt` of `formatter`. */
export function isSame(one: string, other: string, least: number): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= least && long.startsWith(short);
}
