import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import { nextTurn } from '../../base/nextTurn.ts';
import { tooLarge } from '../answers/readAnswer.ts';

/** A piece of the text with its place in the recording, in seconds, and what the model measured of it, where the service says so. */
export interface Segment {
  start: number;
  end: number;
  text: string;
  /** Mean log-probability of its tokens, 0 at most. Whisper measures this and the next two for half a minute at a time. */
  avgLogprob?: number | undefined;
  /** Probability that nobody speaks, from 0 to 1. */
  noSpeechProb?: number | undefined;
  /** Size of the text over its size when compressed: what repeats itself compresses well. whisper.cpp does not give it. */
  compressionRatio?: number | undefined;
}

/** The most segments: one every second for a day. */
const mostSegments = 100_000;
/** Segments that are read in one turn of the event loop. */
const segmentsATurn = 5_000;

/** Segments with their times; undefined when one of them is not a segment. */
export async function readSegments(raw: readonly unknown[], url: string): Promise<Segment[] | undefined> {
  if (raw.length > mostSegments) throw new ServiceError('malformed', { url, hint: tooLarge });
  const segments: Segment[] = [];
  let isSpaced = false;
  let before = { text: '', end: 0 };
  for (const [index, part] of raw.entries()) {
    if (index % segmentsATurn === segmentsATurn - 1) await nextTurn();
    if (!isPlainObject(part)) return undefined;
    const { start, end, text } = part;
    if (!Number.isFinite(start) || !Number.isFinite(end) || typeof text !== 'string') return undefined;
    isSpaced ||= /^\s/.test(text);
    const mayGoOn = isSpaced && start === before.end && isMeasuredByWhisperCpp(part);
    const rest = mayGoOn ? restOfWord(before.text, text) : '';
    before = { text, end: end as number };
    const previous = segments.at(-1);
    if (rest !== '' && previous !== undefined) {
      previous.text += rest;
      if (rest.length === text.trimEnd().length) {
        previous.end = Math.max(previous.end, end as number);
        continue;
      }
    }
    segments.push({
      start: start as number,
      end: end as number,
      text: text.slice(rest.length).trim(),
      ...measuresOf(part),
    });
  }
  return segments;
}

/**
 * The rest of a word that the segment before begins. The server of whisper.cpp wraps segments at 60 characters, also within a word
 * (whisper.cpp, examples/server/server.cpp: `max_len`, `split_on_word`): the one ends when the other begins. Whisper's own words begin
 * with their space, so that one without it goes on.
 */
function restOfWord(before: string, text: string): string {
  return /[\p{L}\p{N}]$/u.test(before.slice(-2)) ? (/^[\p{L}\p{N}'’.,;:?!-]\S*/u.exec(text)?.[0] ?? '') : '';
}

/** That server gives two measures of a segment; others give all three, or none. */
function isMeasuredByWhisperCpp(part: Readonly<Record<string, unknown>>): boolean {
  return 'avg_logprob' in part && !('compression_ratio' in part);
}

/** Numbers that are none, as the `null` that JSON has for them, are left out. */
function measuresOf(part: Readonly<Record<string, unknown>>): Pick<Segment, (typeof measures)[number][0]> {
  const found: Pick<Segment, (typeof measures)[number][0]> = {};
  for (const [member, field] of measures) {
    const value = part[field];
    if (typeof value === 'number' && Number.isFinite(value)) found[member] = value;
  }
  return found;
}

const measures = [
  ['avgLogprob', 'avg_logprob'],
  ['noSpeechProb', 'no_speech_prob'],
  ['compressionRatio', 'compression_ratio'],
] as const satisfies readonly (readonly [keyof Segment, string])[];
