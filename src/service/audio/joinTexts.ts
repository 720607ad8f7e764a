/**
 * Scripts in which words are written without spaces between them, with the marks that stand among their words. Korean has spaces.
 */
export const unspacedScripts = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}`;

/** Punctuation of those scripts, and of wide forms: what follows it needs no space. */
const wideMarks = '\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65';
const endsUnspaced = new RegExp(`[${unspacedScripts}${wideMarks}]\\p{M}*["'”’»)]*$`, 'u');
const startsUnspaced = new RegExp(`^["'“‘«(]*[${unspacedScripts}${wideMarks}]`, 'u');

/** What stands between two texts that are put together: a space, unless both are written without spaces where they meet. */
export function gapBetween(left: string, right: string): '' | ' ' {
  if (left === '' || right === '') return '';
  return endsUnspaced.test(left.slice(-8)) && startsUnspaced.test(right.slice(0, 8)) ? '' : ' ';
}

/** Texts as one. Empty ones leave nothing. */
export function joinTexts(texts: readonly string[]): string {
  let before = '';
  return texts
    .map((text) => {
      const gap = gapBetween(before, text);
      if (text !== '') before = text;
      return gap + text;
    })
    .join('');
}
