import { isUnspaced, runsOf } from '../letters/unspaced.ts';
import { stem } from '../store/stem.ts';
import type { WordCounts } from '../store/wordIndex.ts';
import { simpleWords } from '../store/words.ts';

/** The words of a question as the rules of ranking read them. */
export interface QueryTerms {
  /** The stems of its words, each with its weight: the rarer a word is in the index, the more it tells. */
  readonly words: ReadonlyMap<string, number>;
  /** The names that stand in it as they stand in code, such as `parseHeader` or `Session`. */
  readonly symbols: ReadonlySet<string>;
  /** Whether it is nothing but such a name. */
  readonly isSymbol: boolean;
}

/** @param counts without them, all words weigh the same */
export function readTerms(text: string, counts?: WordCounts): QueryTerms {
  const words = new Map<string, number>();
  for (const word of simpleWords(text)) {
    const key = stem(word);
    words.set(key, Math.max(words.get(key) ?? 0, counts === undefined ? 1 : rarity(word, counts)));
  }
  const symbolText = isUnspaced(text) ? apart(text) : text;
  if (symbolText !== text) weighPairs(words);
  const isSymbol = isName(text.trim()) && symbolText === text;
  return {
    words: rarest(words),
    symbols: new Set(symbolsIn(symbolText, isSymbol).slice(0, mostWords)),
    isSymbol,
  };
}

/** The most words, and the most names, that the rules look at: code that is searched for has hundreds. */
const mostWords = 40;

function rarest(words: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (words.size <= mostWords) return words;
  return new Map([...words].sort(([, one], [, other]) => other - one).slice(0, mostWords));
}

/** A text in which names of code stand apart from letters of scripts without blanks between words: `调用parseConfig函数`. */
function apart(text: string): string {
  return text.replace(/[\p{L}\p{M}\p{N}_$]+/gu, (word) =>
    runsOf(word)
      .map((run) => run.text)
      .join(' '),
  );
}

/**
 * Of a question with words of code in it, the pairs of letters around them weigh much less than those words: there are many of them, one for
 * each letter, and where code is commented in another language none is in it.
 */
function weighPairs(words: Map<string, number>): void {
  let [pairs, others] = [0, 0];
  for (const [word, weight] of words) {
    if (isUnspaced(word)) pairs += weight;
    else others += weight;
  }
  if (others === 0 || pairs <= others * mostOfPairs) return;
  for (const [word, weight] of words) if (isUnspaced(word)) words.set(word, (weight * others * mostOfPairs) / pairs);
}

/** What all pairs of letters weigh at most, as a share of the other words. */
const mostOfPairs = 0.1;

/** The inverse document frequency of BM25, by Robertson and Spärck Jones; over 0. */
function rarity(word: string, { chunks, withWord }: WordCounts): number {
  const count = withWord.get(word) ?? 0;
  return Math.log(1 + (Math.max(0, chunks - count) + 0.5) / (count + 0.5));
}

/** Whether a query looks like a name in code: `parseHeader`, `tide_table`, `Store.open()`, `std::move`. */
function isName(query: string): boolean {
  return (
    /^[\p{L}_$][\p{L}\p{N}_$.:#]*(\(\))?$/u.test(query) &&
    /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}{2}|[_$.:#(]/u.test(query)
  );
}

/** Names that only code writes so; a single word may be one, too. */
function symbolsIn(text: string, isSymbol: boolean): string[] {
  const names = text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  // Of `Store.open`, the last part names what is asked for.
  if (isSymbol || names.length === 1) return names.slice(-1);
  return names.filter((name) => /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}{2}|\p{L}_\p{L}/u.test(name));
}
