import { basename } from 'node:path';
import * as z from 'zod/mini';
import {
  type AudioTask,
  isNoSpeech,
  type Segment,
  type Translation,
  type Untranslated,
} from '../../service/audio/audio.ts';
import type { MergedTranslation } from '../merge/mergePieces.ts';
import { inSeconds } from '../merge/timeUnits.ts';
import type { Recording } from '../recording/recording.ts';
import type { MissingSound } from '../split/thread/splitMethods.ts';
import { isSpoken } from './timedText.ts';
import { toBlocks } from './transcriptBlocks.ts';

/** A segment, with what the user has noted about it. */
export interface TranscriptSegment extends Segment {
  /** It was worth checking, and is right as it stands. */
  isChecked?: true | undefined;
}

/** What was said, as one text and, where the times are known, in segments with times in seconds. */
export interface TranscriptTexts {
  text: string;
  segments?: TranscriptSegment[] | undefined;
  /**
   * The service gave no times: each segment is the text of a piece of the recording, over the seconds of the piece. A segment may have
   * several paragraphs then.
   */
  areBlocks?: true | undefined;
}

/** The saved text of one recording: its translation, or what is said in it as it is spoken. Times of segments are in seconds from the start of the recording. */
export interface Transcript extends TranscriptTexts {
  version: 1;
  /** Present for a text in the language that is spoken; without it, the text is a translation into English. */
  task?: 'transcribe' | undefined;
  /** The language of a text that was transcribed, as the service calls it, or the user: `de`, `german`. */
  language?: string | undefined;
  /** Present where it was to be transcribed, and the service says that it is a translation. */
  isTranslated?: true | undefined;
  fileName: string;
  /** The path of the recording when it was translated. */
  path: string;
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the recording, hexadecimal; the translation is kept under it. */
  sha256: string;
  contentType: string;
  playerType: string;
  durationSeconds?: number | undefined;
  model: string;
  /** What the model was asked with besides the recording, where it was. */
  prompt?: string | undefined;
  /** The number of its track, where the user chose one of several. */
  track?: number | undefined;
  /** What the service gave, where the user has edited it; text and segments are the user's then. */
  original?: TranscriptTexts | undefined;
  /** Date and time of the last edit in ISO 8601; present where `original` is. */
  editedAt?: string | undefined;
  /** Present when the service said that it did not translate: the text is in another language. */
  untranslated?: Untranslated | undefined;
  /** Present where some of the recording is not there: it was cut off, or nobody can read what stands behind. */
  missing?: MissingSound | undefined;
  /** Date and time in ISO 8601. */
  createdAt: string;
}

/** Measures are missing where the service gave none, and in what older versions saved. */
const segmentSchema = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  avgLogprob: z.optional(z.number()),
  noSpeechProb: z.optional(z.number()),
  compressionRatio: z.optional(z.number()),
  isOpen: z.optional(z.literal(true)),
  words: z.optional(z.array(z.object({ text: z.string(), start: z.number(), end: z.number() }))),
  isChecked: z.optional(z.literal(true)),
  speaker: z.optional(z.string()),
});
/** As `TranscriptTexts`. */
export const textsSchema = z.object({
  text: z.string(),
  segments: z.optional(z.array(segmentSchema)),
  areBlocks: z.optional(z.literal(true)),
});

/** What is known of a text that was transcribed. */
export const spokenSchema = z.object({ language: z.optional(z.string()), isTranslated: z.optional(z.literal(true)) });

/** As `MissingSound`. */
export const missingSchema = z.object({
  end: z.number(),
  promised: z.optional(z.number()),
  rest: z.optional(z.number()),
});

const transcriptSchema = z.object({
  version: z.literal(1),
  task: z.optional(z.literal('transcribe')),
  ...spokenSchema.shape,
  fileName: z.string(),
  path: z.string(),
  size: z.number(),
  sha256: z.string(),
  contentType: z.string(),
  playerType: z.string(),
  durationSeconds: z.optional(z.number()),
  model: z.string(),
  prompt: z.optional(z.string()),
  track: z.optional(z.number()),
  ...textsSchema.shape,
  original: z.optional(textsSchema),
  editedAt: z.optional(z.string()),
  untranslated: z.optional(z.object({ language: z.optional(z.string()) })),
  missing: z.optional(missingSchema),
  createdAt: z.string(),
});

/** The translation of the same bytes at another path, under another name maybe. */
export function withPath(transcript: Transcript, path: string): Transcript {
  return { ...transcript, path, fileName: basename(path) };
}

/** Whether the text is a translation: neither one that was only transcribed, nor that of a recording without speech. */
export function isEnglish({ task, text, untranslated }: Transcript): boolean {
  return task === undefined && untranslated === undefined && !isNoSpeech(text);
}

/** Whether somebody speaks in a recording. */
export const hasSpeech = ({ text }: Pick<Transcript, 'text'>): boolean => !isNoSpeech(text);

/** Reads a saved translation; undefined for anything that is not one. */
export function parseTranscript(json: string): Transcript | undefined {
  try {
    return transcriptSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

export function createTranscript(
  recording: Recording,
  sha256: string,
  model: string,
  translation: MergedTranslation,
  now: number,
  task: AudioTask = 'translate',
): Transcript {
  const { durationSeconds } = recording.format;
  // Services name times where nobody speaks, too. A list without entries says no more than no list.
  const spoken = translation.segments?.filter(isSpoken) ?? [];
  const segments = inSeconds(spoken, longestOf(recording))?.map((segment) => withEnd(segment, durationSeconds)) ?? [];
  const blocks = segments.length > 0 ? [] : toBlocks(translation.text, translation.blocks, durationSeconds);
  return {
    version: 1,
    ...(task === 'transcribe' ? { task, ...spokenOf(translation) } : {}),
    fileName: recording.fileName,
    path: recording.path,
    size: recording.size,
    sha256,
    contentType: recording.format.contentType,
    playerType: recording.format.playerType,
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    model,
    text: translation.text,
    ...(segments.length > 0 ? { segments } : {}),
    ...(blocks.length > 0 ? { segments: blocks, areBlocks: true } : {}),
    ...(translation.untranslated === undefined ? {} : { untranslated: translation.untranslated }),
    createdAt: new Date(now).toISOString(),
  };
}

/** What a service said of a text that was transcribed. */
export function spokenOf({
  language,
  isTranslated,
}: Pick<Transcript, 'language' | 'isTranslated'>): Pick<Translation, 'language' | 'isTranslated'> {
  return { ...(language === undefined ? {} : { language }), ...(isTranslated ? { isTranslated } : {}) };
}

/** Bytes of a second of the smallest recordings of speech. */
const leastRate = 250;

/** Seconds that a recording is no longer than: what its first bytes say of its length may be an estimate. */
function longestOf({ size, format: { durationSeconds } }: Recording): number {
  return durationSeconds === undefined ? size / leastRate : 2 * durationSeconds + 30;
}

/** The last segment where the service did not say its end: that of the recording, where it is known. */
function withEnd({ isOpen, ...segment }: Segment, durationSeconds = 0): Segment {
  return isOpen ? { ...segment, end: Math.max(segment.end, durationSeconds) } : segment;
}
