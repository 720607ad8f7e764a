import { isAscii } from '../../../letters/foldLetters.ts';
import { isUnspaced } from '../../../letters/unspaced.ts';
import { stem } from '../../../store/stem.ts';
import { addToHash, createTermTable, mostTerms } from './termTable.ts';

/** The words of a chunk by where they stand, as `indexedWords` gives them. */
export interface ChunkWords {
  readonly path: string;
  readonly names: string;
  readonly body: string;
}

/** How often a word stands in each column of a chunk. */
export interface TermCounts {
  readonly path: number;
  readonly names: number;
  readonly body: number;
}

/**
 * A `tsvector` that we make ourselves: words with their positions, whose weights are A in the path, B in the names and D in the
 * body. PostgreSQL's own parser would cut identifiers and stem by the settings of the server; here a word is what it is in the index of
 * this machine, and any tool that knows text search can read it.
 */
export interface TextVector {
  readonly bytes: Buffer;
  /** The number of all words. */
  readonly length: number;
}

/** Limits of a `tsvector` (https://www.postgresql.org/docs/current/textsearch-limitations.html), with some room. */
const mostPosition = 16_383;
const mostPositions = 255;
const mostBytes = 1_000_000;
/** Letters of a word that count; more are no word. */
const longestTerm = 200;
const weights = { path: 3 << 14, names: 2 << 14, body: 0 } as const;

/** The words of a chunk in the binary form of a `tsvector`. */
export function textVector({ path, names, body }: ChunkWords): TextVector {
  places ??= createPlaces();
  places.begin();
  places.add(path, weights.path);
  places.add(names, weights.names);
  places.add(body, weights.body);
  return places.encode();
}

/** The terms of one chunk after the other, with where they stand. */
interface Places {
  begin(): void;
  add(text: string, weight: number): void;
  encode(): TextVector;
}

/** Made for the first chunk: whoever only asks has no use for it. */
let places: Places | undefined;

/**
 * The places of a term are a list: the first, and for each place the next. All is in arrays of numbers, as strings, maps and lists of their own
 * take four times as long.
 */
function createPlaces(): Places {
  const table = createTermTable();
  /** The terms of the chunk in the order in which they came. */
  const order = new Uint16Array(mostPosition);
  const [counts, firsts, lasts] = [0, 0, 0].map(() => new Uint16Array(mostTerms)) as Uint16Arrays;
  /** By a place: its weight with it, and the next place of the same term. */
  const [weighted, nexts] = [0, 0].map(() => new Uint16Array(mostPosition + 1)) as Uint16Arrays;
  let [length, termCount] = [0, 0];
  /** The text in UTF-8. */
  let input = Buffer.allocUnsafe(64 * 1024);

  const addTerm = (term: number, weight: number): void => {
    const count = counts[term] as number;
    if (count === mostPositions) return;
    counts[term] = count + 1;
    weighted[length] = weight | length;
    if (count > 0) nexts[lasts[term] as number] = length;
    else {
      firsts[term] = length;
      order[termCount++] = term;
    }
    lasts[term] = length;
  };
  const addLetters = (text: string, weight: number): void => {
    for (const word of splitLetters(text)) {
      if (++length > mostPosition) continue;
      const bytes = Buffer.from(lowerOf(word));
      let hash = 0;
      for (const byte of bytes) hash = addToHash(hash, byte);
      addTerm(table.termOf(bytes, 0, bytes.length, hash), weight);
    }
  };
  const add = (text: string, weight: number): void => {
    if (text.length * 3 >= input.length) input = Buffer.allocUnsafe(text.length * 6);
    const bytes = input;
    const end = bytes.write(text, 'utf8');
    bytes[end] = 0;
    let start = 0;
    let hash = 0;
    let isAscii = true;
    for (let at = 0; at <= end; at++) {
      const letter = lowerLetters[bytes[at] as number] as number;
      if (letter === 0) {
        // Nearly all words are of ASCII, and so is what separates them.
        if (!isAscii) addLetters(bytes.toString('utf8', start, at), weight);
        else if (at > start && ++length <= mostPosition) {
          addTerm(table.termOf(bytes, start, Math.min(at - start, longestTerm), hash), weight);
        }
        start = at + 1;
        hash = 0;
        isAscii = true;
      } else if (letter === beyondAscii) isAscii = false;
      else {
        bytes[at] = letter;
        if (at - start < longestTerm) hash = addToHash(hash, letter);
      }
    }
  };
  const writePlaces = (term: number, from: number): number => {
    let at = from;
    let place = firsts[term] as number;
    for (let left = counts[term] as number; left > 0; left--, place = nexts[place] as number) {
      const both = weighted[place] as number;
      scratch[at++] = both >> 8;
      scratch[at++] = both & 0xff;
    }
    return at;
  };

  return {
    begin() {
      for (let index = 0; index < termCount; index++) counts[order[index] as number] = 0;
      table.makeRoom(mostPosition);
      [length, termCount] = [0, 0];
    },
    add,
    encode() {
      let [at, size, entries] = [4, 0, 0];
      for (let index = 0; index < termCount; index++) {
        const term = order[index] as number;
        const count = counts[term] as number;
        // What PostgreSQL counts is the words, and their positions with a number before them, even.
        size += table.sizeOf(term) + 4 + count * 2;
        if (size <= mostBytes) {
          at = table.write(term, scratch, at);
          scratch[at++] = 0;
          scratch[at++] = 0;
          scratch[at++] = count;
          at = writePlaces(term, at);
          entries++;
        }
      }
      scratch.writeInt32BE(entries, 0);
      return { bytes: Buffer.from(scratch.subarray(0, at)), length };
    },
  };
}

