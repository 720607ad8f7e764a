/** The longest query that is read, in characters, and the most words of it. */
const longestQuery = 500;
const mostWords = 20;

/**
 * What a query looks for, as `fold` has it: words, all of which have to be there, and phrases between quotes. The longest comes first:
 * it is the rarest.
 */
export function wordsOf(query: string): string[] {
  const parts = query.slice(0, longestQuery).matchAll(/"([^"]*)"?|[^\s"]+/g);
  const words = [...parts].map(([part, phrase]) => fold((phrase ?? part).replaceAll(separator, '')).trim());
  const wanted = [...new Set(words)].filter((word) => word !== '').slice(0, mostWords);
  return wanted.sort((one, other) => other.length - one.length);
}

/** Stands between the texts of an index: no word has it. */
export const separator = '\0';

/** The text in lower case, each letter where it was: the few that become two letters stay as they are. */
export function fold(text: string): string {
  const folded = text.toLowerCase();
  if (folded.length === text.length) return folded;
  return text.replace(/[^\0-\x7f]+|[A-Z]+/g, (part) =>
    Array.from(part, (letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter)).join(
      '',
    ),
  );
}

/** The places of words in a text: start and end of each, none within another. */
export function marksOf(text: string, words: readonly string[]): [start: number, end: number][] {
  const folded = fold(text);
  const found = words.flatMap((word) => placesOf(folded, word)).sort(([one], [other]) => one - other);
  const marks: [number, number][] = [];
  for (const [start, end] of found) {
    const last = marks.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return marks;
}

function placesOf(folded: string, word: string): [start: number, end: number][] {
  const places: [number, number][] = [];
  for (let at = folded.indexOf(word); at >= 0 && word !== ''; at = folded.indexOf(word, at + word.length)) {
    places.push([at, at + word.length]);
  }
  return places;
}
