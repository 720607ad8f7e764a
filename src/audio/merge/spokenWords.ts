import { unspacedScripts } from '../../service/audio/audio.ts';

/** A word of a text, as it is compared: two translations of the same speech differ in case and punctuation. */
export interface SpokenWord {
  /** Its letters and digits in lower case; never empty. */
  key: string;
  /** Place of its first character in the text, a quotation mark or the like included. */
  at: number;
}

/** Characters of a text that are looked at for each word wanted: what has longer words is no speech. */
const charactersAWord = 32;
// Scripts without spaces between words: each character counts as one, with the marks that belong to it.
const token = new RegExp(`[${unspacedScripts}]\\p{M}*|[^\\s${unspacedScripts}]+`, 'gu');

export function spokenWords(text: string): SpokenWord[] {
  return [...text.matchAll(token)].flatMap(({ 0: word, index }) => {
    const key = wordKey(word);
    return key === '' ? [] : [{ key, at: index }];
  });
}

/** The keys of all words alone: many times as fast. */
export function wordKeys(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s]+/gu, '')
      .match(token) ?? []
  );
}

function wordKey(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/** The first words of a text, without looking at what is far behind them; `rest` is the place of the next word, where there is one. */
export function firstWords(text: string, most: number): { words: SpokenWord[]; rest: number | undefined } {
  const start = text.slice(0, (most + 1) * charactersAWord);
  const words = spokenWords(start);
  // The last one may go on in what was not looked at.
  const whole = start.length === text.length ? words.length : words.length - 1;
  const taken = Math.max(0, Math.min(most, whole));
  return {
    words: words.slice(0, taken),
    rest: words[taken]?.at ?? (start.length < text.length ? start.length : undefined),
  };
}

/** The last words of a text, without looking at what is far before them; `isAll` where there are no more. */
export function lastWords(text: string, most: number): { words: SpokenWord[]; isAll: boolean } {
  const from = Math.max(0, text.length - most * charactersAWord);
  const words = spokenWords(text.slice(from)).map(({ key, at }) => ({ key, at: at + from }));
  if (from > 0) words.shift();
  return { words: words.slice(-most), isAll: from === 0 && words.length <= most };
}
