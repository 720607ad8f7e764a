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
  return text.replace(/[\p{L}\p{N}_$]+/gu, (identifier) => {
    const words = splitIdentifier(identifier);
    return words.length > 1 ? `${identifier} ${words.join(' ')}` : identifier;
  });
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
