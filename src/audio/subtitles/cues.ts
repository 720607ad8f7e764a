import { isNoSpeech, joinTexts, type Segment, withoutSounds } from '../../service/audio/audio.ts';
import { isSpoken, oneLine, plainLines } from '../transcript/timedText.ts';
import { toMilliseconds } from '../transcript/timestamps.ts';
import { guidelines } from './guidelines.ts';
import { breakLines, endsSentence, fitsCue, mostOfCue, splitText } from './splitText.ts';

/** What stands on the screen at one time. */
export interface Cue {
  /** Milliseconds from the start of the recording, whole numbers. */
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: readonly string[];
  /** Who speaks, for a format that has a place for it. */
  readonly speaker?: string | undefined;
}

/** What was said in a stretch of time, in one line. */
interface Speech {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly speaker?: string | undefined;
}

const { charactersPerLine, charactersPerSecond, shortestMs, longestMs, gapMs, lingerMs, latestMs, briefestMs } =
  guidelines;

/** The segments as cues one by one, whatever their length and times: for a text that is edited and read back. */
export function* segmentsAsCues(segments: readonly Segment[]): Generator<Cue> {
  for (const { start, end, text } of segments.filter(isSpoken)) {
    const startMs = toMilliseconds(start);
    yield { startMs, endMs: Math.max(startMs, toMilliseconds(end)), lines: plainLines(text).split('\n') };
  }
}

/**
 * The segments as subtitles that can be read: in order, apart from each other, two lines at most, none too short or too long on the
 * screen. No word is left out; what says that nobody speaks is. Where words come faster than the guidelines allow, they are shown as fast: cues come together, and
 * those that are too short to be seen are kept from falling behind. No cue has the words of two who speak.
 * @param names `before`: who speaks is named in the text, where it is another one than before
 */
export function* toSubtitles(segments: readonly Segment[], names: 'before' | 'beside' = 'beside'): Generator<Cue> {
  const said = inOrder(segments);
  yield* timeCues(splitLong(joinShort(names === 'before' ? withNames(said) : said)));
}

/** What was said, with the name of who says it before the first words of each. */
function* withNames(speeches: Iterable<Speech>): Generator<Speech> {
  let before: string | undefined;
  for (const speech of speeches) {
    const { speaker, text } = speech;
    yield speaker === undefined || speaker === before ? speech : { ...speech, text: `${speaker}: ${text}` };
    before = speaker;
  }
}

/** What was said in order of time; one that goes on into the next ends where that begins. */
function* inOrder(segments: readonly Segment[]): Generator<Speech> {
  let open: Speech | undefined;
  for (const { start, end, text, speaker } of segments.toSorted((a, b) => a.start - b.start)) {
    const startMs = toMilliseconds(start);
    const spoken = withoutSounds(oneLine(text));
    const next = { startMs, endMs: Math.max(startMs, toMilliseconds(end)), text: spoken, ...named(speaker) };
    if (isNoSpeech(next.text)) continue;
    if (open !== undefined) yield { ...open, endMs: Math.min(open.endMs, startMs) };
    open = next;
  }
  if (open !== undefined) yield open;
}

/** Puts together what is too short to be seen and of one sentence with its neighbour. */
function* joinShort(speeches: Iterable<Speech>): Generator<Speech> {
  let open: Speech | undefined;
  for (const next of speeches) {
    const joined: Speech | undefined = open && join(open, next);
    if (open !== undefined && joined === undefined) yield open;
    open = joined ?? next;
  }
  if (open !== undefined) yield open;
}

const named = (speaker: string | undefined): Pick<Speech, 'speaker'> =>
  speaker === undefined ? {} : { speaker: oneLine(speaker) };

function join(first: Speech, second: Speech): Speech | undefined {
  const isShort = ({ startMs, endMs }: Speech): boolean => endMs - startMs < shortestMs;
  const isOneSentence = !endsSentence(first.text) && second.startMs - first.endMs <= lingerMs;
  return (isShort(first) || isShort(second)) && isOneSentence ? inOneCue(first, second) : undefined;
}

/** What was said in two stretches, where it can stand in one cue. */
function inOneCue(first: Speech, second: Speech): Speech | undefined {
  if (first.speaker !== second.speaker) return undefined;
  const text = joinTexts([first.text, second.text]);
  const endMs = Math.max(first.endMs, second.endMs);
  return endMs - first.startMs <= longestMs && fitsCue(text)
    ? { startMs: first.startMs, endMs, text, ...named(first.speaker) }
    : undefined;
}

/** Divides what is too long for a cue; the parts share the time by their length. */
function* splitLong(speeches: Iterable<Speech>): Generator<Speech> {
  for (const { startMs, endMs, text, speaker } of speeches) {
    const perCharacter = (endMs - startMs) / text.length;
    // Speech with long pauses is not cut into single words: its parts are a line long at least, and may stand shorter than it lasts.
    const most = Math.max(charactersPerLine, Math.min(mostOfCue, Math.floor(longestMs / perCharacter)));
    for (const { from, to } of splitText(text, most)) {
      yield {
        startMs: Math.round(startMs + from * perCharacter),
        endMs: Math.round(startMs + to * perCharacter),
        text: text.slice(from, to),
        ...named(speaker),
      };
    }
  }
}

/**
 * Sets the times. A cue begins with its words and gives way to the next at its end; it stands longer where there is room and it
 * could not be read otherwise. Only where cues would stand too short to be seen does the next one begin later than its words; where
 * it would be too late, it comes together with the one before, or that stands shorter.
 */
function* timeCues(speeches: Iterable<Speech>): Generator<Cue> {
  let earliest = 0;
  let speech: Speech | undefined;
  const startOf = ({ startMs }: Speech): number => Math.max(startMs, earliest);
  function timed(spoken: Speech, nextMs: number): Cue {
    const start = startOf(spoken);
    const readable = start + Math.ceil((spoken.text.length / charactersPerSecond) * 1000);
    const wanted = Math.max(spoken.endMs, Math.min(readable, spoken.endMs + lingerMs));
    const shortest = Math.max(briefestMs, Math.min(shortestMs, nextMs + latestMs - gapMs - start));
    const end = Math.max(start + shortest, Math.min(wanted, nextMs - gapMs, start + longestMs));
    earliest = end + gapMs;
    return { startMs: start, endMs: end, lines: breakLines(spoken.text), ...named(spoken.speaker) };
  }
  for (const next of speeches) {
    const isTooLate = speech !== undefined && startOf(speech) + shortestMs + gapMs > next.startMs + latestMs;
    const joined: Speech | undefined = speech && isTooLate ? inOneCue(speech, next) : undefined;
    if (speech !== undefined && joined === undefined) yield timed(speech, next.startMs);
    speech = joined ?? next;
  }
  if (speech !== undefined) yield timed(speech, Number.POSITIVE_INFINITY);
}