type Uint16Arrays = [Uint16Array, Uint16Array, Uint16Array];

const beyondAscii = 1;
/** By a byte: the letter or digit of ASCII in lower case; 0 for what is none. */
const lowerLetters = Uint8Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (code > 0x7f) return beyondAscii;
  return /[0-9A-Za-z]/.test(letter) ? letter.toLowerCase().charCodeAt(0) : 0;
});

/** What is written to first, as the length of a vector is not known before; no vector is longer. */
const scratch = Buffer.allocUnsafe(mostBytes + 64 * 1024);

/** The words of a text as the index of this machine has them (FTS5's `unicode61`): letters and digits, and all else is between them. */
function splitLetters(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}\p{Co}]+/u).filter((word) => word !== '');
}

const lowerOf = (word: string): string => word.slice(0, longestTerm).toLowerCase();

/** The terms of a text: its words in lower case, by their stems. Words of other scripts come as their stems (`indexedWords`). */
function termsOf(text: string): string[] {
  return splitLetters(text).map((word) => (isAscii(lowerOf(word)) ? stem(lowerOf(word)) : lowerOf(word)));
}

/** What a word of a question is in the index. */
export interface AskedTerms {
  /** One, or the parts of a compound name in their order; none of what has neither letter nor digit. */
  readonly terms: readonly string[];
  /** Whether it is a letter alone of a script without blanks, which begins a pair wherever it stands. */
  readonly isStart: boolean;
}

/** What a word of a question is in the index. */
export function askedTerms(word: string): AskedTerms {
  const lower = word.toLowerCase();
  const terms = termsOf(isAscii(word) ? word : stem(lower));
  return { terms, isStart: isUnspaced(word) && [...word].length === 1 };
}

/**
 * The words of a question as a `tsquery`: those of a compound name stand beside each other.
 *
 * @param columns `AB` for those in paths and names alone
 */
export function termQuery({ terms, isStart }: AskedTerms, columns = ''): string {
  const mark = `${isStart ? '*' : ''}${columns}`;
  const parts = terms.map((term) => `${quoted(term)}${mark === '' ? '' : `:${mark}`}`);
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' <-> ')})`;
}

/** A word between quotes in which text search reads no operators. */
const quoted = (term: string): string => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** How often a word of a question stands in a `tsvector`, given as PostgreSQL writes it: `'gate':2A,7 'open':1A,8`. */
export function countTerms(vector: string, { terms, isStart }: AskedTerms): TermCounts {
  const [first = [], ...others] = terms.map((term) => positionsOf(vector, quoted(term), isStart));
  const after = others.map((positions) => new Set(positions.map((position) => Number.parseInt(position, 10))));
  const counts = { path: 0, names: 0, body: 0 };
  for (const position of first) {
    const at = Number.parseInt(position, 10);
    if (!after.every((positions, index) => positions.has(at + index + 1))) continue;
    const weight = position.at(-1);
    counts[weight === 'A' ? 'path' : weight === 'B' ? 'names' : 'body']++;
  }
  return counts;
}

/** The positions of a quoted word, with their weights. */
function positionsOf(vector: string, term: string, isStart: boolean): string[] {
  const sought = isStart ? term.slice(0, -1) : `${term}:`;
  const positions: string[] = [];
  for (let at = vector.indexOf(sought); at >= 0; at = vector.indexOf(sought, at + 1)) {
    if (at > 0 && vector[at - 1] !== ' ') continue;
    const from = isStart ? vector.indexOf("':", at) + 2 : at + sought.length;
    const end = vector.indexOf(' ', from);
    positions.push(...vector.slice(from, end < 0 ? undefined : end).split(','));
  }
  return positions;
}
