import { asciiWords } from '../letters/asciiWords.ts';
import { compoundWords, hasCompounds } from '../letters/compounds.ts';
import { foldLetters, isAscii } from '../letters/foldLetters.ts';
import { stopWordsIn, withoutAsking } from '../letters/questionWords.ts';
import { isAllUnspaced, isUnspaced, lastLetter, pairsOf, runsOf } from '../letters/unspaced.ts';
import { stem } from './stem.ts';

/**
 * The words of an identifier: `parseHTTPHeader_v2` → `parse HTTP Header v2`; `open-gate` → `open gate`. Of scripts without blanks
 * between words, all pairs of letters: `读取配置` → `读取 取配 配置`. Letters are plain ones (`foldLetters`).
 */
export function splitIdentifier(identifier: string): string[] {
  return splitPlain(foldLetters(identifier));
}

function splitPlain(identifier: string): string[] {
  return identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => (isUnspaced(word) ? splitRuns(word) : word))
    .filter((word) => word !== '');
}

function splitRuns(word: string): string[] {
  return runsOf(word).flatMap(({ text, isUnspaced }) => (isUnspaced ? pairsOf(text) : text));
}

/** The text for the word index: every identifier as it is, followed by its words. */
export function indexedWords(text: string): string {
  const plain = foldLetters(text);
  const indexed = isAscii(plain) ? asciiWords(plain) : wordsOfLetters(plain);
  return hasCompounds(text) ? `${indexed} ${compoundWords(plain)}` : indexed;
}

/** The same for plain letters of which some are beyond ASCII: what is not, goes the fast way. */
function wordsOfLetters(plain: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  const beyond = /[^\x00-\x7f]/g;
  const isOfPiece = (at: number): boolean => plain.charCodeAt(at) > 0x7f || asciiOfName.test(plain[at] ?? '');
  let indexed = '';
  let done = 0;
  for (let found = beyond.exec(plain); found !== null; found = beyond.exec(plain)) {
    let [start, end] = [found.index, found.index + 1];
    while (start > done && isOfPiece(start - 1)) start--;
    while (end < plain.length && isOfPiece(end)) end++;
    indexed += asciiWords(plain.slice(done, start)) + plain.slice(start, end).replace(identifiers, indexedIdentifier);
    done = end;
    beyond.lastIndex = end;
  }
  return indexed + asciiWords(plain.slice(done));
}

const asciiOfName = /[\w$]/;
const identifiers = /[\p{L}\p{M}\p{N}_$]+/gu;

function indexedIdentifier(identifier: string): string {
  // Nearly all are of one script, and of one case.
  if (isAllUnspaced(identifier)) return ` ${[...pairsOf(identifier), ...lastLetter(identifier)].join(' ')} `;
  if (oneWord.test(identifier)) return indexForm(identifier);
  const words = splitPlain(identifier);
  if (isUnspaced(identifier)) {
    const last = runsOf(identifier).flatMap(({ text, isUnspaced }) => (isUnspaced ? lastLetter(text) : []));
    return ` ${[...words, ...last].map(indexForm).join(' ')} `;
  }
  return (words.length > 1 ? [identifier, ...words] : [identifier]).map(indexForm).join(' ');
}

const oneWord = /^[\u0370-\u052f\u0590-\u06ff](?:\p{Ll}+|\p{Lo}+)$/u;

/** A word as the index has it, before FTS5's own stemming, which knows none but English. */
function indexForm(word: string): string {
  return isAscii(word) ? word : stem(word.toLowerCase());
}

/** Why the words of a question cannot be searched for: there are none, or only stop words. */
export type WordProblem = 'none' | 'common';

/** Checks the words of a question; undefined when they can be searched for. */
export function wordProblem(query: string): WordProblem | undefined {
  const words = allWords(query, splitPlain);
  if (words.length === 0) return 'none';
  return words.every(stopWordsIn(words)) || allWords(withoutAsking(foldLetters(query)), splitPlain).length === 0
    ? 'common'
    : undefined;
}

/** The words of a question, in lower case, each once; stop words only where there are no others. */
export function queryWords(query: string): string[] {
  return tellingWords(query, (identifier) => {
    const parts = splitPlain(identifier);
    return parts.length > 1 && !isUnspaced(identifier) ? [identifier, ...parts] : parts;
  });
}

/** The same without compound names, which their words stand for. */
export function simpleWords(query: string): string[] {
  return tellingWords(query, splitPlain);
}

function tellingWords(query: string, split: (identifier: string) => string[]): string[] {
  const plain = foldLetters(query);
  const all = allWords(plain, split);
  const asked = isUnspaced(plain) ? allWords(withoutAsking(plain), split) : all;
  const isStopWord = stopWordsIn(all);
  const telling = asked.filter((word) => !isStopWord(word));
  return telling.length > 0 ? telling : all;
}

function allWords(query: string, split: (identifier: string) => string[]): string[] {
  const words = (foldLetters(query).match(identifiers) ?? []).flatMap(split);
  return [...new Set(words.map((word) => word.toLowerCase()))];
}

/**
 * The question as an FTS5 expression: any of its words, each in quotes so that none is read as an operator.
 * @param others what else stands for a word, as FTS5 reads it
 */
export function matchExpression(words: readonly string[], others: (word: string) => readonly string[] = none): string {
  const [only] = words;
  // A letter alone begins a pair wherever it stands.
  if (words.length === 1 && only !== undefined && isUnspaced(only) && [...only].length === 1)
    return `${quoted(only)} *`;
  return words.flatMap((word) => [quoted(word), ...others(word)]).join(' OR ');
}

const none = (): readonly string[] => [];

/** A word as FTS5 reads no operator in it, in the form that the index has. */
export function quoted(word: string): string {
  return `"${indexForm(word).replaceAll('"', '""')}"`;
}
