import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import { nextTurn } from '../../base/nextTurn.ts';
import { tooLarge } from '../answers/readAnswer.ts';
import { joinTexts } from './joinTexts.ts';
import { readTime } from './readTime.ts';
import { readWords, type SpokenTime } from './wordTimes.ts';

/** A piece of the text with its place in the recording, in seconds, and what the model measured of it, where the service says so. */
export interface Segment {
  start: number;
  end: number;
  text: string;
  /** Present where the service did not say when the last one ends: at the end of the audio at the latest. */
  isOpen?: true | undefined;
  /** Who speaks, where the service tells speakers apart: a name, or `Speaker 1`. */
  speaker?: string | undefined;
  /** Mean log-probability of its tokens, 0 at most. Whisper measures this and the next two for half a minute at a time. */
  avgLogprob?: number | undefined;
  /** Probability that nobody speaks, from 0 to 1. */
  noSpeechProb?: number | undefined;
  /** When its words are heard, in the order of the text, where the service says so. */
  words?: readonly SpokenTime[] | undefined;
  /** Size of the text over its size when compressed: what repeats itself compresses well. whisper.cpp does not give it. */
  compressionRatio?: number | undefined;
}

/** The most segments: one every second for a day. */
const mostSegments = 100_000;
/** Segments that are read in one turn of the event loop. */
const segmentsATurn = 5_000;

/** A segment as it was read; a time that is missing, or is none, is undefined. */
interface ReadSegment extends Omit<Segment, 'start' | 'end'> {
  start: number | undefined;
  end: number | undefined;
}

/**
 * Segments with their times, as the service gave them, whatever their unit. Times may be texts. One that is no segment is left out, one
 * without an end ends where the next one begins, and the words of one without a start stand between its neighbours: none takes the times of
 * the others away. Undefined when most of those with words have none.
 */
export async function readSegments(raw: readonly unknown[], url: string): Promise<Segment[] | undefined> {
  if (raw.length > mostSegments) throw new ServiceError('malformed', { url, hint: tooLarge });
  const segments: ReadSegment[] = [];
  let isSpaced = false;
  let before: { text: string; end: number | undefined } = { text: '', end: 0 };
  for (const [index, part] of raw.entries()) {
    if (index % segmentsATurn === segmentsATurn - 1) await nextTurn();
    if (!isPlainObject(part) || typeof part['text'] !== 'string') continue;
    const { text } = part;
    const start = readTime(part['start']);
    const given = readTime(part['end']);
    const end = start !== undefined && given !== undefined && given < start ? undefined : given;
    isSpaced ||= /^\s/.test(text);
    const mayGoOn = isSpaced && start !== undefined && start === before.end && isMeasuredByWhisperCpp(part);
    const rest = mayGoOn ? restOfWord(before.text, text) : '';
    before = { text, end };
    const previous = segments.at(-1);
    if (rest !== '' && previous !== undefined) {
      previous.text += rest;
      if (rest.length === text.trimEnd().length) {
        previous.end = Math.max(previous.end ?? 0, end ?? 0);
        continue;
      }
    }
    const words = readWords(part['words']);
    const more = { ...(words.length > 0 && { words }), ...speakerOf(part), ...measuresOf(part) };
    segments.push({ start, end, text: text.slice(rest.length).trim(), ...more });
  }
  const isTimed = ({ start, text }: ReadSegment): boolean => start !== undefined && text !== '';
  const worded = segments.filter(({ text }) => text !== '').length;
  return 2 * segments.filter(isTimed).length >= worded ? withTimes(segments) : undefined;
}

/** Gives each segment the times that its neighbours leave open. */
function withTimes(read: readonly ReadSegment[]): Segment[] {
  const segments: Segment[] = [];
  /** For each place, the start of the next segment that has one. */
  const next: (number | undefined)[] = [];
  for (let place = read.length - 1, start: number | undefined; place >= 0; place--) {
    next[place] = start;
    start = read[place]?.start ?? start;
  }
  for (const [place, { start, end, ...rest }] of read.entries()) {
    const previous = segments.at(-1);
    const until = next[place];
    if (start !== undefined) {
      const isOpen = end === undefined && (until === undefined || until < start);
      segments.push({ ...rest, start, end: end ?? Math.max(start, until ?? start), ...(isOpen ? { isOpen } : {}) });
    } else if (rest.text !== '') {
      // Where there is no time between its neighbours, its words are those of the one before.
      const from = Math.max(0, previous?.end ?? 0);
      if (previous !== undefined && (previous.isOpen || until === undefined || until <= from)) {
        previous.text = joinTexts([previous.text, rest.text]);
      } else segments.push({ ...rest, start: from, end: Math.max(from, until ?? from) });
    }
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

/** A longer one is no name, in characters. */
const longestSpeaker = 80;

/** Who speaks, as `speaker` says: a number, a letter, `SPEAKER_01`, or a name. */
function speakerOf({ speaker }: Readonly<Record<string, unknown>>): Pick<Segment, 'speaker'> {
  const given = typeof speaker === 'number' && Number.isSafeInteger(speaker) ? String(speaker) : speaker;
  if (typeof given !== 'string' || given.length > longestSpeaker) return {};
  const name = given.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  const [, label] = /^(?:speaker[ _-]*)?(\d{1,4}|[a-z])$/i.exec(name) ?? [];
  return name === '' ? {} : { speaker: label === undefined ? name : `Speaker ${label}` };
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
