import { isAscii } from '../../../letters/foldLetters.ts';
import { isUnspaced } from '../../../letters/unspaced.ts';
import { stem } from '../../../store/stem.ts';

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
  const positions = new Map<string, number[]>();
  let length = 0;
  const add = (text: string, weight: number): void => {
    for (const term of termsOf(text)) {
      length++;
      if (length > mostPosition) continue;
      const known = positions.get(term);
      if (known === undefined) positions.set(term, [weight | length]);
      else if (known.length < mostPositions) known.push(weight | length);
    }
  };
  add(path, weights.path);
  add(names, weights.names);
  add(body, weights.body);
  return { bytes: encode(positions), length };
}

/** The words of a text as the index of this machine has them (FTS5's `unicode61`): letters and digits, and all else is between them. */
function termsOf(text: string): string[] {
  if (isAscii(text)) {
    // Nearly all: a load has a million of them a second.
    const words: string[] = text.toLowerCase().match(/[0-9a-z]+/g) ?? [];
    for (let at = 0; at < words.length; at++) words[at] = stem((words[at] as string).slice(0, longestTerm));
    return words;
  }
  return text.split(/[^\p{L}\p{M}\p{N}\p{Co}]+/u).flatMap((word) => (word === '' ? [] : termOf(word)));
}

/** What is written to first, as the length of a vector is not known before; no vector is longer. */
const scratch = Buffer.allocUnsafe(mostBytes + 64 * 1024);

function encode(positions: ReadonlyMap<string, readonly number[]>): Buffer {
  let at = 4;
  let entries = 0;
  let size = 0;
  for (const [term, places] of positions) {
    // What PostgreSQL counts is the words, and their positions with a number before them, even.
    size += term.length * 3 + 4 + places.length * 2;
    if (size > mostBytes) break;
    at = writeTerm(term, at);
    scratch[at++] = 0;
    scratch[at++] = 0;
    scratch[at++] = places.length;
    for (const place of places) {
      scratch[at++] = place >> 8;
      scratch[at++] = place & 0xff;
    }
    entries++;
  }
  scratch.writeInt32BE(entries, 0);
  return Buffer.from(scratch.subarray(0, at));
}

/** Writes a word, letter by letter while they are of ASCII; gives where it ends. */
function writeTerm(term: string, from: number): number {
  for (let letter = 0; letter < term.length; letter++) {
    const code = term.charCodeAt(letter);
    if (code > 0x7f) return from + scratch.write(term, from, 'utf8');
    scratch[from + letter] = code;
  }
  return from + term.length;
}

/** A word as it is in the index: in lower case, by its stem. Words of other scripts come as their stems (`indexedWords`). */
function termOf(word: string): string {
  const lower = word.slice(0, longestTerm).toLowerCase();
  return isAscii(lower) ? stem(lower) : lower;
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
