/** Words that are common in questions and useless for finding code. */
const stopWords = new Set(
  'a an and are as at be by can do does for from has have how i if in into is it its me my of on or our show that the them then there this to was we were what when where which who why will with you your code find function'.split(
    ' ',
  ),
);

/** The words of an identifier: `parseHTTPHeader_v2` → `parse HTTP Header v2`; `open-gate` → `open gate`. */
export function splitIdentifier(identifier: string): string[] {
  return identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The text for the word index: every identifier as it is, followed by its words. */
export function indexedWords(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (!/[^\x00-\x7f]/.test(text)) return indexedAscii(text);
  return text.replace(/[\p{L}\p{N}_$]+/gu, (identifier) => {
    const words = splitIdentifier(identifier);
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
    return parts.length > 1 ? [identifier, ...parts] : parts;
  });
}

/** The same without compound names, which their words stand for. */
export function simpleWords(query: string): string[] {
  return tellingWords(query, splitIdentifier);
}

function tellingWords(query: string, split: (identifier: string) => string[]): string[] {
  const words = (query.match(/[\p{L}\p{N}_$]+/gu) ?? []).flatMap(split);
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
