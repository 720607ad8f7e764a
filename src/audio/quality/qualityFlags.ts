import { nextTurn } from '../../base/nextTurn.ts';
import { isNoSpeech, type Segment } from '../../service/audio/audio.ts';
import { numberWords } from './numberedWords.ts';
import { findLoops, findRepeats } from './repetition.ts';

/** Why a place of a transcript is worth checking. */
export type QualityReason =
  /** Segments with the same words, one after another. */
  | { kind: 'repeat'; times: number }
  /** A phrase that is repeated many times; its words are in lower case, without punctuation. */
  | { kind: 'loop'; phrase: string; times: number }
  /** The service's own measure says that the text repeats itself. */
  | { kind: 'compression'; compressionRatio: number }
  /** Words where probably nobody speaks. */
  | { kind: 'silence'; noSpeechProb: number }
  | { kind: 'low-confidence'; avgLogprob: number };

/** A place of a transcript that is worth checking. */
export interface QualityFlag {
  /** The first and the last of its segments, counted from 0. */
  first: number;
  last: number;
  reason: QualityReason;
}

/**
 * Whisper's own limits: beyond them it takes a decoding for failed, and tries again or takes the place for silence (openai/whisper,
 * whisper/transcribe.py: `compression_ratio_threshold`, `logprob_threshold`, `no_speech_threshold`).
 */
export const thresholds = { compressionRatio: 2.4, avgLogprob: -1, noSpeechProb: 0.6 } as const;

/** The longest phrase of a loop that is told, in characters. */
const longestPhrase = 80;

/**
 * The places of a transcript that are worth checking, in its order; nothing is changed. Segments with the same reason in a row are one
 * place, since Whisper measures half a minute at a time. What says that nobody speaks is no such place. Time grows with the text alone, in short turns of the event loop.
 */
export async function flagSegments(all: readonly Segment[]): Promise<QualityFlag[]> {
  const segments = all.map((segment) => (isNoSpeech(segment.text) ? { ...segment, text: '' } : segment));
  const words = await numberWords(segments);
  /** The place that a segment belongs to, from 1; 0 for none. */
  const places = new Int32Array(segments.length);
  const flags: QualityFlag[] = [];
  const add = (flag: QualityFlag): void => {
    const { first, last } = flag;
    if (places[first] !== 0 && places[first] === places[last]) return;
    flags.push(flag);
    places.fill(flags.length, first, last + 1);
  };
  for (const { first, last } of findRepeats(words)) {
    add({ first, last, reason: { kind: 'repeat', times: last - first + 1 } });
  }
  for (const { start, period, times } of await findLoops(words.numbers, nextTurn)) {
    const phrase = words.phrase(start, start + period).slice(0, longestPhrase);
    const [first, last] = [words.segmentOf(start), words.segmentOf(start + period * times - 1)];
    add({ first, last, reason: { kind: 'loop', phrase, times } });
  }
  flags.push(...inRows(segments.map((segment, index) => reasonOf(segment, places[index] !== 0))));
  return flags.sort((a, b) => a.first - b.first || a.last - b.last);
}

/** Whether the service's own measures speak against a segment, or it says that nobody speaks. */
export function isDoubtful(segment: Segment): boolean {
  if (isNoSpeech(segment.text)) return true;
  return reasonOf(segment, false) !== undefined || (segment.noSpeechProb ?? 0) > thresholds.noSpeechProb;
}

/** What the measures of a segment say. As Whisper does it, probable silence needs no words that the model is sure of. */
function reasonOf(segment: Segment, isRepeating: boolean): QualityReason | undefined {
  const { avgLogprob, noSpeechProb = 0, compressionRatio = 0 } = segment;
  if (segment.text === '') return undefined;
  const isUnsure = avgLogprob !== undefined && avgLogprob < thresholds.avgLogprob;
  if (noSpeechProb > thresholds.noSpeechProb && (isUnsure || avgLogprob === undefined)) {
    return { kind: 'silence', noSpeechProb };
  }
  if (compressionRatio > thresholds.compressionRatio && !isRepeating) return { kind: 'compression', compressionRatio };
  return isUnsure ? { kind: 'low-confidence', avgLogprob } : undefined;
}

/** Segments in a row with the same kind of reason as one place, with the worst measure. */
function inRows(reasons: readonly (QualityReason | undefined)[]): QualityFlag[] {
  const flags: QualityFlag[] = [];
  for (const [index, reason] of reasons.entries()) {
    const before = flags.at(-1);
    if (reason === undefined) continue;
    if (before?.reason.kind === reason.kind && before.last === index - 1) {
      before.last = index;
      before.reason = worse(before.reason, reason);
    } else flags.push({ first: index, last: index, reason });
  }
  return flags;
}

function worse(one: QualityReason, other: QualityReason): QualityReason {
  const badness = (reason: QualityReason): number => {
    if (reason.kind === 'silence') return reason.noSpeechProb;
    if (reason.kind === 'compression') return reason.compressionRatio;
    return reason.kind === 'low-confidence' ? -reason.avgLogprob : 0;
  };
  return badness(other) > badness(one) ? other : one;
}
