/** Letters of scripts that are written without blanks between words, or, as Korean, with endings that belong to none. */
const letters =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const unspaced = new RegExp(`[${letters}]`, 'u');
const runs = new RegExp(`[${letters}\\p{M}]+|[^${letters}]+`, 'gu');
const allUnspaced = new RegExp(`^[${letters}][${letters}\\p{M}]*$`, 'u');
const mark = /\p{M}/u;
const marks = /\p{M}/gu;

/** Whether a text is nothing but such letters and their marks. */
export const isAllUnspaced = (text: string): boolean => allUnspaced.test(text);

/** Whether a text has letters of scripts without blanks between words. */
export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** A letter, and its place in UTF-16 units. */
export interface PlacedLetter {
  readonly text: string;
  readonly start: number;
  /** Behind its marks. */
  readonly end: number;
}

/** The parts of a word: runs of such letters, and what stands between them. */
export function runsOf(word: string): { text: string; start: number; isUnspaced: boolean }[] {
  return [...word.matchAll(runs)].map(({ 0: text, index }) => ({
    text,
    start: index,
    isUnspaced: unspaced.test(text),
  }));
}

/** The letters of a run, each with its marks. Marks are no letters: the tokenizer of the index has none either. */
export function lettersOf(run: string): PlacedLetter[] {
  const found: { text: string; start: number; end: number }[] = [];
  let at = 0;
  for (const letter of run) {
    const end = at + letter.length;
    const last = found.at(-1);
    if (!mark.test(letter)) found.push({ text: letter, start: at, end });
    else if (last !== undefined) last.end = end;
    at = end;
  }
  return found;
}

/** A run of such letters two by two; the one letter of a run that has no more. */
export function pairsOf(run: string): string[] {
  const letters = [...run.replace(marks, '')];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

/** The last letter of a run, where it has more: with it, each letter is at the beginning of a word of the index. */
export function lastLetter(run: string): string[] {
  return [...run.replace(marks, '')].slice(1).slice(-1);
}
