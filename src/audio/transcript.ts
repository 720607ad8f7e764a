import * as z from 'zod/mini';
import type { Segment, Translation, Untranslated } from '../service/audio/audio.ts';
import type { Recording } from './recording.ts';

/** The saved translation of one recording. Times of segments are in seconds from the start of the recording. */
export interface Transcript {
  version: 1;
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
  text: string;
  segments?: Segment[] | undefined;
  /** Present when the service said that it did not translate: the text is in another language. */
  untranslated?: Untranslated | undefined;
  /** Date and time in ISO 8601. */
  createdAt: string;
}

const transcriptSchema = z.object({
  version: z.literal(1),
  fileName: z.string(),
  path: z.string(),
  size: z.number(),
  sha256: z.string(),
  contentType: z.string(),
  playerType: z.string(),
  durationSeconds: z.optional(z.number()),
  model: z.string(),
  text: z.string(),
  segments: z.optional(z.array(z.object({ start: z.number(), end: z.number(), text: z.string() }))),
  untranslated: z.optional(z.object({ language: z.optional(z.string()) })),
  createdAt: z.string(),
});

/** Whether the text is English: neither one that was only transcribed, nor an empty one of a recording without speech. */
export function isEnglish({ text, untranslated }: Transcript): boolean {
  return text !== '' && untranslated === undefined;
}

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
  translation: Translation,
  now: number,
): Transcript {
  const { durationSeconds } = recording.format;
  return {
    version: 1,
    fileName: recording.fileName,
    path: recording.path,
    size: recording.size,
    sha256,
    contentType: recording.format.contentType,
    playerType: recording.format.playerType,
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    model,
    text: translation.text,
    // A list without entries says no more than no list.
    ...(translation.segments?.length ? { segments: translation.segments } : {}),
    ...(translation.untranslated === undefined ? {} : { untranslated: translation.untranslated }),
    createdAt: new Date(now).toISOString(),
  };
}

/** A place in a recording as `m:ss`, or `h:mm:ss` from an hour on. */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The text, each segment on a line of its own after its time where there are segments. Ends with a line break. */
export function toPlainText(transcript: Transcript): string {
  const lines = transcript.segments?.map(({ start, text }) => `[${formatTime(start)}] ${text}`);
  return `${lines?.join('\n') ?? transcript.text}\n`;
}

/**
 * The transcript as Markdown: the file's name as the heading, a line about it, then the text.
 * @param about one sentence in the language of the user, e.g. which model translated it
 */
export function toMarkdown(transcript: Transcript, about: string): string {
  const paragraphs = transcript.segments?.map(({ start, text }) => `**${formatTime(start)}** ${escapeMarkdown(text)}`);
  const body = paragraphs?.join('\n\n') ?? escapeMarkdown(transcript.text);
  return `# ${escapeMarkdown(transcript.fileName)}\n\n*${escapeMarkdown(about)}*\n\n${body}\n`;
}

/** Escapes characters that Markdown or HTML would act upon: the transcript is only text. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>#|~&]/g, '\\$&')
    .replace(/^([^\S\n]*)([-+]|\d{1,9}[.)])(?=\s)/gm, (_all, space: string, mark: string) =>
      mark.length === 1 ? `${space}\\${mark}` : `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}`,
    );
}
