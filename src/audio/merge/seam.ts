import { alignWords, type Likelihood, type WordPair } from './alignWords.ts';
import { type PartPlace, type PlacedWord, type TranscriptPart, wordsAfter, wordsBefore } from './placedWords.ts';
import { wordKeys } from './spokenWords.ts';

/** The audio that two pieces of a recording share, in seconds. */
export interface SharedAudio {
  /** Start of the later piece's audio. */
  from: number;
  /** End of the earlier piece's audio. */
  to: number;
  /** The border of what the two pieces own. */
  border: number;
}

/** Where the earlier text is left, and the later one entered. */
export interface Seam {
  left: PartPlace;
  right: PartPlace;
  /** When what follows it begins, in seconds; undefined where that is within segments of both sides, and nobody said when. */
  start: number | undefined;
}

/** The most words of a side that are compared: half a minute of fast speech. */
const mostWords = 150;
/** Words a second in fast speech, and the same of scripts in which each character counts as one. */
const fastSpeech = 5;
const fastCharacters = 14;
/** Words that a model makes of the halves of words at the ends of its audio. */
const guessedWords = 3;
/** Seconds by which times of a service may be off. */
const timeError = 0.5;
/** Words that a run is worth less for each second between its two places in time. */
const costOfSecond = 1;
/** Words that a run is worth less for each word between it and the ends of the two texts, where there are no times. */
const costOfWord = 0.15;
/** The same of a single word that is not as far from the ends as what is heard twice is long. */
const costOfWordOfOne = 0.3;
/** The same beside another run: both sides heard all of what they share, and leave out few words of it. */
const costOfWordOfRivals = 0.6;
/** Seconds from the start of the audio within which the start of its first word may be cut off. */
const clipped = 0.1;
/** Parts that a seam cuts, both of them where nothing says when it is. */
const mostCuts = 2;
/** Seconds of a segment in a gap that are missed, where less is the error of its times; of short ones it is half. */
const shortestSpeech = 0.3;

/**
 * The seam by the words that both texts have in common: within them, where it cuts the fewest parts, and among those nearest to the
 * border. Undefined where no words in common tell.
 */
export function seamByWords(
  left: readonly TranscriptPart[],
  right: readonly TranscriptPart[],
  { from, to, border }: SharedAudio,
): Seam | undefined {
  const [timedLeft, timedRight] = [left.at(-1)?.isTimed === true, right[0]?.isTimed === true];
  const isTimed = timedLeft && timedRight;
  const length = wordLength(left.at(-1), right[0]);
  const [atOnce, pace] = length < shortestWords ? [2 * mostWords, fastCharacters] : [mostWords, fastSpeech];
  const share = length < shortestWords ? shareOfCharacter : 1;
  const most = isTimed ? atOnce : Math.min(atOnce, Math.ceil((to - from) * pace) + guessedWords);
  const before = wordsBefore(left, most, isTimed ? from - timeError : Number.NEGATIVE_INFINITY);
  const after = wordsAfter(right, most, isTimed ? to + timeError : Number.POSITIVE_INFINITY);
  const pairs = alignWords(
    before,
    after,
    isTimed
      ? byTime(before, after, share)
      : byPlace(before.length, wordsIn(to - from, length, left.at(-1), right[0]), share),
  );
  if (pairs === undefined) return undefined;
  const seams = placesWithin(pairs).map(([leftPlace, rightPlace], index, { length }) => {
    const [last, first] = [before[leftPlace], after[rightPlace]];
    // What has times is kept. Else the middle is the farthest from the ends of the audio, where cases and stops are guessed, too.
    const share = timedLeft ? 1 : timedRight ? 0 : 1 / 2;
    const distance = isTimed
      ? distanceTo(border, before[leftPlace - 1], last ?? first)
      : Math.abs(index - share * (length - 1));
    const start = isTimed ? startAfter(last, first, from) : (first?.start ?? border);
    const cuts = (timedLeft && last?.isFirst === false ? 1 : 0) + (timedRight && first?.isFirst === false ? 1 : 0);
    const seam = { left: placeOf(last, left), right: placeOf(first, right), start };
    return { seam, cuts: start === undefined ? mostCuts : cuts, distance };
  });
  return seams.sort((a, b) => a.cuts - b.cuts || a.distance - b.distance)[0]?.seam;
}

/** Seconds from the border to the place between two words; between segments, that is all the time between them. */
function distanceTo(border: number, word: PlacedWord | undefined, next: PlacedWord | undefined): number {
  const start = next?.isFirst === false ? next.time : (word?.end ?? Number.NEGATIVE_INFINITY);
  return Math.max(0, start - border, border - (next?.time ?? Number.POSITIVE_INFINITY));
}

/** Before each common word, and after it where another follows. */
function placesWithin(pairs: readonly WordPair[]): WordPair[] {
  return pairs.flatMap(([left, right], index): WordPair[] => {
    const next = pairs[index + 1];
    const isFollowed = next?.[0] === left + 1 && next[1] === right + 1;
    return isFollowed
      ? [[left, right]]
      : [
          [left, right],
          [left + 1, right + 1],
        ];
  });
}

/** When the first word of the later text begins: by its own segment, or by that of the earlier text, which heard it, too. */
function startAfter(last: PlacedWord | undefined, first: PlacedWord | undefined, from: number): number | undefined {
  if (first?.isFirst && first.start > from + clipped) return first.start;
  return last?.isFirst ? last.start : first === undefined ? from : undefined;
}

