/**
 * Which three letters in a row a text has, in 4 KB: a bit for each, which some share. It tells of most words that a text does not have
 * them, without a look at the text.
 */
export type Trigrams = Uint32Array;

const bits = 15;

export function trigramsOf(text: string): Trigrams {
  const found = new Uint32Array(2 ** (bits - 5));
  for (let at = 0; at + 2 < text.length; at++) {
    const bit = bitAt(text, at);
    found[bit >>> 5] = (found[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  return found;
}

/** Whether a word may be in the text; false where it is not. */
export function mayHave(trigrams: Trigrams, word: string): boolean {
  for (let at = 0; at + 2 < word.length; at++) {
    const bit = bitAt(word, at);
    if (((trigrams[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

/** The three letters from there on as a number of `bits` bits. */
function bitAt(text: string, at: number): number {
  const mixed =
    Math.imul(text.charCodeAt(at), 0x9e3779b1) ^
    Math.imul(text.charCodeAt(at + 1), 0x85ebca6b) ^
    Math.imul(text.charCodeAt(at + 2), 0xc2b2ae35);
  return mixed >>> (32 - bits);
}
