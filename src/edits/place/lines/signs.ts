import { diffChars } from 'diff';

/** Signs that models write in the place of others, and what both are compared as. */
const folds: readonly (readonly [RegExp, string])[] = [
  [/[‘’‚‛′]/g, "'"],
  [/[“”„‟″«»]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
  [/…/g, '...'],
  [/[\u200B-\u200D\u2060\uFEFF\u00AD]/g, ''],
  [/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\s]+/g, ' '],
];
const foldable =
  /[‘’‚‛′“”„‟″«»‐‑‒–—―−…\u200B-\u200D\u2060\uFEFF\u00AD\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]|[^\S ]| {2}|[^\t -~]/;

/** A text as it is compared: straight quotes, plain dashes and spaces, composed letters, nothing that cannot be seen. */
export function foldSigns(text: string): string {
  // Few lines have anything to fold, and all are compared again and again while one answer is placed.
  if (!foldable.test(text)) return text;
  return folds.reduce((folded, [sign, plain]) => folded.replace(sign, plain), text.normalize('NFC'));
}

/** A text with plain signs and its blanks as they are: the columns of a table mean something. */
export function plainSigns(text: string): string {
  if (!/[^\t -~]/.test(text)) return text;
  return folds
    .slice(0, -1)
    .reduce(
      (folded, [sign, plain]) => folded.replace(sign, plain),
      text.normalize('NFC').replace(/[\u00A0\u202F]/g, ' '),
    );
}

/** The longest line, in characters, whose signs are compared one by one. */
const longestCompared = 1_000;

/**
 * A new form of a line with the file's own signs where the old line had them: a model straightens quotes and dashes also in what it
 * leaves as it is.
 */
export function keepSigns(fresh: string, old: string): string {
  if (fresh === old || !/[^\t -~]/.test(old) || Math.max(old.length, fresh.length) > longestCompared) return fresh;
  const [olds, news] = [foldEach(old), foldEach(fresh)];
  let [at, place, kept] = [0, 0, ''];
  for (const { value, added, removed } of diffChars(olds.text, news.text, { maxEditLength: 400 }) ?? []) {
    if (!added && !removed) kept += old.slice(olds.starts[at], olds.starts[at + value.length]);
    else if (added) kept += fresh.slice(news.starts[place], news.starts[place + value.length]);
    if (!added) at += value.length;
    if (!removed) place += value.length;
  }
  return kept === '' || foldSigns(kept) !== foldSigns(fresh) ? fresh : kept;
}

/** Where a text stands in a line but for its signs: the first character and the one behind the last; undefined unless just once. */
export function findFolded(line: string, text: string): readonly [start: number, end: number] | undefined {
  const [inLine, wanted] = [foldEach(line), foldEach(text).text];
  const at = inLine.text.indexOf(wanted);
  if (at < 0 || wanted === '' || inLine.text.indexOf(wanted, at + 1) >= 0) return undefined;
  return [inLine.starts[at] ?? 0, inLine.starts[at + wanted.length] ?? line.length];
}

/** A text folded sign by sign, and where each sign of the result begins in it. */
function foldEach(text: string): { readonly text: string; readonly starts: readonly number[] } {
  let folded = '';
  const starts: number[] = [];
  let at = 0;
  for (const sign of text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []) {
    const plain = sign === ' ' ? ' ' : foldSigns(sign);
    for (let count = 0; count < plain.length; count++) starts.push(count === 0 ? at : at + sign.length);
    folded += plain;
    at += sign.length;
  }
  return { text: folded, starts: [...starts, text.length] };
}