/** Words are the same only where their segments are spoken at once, and rather where their own times are near. */
function byTime(before: readonly PlacedWord[], after: readonly PlacedWord[], share: number): Likelihood<PlacedWord> {
  const apart = ([left, right]: WordPair): number => (after[right]?.time ?? 0) - (before[left]?.time ?? 0);
  const cost = (first: WordPair, last: WordPair): number => costOfSecond * Math.abs((apart(first) + apart(last)) / 2);
  return {
    mayBeSame: (word, other) => other.start < word.end + timeError && word.start < other.end + timeError,
    cost,
    rivalCost: cost,
    leastWorth: 0.4,
    share,
  };
}

/** Words of shared audio are the last of the one text and the first of the other. */
function byPlace(leftWords: number, shared: number, share: number): Likelihood<PlacedWord> {
  const between = ([, first]: WordPair, [last]: WordPair): number => leftWords - 1 - last + first;
  /** Whether the words from the first of the later text to the last of the earlier one are about as many as were heard twice. */
  const areAsMany = (first: WordPair, last: WordPair): boolean =>
    Math.abs(between(first, last) + last[0] - first[0] + 1 - shared) <= shared / 2;
  return {
    mayBeSame: () => true,
    cost: (first, last) =>
      share * (first[0] < last[0] || areAsMany(first, last) ? costOfWord : costOfWordOfOne) * between(first, last),
    rivalCost: (first, last) => share * costOfWordOfRivals * between(first, last),
    leastWorth: 0.4,
    share,
  };
}

/** Characters of a word, with what stands between words. */
const charactersOfWord = 6;
/** The share that a character is worth of a word. */
const shareOfCharacter = 0.4;
/** Below this mean, most words are characters of a script without spaces. */
const shortestWords = 2.5;
/** Characters at a seam by which that is told. */
const sampled = 300;

/** The mean length of words where two parts meet; that of most languages, unless they are written without spaces. */
function wordLength(left: TranscriptPart | undefined, right: TranscriptPart | undefined): number {
  const sample = `${left?.text.slice(-sampled) ?? ''} ${right?.text.slice(0, sampled) ?? ''}`;
  const mean = sample.length / Math.max(1, wordKeys(sample).length);
  return mean < shortestWords ? mean : charactersOfWord;
}

/** Words in so many seconds, as fast as two parts are spoken. */
function wordsIn(seconds: number, length: number, ...parts: (TranscriptPart | undefined)[]): number {
  const characters = parts.reduce((sum, part) => sum + (part?.text.length ?? 0), 0);
  const spoken = parts.reduce((sum, part) => sum + (part === undefined ? 0 : part.end - part.start), 0);
  return (seconds * characters) / length / Math.max(1, spoken);
}

function placeOf(word: PlacedWord | undefined, parts: readonly TranscriptPart[]): PartPlace {
  if (word === undefined) return { part: parts.length, at: 0 };
  return { part: word.part, at: word.isFirst ? 0 : word.at };
}

/**
 * The seam by time: a segment belongs to the piece that owns its midpoint. Where segments of both sides go over the border, and what
 * is said there would be lost with either midpoint, those of one side are kept.
 */
export function seamByTime(left: readonly TranscriptPart[], right: readonly TranscriptPart[], border: number): Seam {
  const isLater = ({ start, end }: TranscriptPart): boolean => (start + end) / 2 >= border;
  const leftEnd = left.findLastIndex((part) => !isLater(part)) + 1;
  const rightStart = indexOr(right.findIndex(isLater), right.length);
  const gapStart = left[leftEnd - 1]?.end ?? Number.NEGATIVE_INFINITY;
  const gapEnd = right[rightStart]?.start ?? Number.POSITIVE_INFINITY;
  const missed = ({ start, end }: TranscriptPart): number => Math.min(end, gapEnd) - Math.max(start, gapStart);
  const isMissed = (part: TranscriptPart): boolean =>
    missed(part) >= Math.min(shortestSpeech, (part.end - part.start) / 2);
  /** Seconds that are no longer missed, less those that would then be there twice. */
  const gain = (parts: readonly TranscriptPart[], doubled: number): number =>
    parts.reduce((sum, part) => sum + Math.max(0, missed(part)), -Math.max(0, doubled));
  const longerLeft = Math.max(leftEnd, left.findLastIndex(isMissed) + 1);
  const longerRight = Math.min(rightStart, indexOr(right.findIndex(isMissed), rightStart));
  const leftGain = gain(left.slice(leftEnd, longerLeft), (left[longerLeft - 1]?.end ?? gapEnd) - gapEnd);
  const rightGain = gain(right.slice(longerRight, rightStart), gapStart - (right[longerRight]?.start ?? gapStart));
  const isLeft = longerRight === rightStart || (longerLeft > leftEnd && leftGain >= rightGain);
  // What was missed at different times was not said twice.
  const isBoth = (right[rightStart - 1]?.end ?? border) <= (left[leftEnd]?.start ?? Number.NEGATIVE_INFINITY);
  const entered = isLeft && !isBoth ? rightStart : longerRight;
  return {
    left: { part: isLeft || isBoth ? longerLeft : leftEnd, at: 0 },
    right: { part: entered, at: 0 },
    start: right[entered]?.start ?? border,
  };
}

const indexOr = (index: number, otherwise: number): number => (index < 0 ? otherwise : index);
