import { isAscii } from '../../../letters/foldLetters.ts';
import { stem } from '../../../store/stem.ts';

/**
 * The words that were met lately, by their bytes, each with its term: a load has a million words a second, nearly all of them words that
 * were there before, and none is made a string twice.
 */
export interface TermTable {
  /** The number of the term of a word in lower case, which stands in these bytes of UTF-8, by their hash (`addToHash`, from 0). */
  termOf(source: Buffer, start: number, size: number, hash: number): number;
  /** The number of bytes of a term. */
  sizeOf(term: number): number;
  /** Writes a term; gives where it ends. */
  write(term: number, target: Uint8Array, at: number): number;
  /** Makes room for so many words more, where need be by forgetting all: numbers given before are of nothing then. */
  makeRoom(words: number): void;
}

/** The most words in the table, and so the most numbers. */
export const mostTerms = 1 << 15;
/** Half of them at least are free, so that a place is soon found. */
const slotCount = mostTerms * 2;
/** Bytes of words from which on all are forgotten. */
const mostKept = 1 << 20;

/** The hash of a word with one more byte. */
export const addToHash = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

export function createTermTable(): TermTable {
  /** By a hash: the number of a word and one; 0 where there is none. */
  const slots = new Int32Array(slotCount);
  const hashes = new Int32Array(mostTerms);
  /** Where the bytes of a word, and of a term, begin and end. */
  const words = {
    starts: new Int32Array(mostTerms),
    ends: new Int32Array(mostTerms),
    terms: new Uint16Array(mostTerms),
  };
  const terms = { starts: new Int32Array(mostTerms), ends: new Int32Array(mostTerms) };
  const known = new Map<string, number>();
  let bytes = Buffer.allocUnsafe(mostKept);
  let [used, count] = [0, 0];

  /** Keeps bytes; gives where they end. */
  const keep = (source: Uint8Array): number => {
    if (used + source.length > bytes.length) bytes = Buffer.concat([bytes], (used + source.length) * 2);
    bytes.set(source, used);
    used += source.length;
    return used;
  };
  const isWord = (at: number, source: Buffer, start: number, size: number): boolean => {
    const from = words.starts[at] as number;
    if ((words.ends[at] as number) - from !== size) return false;
    for (let index = 0; index < size; index++) if (bytes[from + index] !== source[start + index]) return false;
    return true;
  };
  const addTerm = (term: string): number => {
    const there = known.get(term);
    if (there !== undefined) return there;
    const number = known.size;
    known.set(term, number);
    terms.starts[number] = used;
    terms.ends[number] = keep(Buffer.from(term));
    return number;
  };
  const addWord = (word: Buffer): number => {
    const text = word.toString();
    words.starts[count] = used;
    words.ends[count] = keep(word);
    return addTerm(isAscii(text) ? stem(text) : text);
  };

  return {
    termOf(source, start, size, hash) {
      let slot = (hash ^ (hash >>> 15)) & (slotCount - 1);
      for (let at = slots[slot] as number; at !== 0; at = slots[slot] as number) {
        if (hashes[at - 1] === hash && isWord(at - 1, source, start, size)) return words.terms[at - 1] as number;
        slot = (slot + 1) & (slotCount - 1);
      }
      hashes[count] = hash;
      const term = addWord(source.subarray(start, start + size));
      words.terms[count] = term;
      slots[slot] = ++count;
      return term;
    },
    sizeOf: (term) => (terms.ends[term] as number) - (terms.starts[term] as number),
    write(term, target, at) {
      const end = terms.ends[term] as number;
      let to = at;
      for (let from = terms.starts[term] as number; from < end; from++) target[to++] = bytes[from] as number;
      return to;
    },
    makeRoom(some) {
      if (count + some <= mostTerms && used < mostKept) return;
      slots.fill(0);
      known.clear();
      [used, count] = [0, 0];
      if (bytes.length > mostKept * 2) bytes = Buffer.allocUnsafe(mostKept);
    },
  };
}
