/** Words that are common in questions and useless for finding code. */
const stopWords = new Set(
  'a an and are as at be by can do does for from has have how i if in into is it its me my of on or our show that the them then there this to was we were what when where which who why will with you your code find function'.split(
    ' ',
  ),
);

/**
 * The words of an identifier: `parseHTTPHeader_v2` → `parse HTTP Header v2`; `open-gate` → `open gate`. Of scripts without blanks
 * between words, all pairs of letters: `读取配置` → `读取 取配 配置`. Accents of Latin letters are left out.
 */
export function splitIdentifier(identifier: string): string[] {
  const text = isAscii(identifier) ? identifier : plainLetters(identifier);
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => (isUnspaced.test(word) ? pairsOfLetters(word) : word))
    .filter((word) => word !== '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text);

/** Full-width letters, ligatures and the like as plain ones, and Latin letters without their accents, as the index has them. */
function plainLetters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Script=Latin}/gu, (letter) => letter.normalize('NFD').replace(/\p{Mn}/gu, ''));
}

/** Letters of scripts that are written without blanks between words, or, as Korean, with endings that belong to none. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const isUnspaced = new RegExp(`[${unspaced}]`, 'u');
const runs = new RegExp(`[${unspaced}\\p{M}]+|[^${unspaced}]+`, 'gu');

/** The letters of such scripts two by two; the other words between them whole. */
function pairsOfLetters(word: string): string[] {
  return (word.match(runs) ?? []).flatMap((run) => {
    if (!isUnspaced.test(run)) return run;
    // The tokenizer of the index has no marks either.
    const letters = [...run.replace(/\p{M}/gu, '')];
    return letters.length < 3 ? letters.join('') : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
  });
}

/** The text for the word index: every identifier as it is, followed by its words. */
export function indexedWords(text: string): string {
  if (isAscii(text)) return indexedAscii(text);
  return text.normalize('NFKC').replace(/[\p{L}\p{M}\p{N}_$]+/gu, (identifier) => {
    const words = splitIdentifier(identifier);
    if (isUnspaced.test(identifier)) return ` ${words.join(' ')} `;
    return words.length > 1 ? `${identifier} ${words.join(' ')}` : identifier;
  });
}

/** Classes of ASCII characters in an identifier; 0: not part of one. */
const [lower, upper, digit, joint] = [1, 2, 3, 4];
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const shapes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[_$]/];
  return 1 + shapes.findIndex((shape) => shape.test(String.fromCharCode(code)));
});

/** A fast path for ASCII, which nearly all code is, in a small part of the time. */
function indexedAscii(text: string): string {
  const kindAt = (at: number): number => (at < text.length ? (kinds[text.charCodeAt(at)] as number) : 0);
  let indexed = '';
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    let kind = kindAt(at);
    let before = 0;
    let from = at;
    let words = '';
    let count = 0;
    for (; kind !== 0; at++) {
      const next = kindAt(at + 1);
      const isHump = kind === upper && (before === upper ? next === lower : before === lower || before === digit);
      if (isHump || kind === joint) {
        if (at > from) {
          words += ` ${text.slice(from, at)}`;
          count++;
        }
        from = kind === joint ? at + 1 : at;
      }
      before = kind;
      kind = next;
    }
    if (count === 0 || (count === 1 && at === from)) continue;
    indexed += text.slice(done, at) + words + (at > from ? ` ${text.slice(from, at)}` : '');
    done = at;
  }
  return indexed + text.slice(done);
}

/** Why the words of a question cannot be searched for: there are none, or only stop words. */
export type WordProblem = 'none' | 'common';

/** Checks the words of a question; undefined when they can be searched for. */
export function wordProblem(query: string): WordProblem | undefined {
  const words = queryWords(query);
  if (words.length === 0) return 'none';
  return words.every((word) => stopWords.has(word)) ? 'common' : undefined;
}

/** The words of a question, in lower case, each once; stop words only where there are no others. */
export function queryWords(query: string): string[] {
  return tellingWords(query, (identifier) => {
    const parts = splitIdentifier(identifier);
    return parts.length > 1 && !isUnspaced.test(identifier) ? [identifier, ...parts] : parts;
  });
}

/** The same without compound names, which their words stand for. */
export function simpleWords(query: string): string[] {
  return tellingWords(query, splitIdentifier);
}

function tellingWords(query: string, split: (identifier: string) => string[]): string[] {
  const words = (query.normalize('NFKC').match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? []).flatMap(split);
  const all = [...new Set(words.map((word) => word.toLowerCase()))];
  const telling = all.filter((word) => !stopWords.has(word));
  return telling.length > 0 ? telling : all;
}

/** The question as an FTS5 expression: any of its words, each in quotes so that none is read as an operator. */
export function matchExpression(words: readonly string[]): string {
  return words.map(quoted).join(' OR ');
}

/** A word as FTS5 reads no operator in it. */
export function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
