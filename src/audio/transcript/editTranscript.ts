import { joinTexts, type Segment } from '../../service/audio/audio.ts';
import { isSpoken, plainLines, spokenSegments } from './timedText.ts';
import { toMilliseconds } from './timestamps.ts';
import type { Transcript, TranscriptSegment, TranscriptTexts } from './transcript.ts';
import { withNotes } from './withNotes.ts';

/** A text as the user left it, such as a document that was read. */
export interface TextEdit {
  readonly segments: readonly Segment[];
  /** All of the text, where it has no times. */
  readonly text?: string | undefined;
}

/**
 * The transcript with the user's texts and times. What the service gave is kept beside them. Where the edit leaves everything as it
 * is, the transcript itself comes back; where it leads back to what the service gave, the transcript is as if never edited.
 * @param now time of the edit, in milliseconds since the epoch
 */
export function replaceTexts(transcript: Transcript, edit: TextEdit, now: number): Transcript {
  const original = transcript.original ?? givenTexts(transcript);
  const edited: TranscriptTexts =
    edit.text === undefined ? textsOf(keepUnchanged(edit.segments, transcript)) : { text: plainLines(edit.text) };
  if (areSame(edited, transcript)) return transcript;
  if (areSame(edited, original)) return restoreTexts(transcript);
  const { segments: _, areBlocks: __, ...rest } = transcript;
  const blocks = transcript.areBlocks && areStill(edited.segments, transcript) ? { areBlocks: true as const } : {};
  return { ...rest, ...edited, ...blocks, original: withoutUndefined(original), editedAt: new Date(now).toISOString() };
}

/** Another text of a segment. */
export interface SegmentEdit {
  readonly segment: number;
  readonly text: string;
}

/** The transcript with other texts of some segments, which keep their places, also where a text is empty. */
export function editSegments(transcript: Transcript, edits: readonly SegmentEdit[], now: number): Transcript {
  const { segments = [] } = transcript;
  const edited: TranscriptSegment[] = [...segments];
  let isChanged = false;
  for (const { segment: index, text } of edits) {
    const segment = edited[index];
    const plain = plainLines(text);
    if (segment === undefined || plain === plainLines(segment.text)) continue;
    const given = originalOf(transcript, index);
    const { start, end } = segment;
    const isGiven = given !== undefined && plain === plainLines(given.text);
    edited[index] = withNotes(isGiven ? given : { start, end, text: plain }, segment);
    isChanged = true;
  }
  if (!isChanged) return transcript;
  const original = transcript.original ?? givenTexts(transcript);
  if (areSame({ text: '', segments: edited }, original) && edited.length === original.segments?.length)
    return restoreTexts({ ...transcript, segments: edited });
  const whole = edited.map((each) => plainLines(each.text)).filter((each) => each !== '');
  return {
    ...transcript,
    text: transcript.areBlocks ? whole.join('\n\n') : joinTexts(whole),
    segments: edited,
    original,
    editedAt: new Date(now).toISOString(),
  };
}

/** A segment as a page shows it: its number, its start in seconds, and its text. */
export interface ShownSegment {
  readonly segment: number;
  readonly start: number;
  readonly before: string;
}

/** The number that a segment of a page has in a transcript, where others may have come and gone; undefined where it is not told. */
export function findSegment(
  { segments = [] }: Transcript,
  { segment, start, before }: ShownSegment,
): number | undefined {
  const shown = plainLines(before);
  const isIt = (other: Segment | undefined): boolean => other?.start === start && plainLines(other.text) === shown;
  if (isIt(segments[segment])) return segment;
  const first = segments.findIndex(isIt);
  return first >= 0 && first === segments.findLastIndex(isIt) ? first : undefined;
}

/** The segments whose texts differ between two states of a transcript; undefined where there are others, or with other times. */
export function changedSegments(before: Transcript, after: Transcript): number[] | undefined {
  const [from, to] = [before.segments ?? [], after.segments ?? []];
  const isSameShape = from.length === to.length && from.every((segment, at) => areTimesOf(segment, to[at]));
  if (!isSameShape || from.length === 0) return undefined;
  return from.flatMap(({ text }, at) => (text === to[at]?.text ? [] : [at]));
}

const areTimesOf = ({ start, end }: Segment, other: Segment | undefined): boolean =>
  start === other?.start && end === other.end;

/** What the service gave for a segment; undefined where the user has changed which segments there are. */
export function originalOf({ original, segments = [] }: Transcript, index: number): Segment | undefined {
  const given = original === undefined ? segments[index] : original.segments?.[index];
  const isSamePlace = original === undefined || original.segments?.length === segments.length;
  return isSamePlace && given?.start === segments[index]?.start ? given : undefined;
}

