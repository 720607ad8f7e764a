/** Whether a text has nothing but ASCII, as nearly all code. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
export const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text);

/** Latin letters that no decomposition leads to plain ones, as Lucene's `ASCIIFoldingFilter` has them. */
const plainOf: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', ı: 'i', ħ: 'h', Ħ: 'H' },
  ...{ æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', þ: 'th', Þ: 'Th', ŋ: 'n', Ŋ: 'N', ŧ: 't', Ŧ: 'T', ſ: 's' },
};
/** Vowel points of Hebrew and Arabic, and the stroke that makes an Arabic word longer, which are mostly not written. */
const unwritten = /[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;

/**
 * A text in plain letters, on which index, questions and marks agree: full-width letters, ligatures and the like as NFKC has them;
 * Latin and Greek letters without accents; `ё` as `е`. Upper and lower case stay. The result may be longer or shorter.
 */
export function foldLetters(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize('NFKC')
    .replace(/[\p{Script=Latin}\p{Script=Greek}\p{Mn}]+/gu, withoutAccents)
    .replace(unwritten, '')
    .replaceAll('ё', 'е')
    .replaceAll('Ё', 'Е');
}

function withoutAccents(letters: string): string {
  if (isAscii(letters)) return letters;
  return letters
    .normalize('NFD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu, '$1')
    .normalize('NFC')
    .replace(/[ßẞøØłŁđĐðÐıħĦæÆœŒþÞŋŊŧŦſ]/g, (letter) => plainOf[letter] ?? letter);
}

/** A folded text, and where each of its UTF-16 units comes from in the text before: the whole letter, with its marks. */
export interface FoldedPlaces {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A letter with what NFKC may make one of it: marks, those of half-width kana, and the parts of a Korean syllable. */
const letterWithMarks = /[\s\S][\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7ff]*/gu;

/** The same as `foldLetters`, letter by letter. */
export function foldWithPlaces(text: string): FoldedPlaces {
  let folded = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: letter, index } of text.matchAll(letterWithMarks)) {
    const plain = foldLetters(letter);
    folded += plain;
    for (let unit = 0; unit < plain.length; unit++) {
      starts.push(index);
      ends.push(index + letter.length);
    }
  }
  return { text: folded, starts, ends };
}
