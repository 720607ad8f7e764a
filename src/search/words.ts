/** Words that every question has and no code is found by. */
const stopWords = new Set(
  'a an and are as at be by can do does for from has have how i if in into is it its me my of on or our show that the them then there this to was we were what when where which who why will with you your code find function'.split(
    ' ',
  ),
);

/** The words an identifier is made of: `parseHTTPHeader_v2` → `parse HTTP Header v2`. */
export function splitIdentifier(identifier: string): string[] {
  return identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_$]+/)
    .filter((word) => word !== '');
}

/** The text as it is put into the word index: every identifier as it stands, and the words it is made of. */
export function indexedWords(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (!/[^\x00-\x7f]/.test(text)) return indexedAscii(text);
  return text.replace(/[\p{L}\p{N}_$]+/gu, (identifier) => {
    const words = splitIdentifier(identifier);
    return words.length > 1 ? `${identifier} ${words.join(' ')}` : identifier;
  });
}

/** What a character of ASCII is in an identifier; 0: no part of one. */
const [lower, upper, digit, joint] = [1, 2, 3, 4];
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const shapes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[_$]/];
  return 1 + shapes.findIndex((shape) => shape.test(String.fromCharCode(code)));
});

/** The same for nearly all code, in a small part of the time. */
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

/** The words of a question, in lower case, each once; stop words only where nothing else is left. */
export function queryWords(query: string): string[] {
  const identifiers = query.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const words = identifiers.flatMap((identifier) => {
    const parts = splitIdentifier(identifier);
    return parts.length > 1 ? [identifier, ...parts] : parts;
  });
  const all = [...new Set(words.map((word) => word.toLowerCase()))];
  const telling = all.filter((word) => !stopWords.has(word));
  return telling.length > 0 ? telling : all;
}

/** The question in the language of FTS5: any of its words, each in quotes so that none is read as an operator. */
export function matchExpression(words: readonly string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
}

/** What a word in lower case has in common with its other forms. Rough, for comparing two words: the index has its own. */
export function stem(word: string): string {
  const cut = word.replace(/(ies|ied|y)$/, '').replace(/(ations?|ing|ed|es|s|e|er|or)$/, '');
  return cut.length >= 3 ? cut : word;
}
