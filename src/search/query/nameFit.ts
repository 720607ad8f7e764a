import { stem } from '../store/stem.ts';
import { splitIdentifier } from '../store/words.ts';
import type { QueryTerms } from './queryTerms.ts';

/** Files that are called like many others: their folder says what they are. */
const general = new Set(
  'index mod main lib init __init__ __main__ package setup core base types utils util helpers common default'.split(
    ' ',
  ),
);
/** The least length at which one word that begins another means the same. */
const leastPrefix = 4;

/** How well the names of a chunk fit a question, from 0 to 1. */
export function fitOfNames(names: readonly string[], terms: QueryTerms): number {
  // A chunk with a rare word has its relevance from it already.
  const evened = new Map([...terms.words].map(([word, weight]) => [word, Math.sqrt(weight)]));
  let best = 0;
  for (const name of names) best = Math.max(best, fitOf(stemsOf(name), evened));
  return best;
}

/** How exactly one of the names is asked for. */
export interface Exactness {
  /** 1 as it is written, less in other letters, 0 otherwise. */
  readonly exact: number;
  /** The share of the question that is this name: a sentence with the name of a type is rarely about the type alone. */
  readonly share: number;
}

export function exactnessOf(names: readonly string[], { symbols, words }: QueryTerms): Exactness {
  let best: Exactness = { exact: 0, share: 0 };
  if (symbols.size === 0) return best;
  for (const name of names) {
    for (const symbol of symbols) {
      const exact = symbol === name ? 1 : symbol.toLowerCase() === name.toLowerCase() ? otherCase : 0;
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

/** How well the names of a file and of its folder fit a question, from 0 to 1. */
export function fitOfPath(path: string, terms: QueryTerms): number {
  const parts = path.split('/');
  const file = (parts.pop() ?? '').replace(/\.[^.]*$/, '');
  const folder = parts.pop() ?? '';
  const isGeneral = general.has(file.toLowerCase());
  const own = wordsOf(isGeneral && folder !== '' ? folder : file);
  const around = wordsOf(isGeneral ? (parts.pop() ?? '') : folder);
  // How rare a word is says little of a file that is called by it: such a file makes its word common.
  return fitOf(own, new Map([...terms.words.keys()].map((word) => [word, 1])), around);
}

const wordsOf = (name: string): string[] => name.split(/[^\p{L}\p{N}_$]+/u).flatMap(stemsOf);

function stemsOf(name: string): string[] {
  return splitIdentifier(name).map((word) => stem(word.toLowerCase()));
}

/**
 * The harmonic mean of two shares: of a name's words that are asked for, and of what is asked that the name has.
 * @param around further words that count as the name's for the terms, though it need not ask for them
 */
function fitOf(own: readonly string[], words: ReadonlyMap<string, number>, around: readonly string[] = []): number {
  const parts = new Set(own);
  let [asked, found, all] = [0, 0, 0];
  for (const part of parts)
    for (const word of words.keys())
      if (isSame(part, word)) {
        asked++;
        break;
      }
  if (asked === 0) return 0;
  for (const [word, weight] of words) {
    all += weight;
    if ([...own, ...around].some((part) => isSame(part, word))) found += weight;
  }
  const [precision, recall] = [asked / parts.size, found / all];
  return (2 * precision * recall) / (precision + recall);
}

/** Whether two stems are one word, or one begins the other, such as `format` and `formatt` of `formatter`. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= leastPrefix && long.startsWith(short);
}
