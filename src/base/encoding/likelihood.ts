import type { WrittenLanguage } from './writtenLanguages.ts';

/** Bits of characters that say little, or that are none. */
const rare = {
  symbol: 8,
  otherSymbol: 11,
  inWord: 6,
  box: 13,
  unlisted: 15,
  foreign: 14,
  broken: 20,
  besideAscii: 4,
} as const;

/** What stands at a place: no letter, one of ASCII, or one of the language. */
const [other, ascii, asciiUpper, own, ownUpper] = [0, 1, 2, 3, 4] as const;
type Kind = 0 | 1 | 2 | 3 | 4;

/** Marks of prose and of code in the files of any language: those that follow a word, those that lead one, and those of neither kind. */
const [closing, opening, free] = ['»”’…–—·®™\u00a0', '«„“‘¿¡©§№•µ£', '°±×←→≤≥'].map(
  (marks) => new Set([...marks].map((mark) => mark.charCodeAt(0))),
) as [Set<number>, Set<number>, Set<number>];

/**
 * How unlikely a text is in a language, in bits, as far as its characters beyond ASCII go. Of several readings of the same bytes the right
 * one has the fewest: each character counts as rare as it is, and more where it stands as none does, like a capital in a word.
 * @param most bits after which nothing more is counted
 */
export function bitsOf(text: string, { writing, bits, vowels }: WrittenLanguage, most: number): number {
  let sum = 0;
  let before: Kind = other;
  let consonants = 0;
  for (let at = 0; at < text.length && sum < most; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      before = asciiKind(code);
      continue;
    }
    const next = kindOf(text.charCodeAt(at + 1), bits);
    const listed = bits.get(code);
    if (listed === undefined) {
      // Lines are drawn with marks.
      const isRepeated = code >= 0x2000 && code < 0x3040 && text.charCodeAt(at - 1) === code;
      sum += isRepeated ? 2 : bitsOfOther(code, writing, before, next);
      before = other;
      continue;
    }
    const kind = writing !== 'ideographic' && isCapital(code) ? ownUpper : own;
    // A list of letters in order is no word.
    const isInOrder = writing !== 'ideographic' && text.charCodeAt(at - 1) === code - 1;
    sum += isInOrder ? 2 : listed + bitsOfPlace(kind, writing, before, next);
    if (vowels !== undefined) {
      consonants = vowels.has(code) ? 0 : before < own ? 1 : consonants + 1;
      if (consonants > 3) sum += 3;
    }
    before = kind;
  }
  return sum;
}

/** What speaks against a letter where it stands. */
function bitsOfPlace(kind: Kind, writing: WrittenLanguage['writing'], before: Kind, next: Kind): number {
  const besides = (isAscii(before) ? 1 : 0) + (isAscii(next) ? 1 : 0);
  if (writing === 'ideographic') return rare.besideAscii * besides;
  const capital = kind === ownUpper ? bitsOfCapital(before) : 0;
  const alone = before === other && next === other;
  if (writing === 'alphabet') return capital + 8 * besides + (alone ? 8 : 0);
  const small = kind === own && before === asciiUpper && next === asciiUpper ? 4 : 0;
  return capital + small + (alone ? 1 : 0) + (before === own || before === ownUpper ? 2 : 0);
}

function bitsOfCapital(before: Kind): number {
  if (before === own || before === ascii) return 11;
  return before === other ? 2.5 : 1;
}

function asciiKind(code: number): Kind {
  if (code >= 0x61 && code <= 0x7a) return ascii;
  return code >= 0x41 && code <= 0x5a ? asciiUpper : other;
}

function kindOf(code: number, bits: ReadonlyMap<number, number>): Kind {
  return code < 0x80 ? asciiKind(code) : bits.has(code) ? own : other;
}

const isAscii = (kind: Kind): boolean => kind === ascii || kind === asciiUpper;

function isCapital(code: number): boolean {
  const letter = String.fromCharCode(code);
  return letter !== letter.toLowerCase();
}

/** A character that the language has no use for, or a mark. */
function bitsOfOther(code: number, writing: WrittenLanguage['writing'], before: Kind, next: Kind): number {
  if (code < 0xa0 || code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff)) return rare.broken;
  const besides = (before === other ? 0 : rare.inWord) + (next === other ? 0 : rare.inWord);
  if (closing.has(code)) return rare.symbol + (code === 0x2019 || next === other ? 0 : rare.inWord);
  if (opening.has(code)) return rare.symbol + (before === other ? 0 : rare.inWord);
  if (free.has(code)) return rare.symbol + (before === other ? 0 : rare.inWord);
  if (code >= 0x2500 && code <= 0x25ff) return rare.box + besides;
  if (code < 0xc0 || (code >= 0x2000 && code <= 0x2bff)) return rare.otherSymbol + besides;
  const inAscii = rare.besideAscii * ((isAscii(before) ? 1 : 0) + (isAscii(next) ? 1 : 0));
  if (writing === 'ideographic') {
    // Marks of these languages, and full-width forms.
    if ((code >= 0x3000 && code <= 0x3017) || (code >= 0xff01 && code <= 0xff5e)) return rare.symbol + inAscii;
    if (code >= 0xff61 && code <= 0xff9f) return rare.symbol + 1 + inAscii;
    if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3)) return rare.unlisted + inAscii;
  }
  if (code >= 0x3400 && code <= 0x4dbf) return rare.broken;
  return rare.foreign;
}
