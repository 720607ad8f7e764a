/**
 * Speech whose words and times are known, cut into pieces that services translate in their own ways: what merging them gives can be
 * held against what was said. Made by a seed, so that a run can be had again.
 */
import type { TranslatedPiece } from '../../src/audio/merge/mergePieces.ts';
import type { Segment } from '../../src/service/audio/audio.ts';

export interface SaidWord {
  text: string;
  /** Seconds. */
  start: number;
  end: number;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const common =
  'the of and to a in that is it was for on with as be at by he this had not are but from or have an they'.split(' ');
const syllables = 'ba cor del fin gra hol in ka lum mer no pel qua ris sto tan ur ven wil zo'.split(' ');
const vocabulary = 4_000;

/** A word by its place in a vocabulary, the commonest first. */
function wordAt(place: number): string {
  const known = common[place];
  if (known !== undefined) return known;
  let word = '';
  for (let rest = place; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
}

/**
 * Sentences of words as common as in real texts (Zipf), at 2.5 words a second with pauses; now and then a word or a phrase is said twice.
 */
export function createSpeech(seconds: number, seed: number): SaidWord[] {
  const random = createRandom(seed);
  const between = (least: number, most: number): number => least + random() * (most - least);
  const words: SaidWord[] = [];
  let time = between(0, 1);
  while (time < seconds - 1) {
    const sentence = Array.from({ length: Math.floor(between(3, 18)) }, () =>
      wordAt(Math.floor(vocabulary ** random()) - 1),
    );
    const twice = Math.floor(random() * sentence.length);
    if (random() < 0.1) sentence.splice(twice, 0, ...sentence.slice(twice, twice + 1 + Math.floor(random() * 3)));
    for (const [place, text] of sentence.entries()) {
      const end = time + 0.12 + text.length * between(0.03, 0.06);
      if (end > seconds) return words;
      const isLast = place === sentence.length - 1;
      const stop = isLast ? (random() < 0.8 ? '.' : '?') : random() < 0.08 ? ',' : '';
      words.push({ text: (place === 0 ? capitalised(text) : text) + stop, start: time, end });
      time = end + (isLast ? between(0.3, 1.2) : stop === ',' ? between(0.1, 0.4) : between(0, 0.06));
    }
  }
  return words;
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export type CutPiece = Omit<TranslatedPiece, 'translation'>;

export interface Cutting {
  /** Seconds that a piece owns, about. */
  pieceSeconds: number;
  /** Seconds of audio that two pieces share. */
  overlap: readonly [least: number, most: number];
  /** Share of the cuts that fall in a pause. */
  inPauses: number;
  /** Seconds that the piece after such a cut begins earlier, for its decoder. */
  preRoll: number;
}

/** Cuts at random places, within words, too; some in pauses. */
export function cutSpeech(words: readonly SaidWord[], seconds: number, cutting: Cutting, seed: number): CutPiece[] {
  const random = createRandom(seed);
  const [least, most] = cutting.overlap;
  const pauses = words.flatMap(({ text, end }, place) => {
    const next = words[place + 1];
    return next !== undefined && /[.?]$/.test(text) && next.start - end >= 2 * cutting.preRoll
      ? [(end + next.start) / 2]
      : [];
  });
  const pieces: CutPiece[] = [];
  let [start, from, startsQuiet] = [0, 0, true];
  for (;;) {
    const wanted = start + cutting.pieceSeconds * (0.7 + 0.6 * random());
    const pause = random() < cutting.inPauses ? pauses.find((time) => time > wanted) : undefined;
    const end = pause ?? wanted;
    if (end > seconds - cutting.pieceSeconds / 2) break;
    const shared = (least + random() * (most - least)) / 2;
    pieces.push({ from, to: pause === undefined ? end + shared : end, start, end, startsQuiet });
    [start, from, startsQuiet] = [end, end - (pause === undefined ? shared : cutting.preRoll), pause !== undefined];
  }
  return [...pieces, { from, to: seconds, start, end: seconds, startsQuiet }];
}

export interface SimulatedService {
  /** Whether it gives times. */
  segments: boolean;
  /** Error of its times in seconds, either way. */
  timeError: number;
  /** Share of the words that it gives in another way for each piece, as two translations of the same speech do. */
  otherWords: number;
}

/**
 * What a service makes of a piece: the words of its audio in segments of its own, as it hears them. Words that the ends of the audio cut
 * are left out, guessed rightly, or heard as part of a word.
 */
export function translateCut(
  words: readonly SaidWord[],
  piece: CutPiece,
  service: SimulatedService,
  seed: number,
): TranslatedPiece {
  const random = createRandom(seed);
  const heard = words.flatMap((word) => {
    if (word.end <= piece.from || word.start >= piece.to) return [];
    const isCut = word.start < piece.from || word.end > piece.to;
    const text = isCut
      ? cutWord(word, piece, random)
      : random() < service.otherWords
        ? otherWord(word.text)
        : word.text;
    return text === '' ? [] : [{ text, start: Math.max(word.start, piece.from), end: Math.min(word.end, piece.to) }];
  });
  // A text begins with a capital, and ends with a stop, wherever the audio does.
  const [first, last] = [heard[0], heard.at(-1)];
  if (first !== undefined) heard[0] = { ...first, text: capitalised(first.text) };
  if (last !== undefined && random() < 0.5)
    heard[heard.length - 1] = { ...last, text: `${last.text.replace(/[.?,]$/, '')}.` };
  const text = heard.map((word) => word.text).join(' ');
  const segments = service.segments ? toSegments(heard, piece, service.timeError, random) : undefined;
  return { ...piece, translation: { text, segments } };
}

const otherEnding = 'zz';

/** Another word for the same thing, as a second translation has it. */
const otherWord = (word: string): string => word.replace(/[.?,]?$/, (stop) => otherEnding + stop);

/** The word that was said, by one that stands for it. */
export const wordMeant = (word: string): string => word.replace(new RegExp(`${otherEnding}$`), '');

function cutWord(word: SaidWord, { from, to }: CutPiece, random: () => number): string {
  const share = (Math.min(word.end, to) - Math.max(word.start, from)) / (word.end - word.start);
  const way = random();
  if (way < 0.4 || share < 0.2) return '';
  if (way < 0.7) return word.text;
  const letters = Math.max(1, Math.round(share * word.text.length));
  return word.end > to ? word.text.slice(0, letters) : word.text.slice(-letters);
}

/** Segments of four to fourteen words, which rather end with a sentence; times in hundredths, as Whisper gives them. */
function toSegments(
  heard: readonly SaidWord[],
  { from }: CutPiece,
  timeError: number,
  random: () => number,
): Segment[] {
  const segments: Segment[] = [];
  let said: SaidWord[] = [];
  const time = (seconds: number): number => {
    const error = (2 * random() - 1) * timeError;
    return Math.max(0, Math.round((seconds + error - from) * 100) / 100);
  };
  for (const [place, word] of heard.entries()) {
    said.push(word);
    const ends = said.length >= 14 || (said.length >= 4 && random() < (/[.?]$/.test(word.text) ? 0.8 : 0.08));
    const first = said[0];
    if (first === undefined || (!ends && place < heard.length - 1)) continue;
    segments.push({ start: time(first.start), end: time(word.end), text: said.map(({ text }) => text).join(' ') });
    said = [];
  }
  return segments;
}