/** The transcript as the service gave it. */
export function restoreTexts(transcript: Transcript): Transcript {
  const { original, editedAt: _, segments = [], areBlocks: __, ...rest } = transcript;
  if (original === undefined) return transcript;
  const noted = new Map(segments.map((segment) => [startOf(segment), segment]));
  const restored = original.segments?.map((segment) => withNotes(segment, noted.get(startOf(segment)) ?? segment));
  return { ...rest, ...withoutUndefined({ ...original, segments: restored }) };
}

export function isEdited(transcript: Transcript): boolean {
  return transcript.original !== undefined;
}

function withoutUndefined({ text, segments, areBlocks }: TranscriptTexts): TranscriptTexts {
  return { text, ...(segments && { segments }), ...(areBlocks && { areBlocks }) };
}

const givenTexts = (transcript: Transcript): TranscriptTexts => withoutUndefined(transcript);

/** Whether edited blocks have the times of their pieces; the user may have written others. */
function areStill(edited: readonly Segment[] | undefined, { segments = [] }: Transcript): boolean {
  const starts = new Set(segments.map(startOf));
  return edited?.every((segment) => starts.has(startOf(segment))) === true;
}

/** Segments in order of time, with the text that they are together. */
function textsOf(segments: readonly Segment[]): TranscriptTexts {
  const ordered = segments.toSorted((a, b) => a.start - b.start);
  return withoutUndefined({
    text: joinTexts(ordered.map(({ text }) => plainLines(text))),
    segments: ordered.length === 0 ? undefined : ordered,
  });
}

/** Whether two texts differ only in what a file does not keep, such as segments without a text. */
function areSame(some: TranscriptTexts, others: TranscriptTexts): boolean {
  const [left, right] = [spokenSegments(some), spokenSegments(others)];
  if (left === undefined || right === undefined) {
    return left === right && plainLines(some.text) === plainLines(others.text);
  }
  return left.length === right.length && left.every((segment, index) => isSame(segment, right[index]));
}

/** Whether two segments differ only in parts of a millisecond, and in spaces at the ends of lines. */
function isSame(some: Segment, other: Segment | undefined): boolean {
  if (other === undefined || startOf(some) !== startOf(other) || endOf(some) !== endOf(other)) return false;
  return some.text === other.text || plainLines(some.text) === plainLines(other.text);
}

const startOf = ({ start }: Segment): number => toMilliseconds(start);
const endOf = (segment: Segment): number => Math.max(startOf(segment), toMilliseconds(segment.end));

/**
 * The edited segments that hold a text. One that stands as it was is the very segment, with its exact times and whatever else the
 * service said of it; one of which a time was changed keeps the latter. How sure the service was of a text is not said of another.
 */
function keepUnchanged(edited: readonly Segment[], transcript: Transcript): Segment[] {
  const shown = spokenSegments(transcript) ?? [];
  const given = edited.filter(isSpoken);
  // Most edits are in one place: what is above and below is not looked up.
  let above = 0;
  while (above < given.length && isSameAt(given, shown, above, above)) above++;
  let below = 0;
  const most = Math.min(given.length, shown.length) - above;
  while (below < most && isSameAt(given, shown, given.length - below - 1, shown.length - below - 1)) below++;
  const find = finderOf([...shown.slice(above, shown.length - below), ...(transcript.original?.segments ?? [])]);
  return [
    ...shown.slice(0, above),
    ...given.slice(above, given.length - below).map(find),
    ...shown.slice(shown.length - below),
  ];
}

function isSameAt(given: readonly Segment[], shown: readonly Segment[], at: number, other: number): boolean {
  const segment = given[at];
  return segment !== undefined && isSame(segment, shown[other]);
}

/** Looks up what is known of an edited segment, by its text and one of its times; the first segment in the list goes before others. */
function finderOf(segments: readonly Segment[]): (segment: Segment) => Segment {
  const byStart = new Map<string, Segment>();
  const byEnd = new Map<string, Segment>();
  const byPlace = new Map<number, Segment>();
  for (const segment of segments.toReversed()) {
    const text = plainLines(segment.text);
    byStart.set(`${startOf(segment)} ${text}`, segment);
    byEnd.set(`${endOf(segment)} ${text}`, segment);
    byPlace.set(startOf(segment), segment);
  }
  return ({ start, end, text }) => {
    const segment = { start, end: Math.max(start, end), text: plainLines(text) };
    const known = byStart.get(`${startOf(segment)} ${segment.text}`) ?? byEnd.get(`${endOf(segment)} ${segment.text}`);
    if (known !== undefined && isSame(known, segment)) return known;
    return withNotes({ ...known, ...segment }, known ?? byPlace.get(startOf(segment)));
  };
}
