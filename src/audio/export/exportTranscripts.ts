import { ServiceError } from '../../base/errors.ts';
import { nextTurn, turnSize } from '../../base/nextTurn.ts';
import { isNoSpeech } from '../../service/audio/audio.ts';
import { toSubtitles } from '../subtitles/cues.ts';
import { srt } from '../subtitles/srt.ts';
import { writeSubtitles } from '../subtitles/subtitleFormat.ts';
import { webVtt } from '../subtitles/webVtt.ts';
import { oneLine, spokenSegments } from '../transcript/timedText.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { timedSegments } from '../transcript/transcriptBlocks.ts';
import { csvRows } from './transcriptCsv.ts';
import { docxPieces, toDocx } from './transcriptDocx.ts';
import { jsonPieces } from './transcriptJson.ts';
import { markdownPieces } from './transcriptMarkdown.ts';
import { textLines, toParagraphs } from './transcriptText.ts';

/** The formats of files that a transcript is saved in, which are their extensions as well. */
export const exportFormats = ['txt', 'md', 'docx', 'srt', 'vtt', 'json', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
/** Those that are text. */
export type TextFormat = Exclude<ExportFormat, 'docx'>;

export interface ExportOptions {
  /** Whether the time stands before each segment in TXT, Markdown and Word; else the text is in paragraphs. */
  times: boolean;
  /** One sentence about a transcript in the language of the user, which stands below the heading in Markdown and Word. */
  about(transcript: Transcript): string;
}

/**
 * A file's content; or why there is none: subtitles need times, those of one recording, in which somebody speaks.
 */
export type Exported<Content = string> =
  | { content: Content }
  | { refused: 'no-times' | 'no-speech' | 'several-recordings'; fileName: string };

/**
 * The content of one file with one transcript or many, a heading for each. Works in slices.
 * @throws ServiceError `cancelled`
 */
export async function exportTranscripts(
  transcripts: readonly Transcript[],
  format: TextFormat,
  options: ExportOptions,
  signal: AbortSignal,
): Promise<Exported> {
  if (format !== 'srt' && format !== 'vtt') {
    return { content: await collect(piecesOf(transcripts, format, options), signal) };
  }
  const [transcript, another] = transcripts;
  const segments = transcript && spokenSegments({ segments: timedSegments(transcript) });
  if (another !== undefined) return { refused: 'several-recordings', fileName: another.fileName };
  if (segments === undefined) return { refused: 'no-times', fileName: transcript?.fileName ?? '' };
  if (segments.every(({ text }) => isNoSpeech(text)))
    return { refused: 'no-speech', fileName: transcript?.fileName ?? '' };
  const pieces = writeSubtitles(
    toSubtitles(segments, format === 'srt' ? 'before' : 'beside'),
    format === 'srt' ? srt : webVtt,
  );
  return { content: await collect(pieces, signal) };
}

/** The same for every format. */
export async function exportFile(
  transcripts: readonly Transcript[],
  format: ExportFormat,
  options: ExportOptions,
  signal: AbortSignal,
): Promise<Exported<string | Uint8Array>> {
  if (format !== 'docx') return exportTranscripts(transcripts, format, options, signal);
  return { content: toDocx(await collect(docxOf(transcripts, options), signal)) };
}

function piecesOf(
  transcripts: readonly Transcript[],
  format: Exclude<TextFormat, 'srt' | 'vtt'>,
  options: ExportOptions,
): Iterable<string> {
  if (format === 'json') return jsonPieces(transcripts);
  if (format === 'csv') return csvRows(transcripts);
  return proseOf(transcripts, format, options);
}

function* docxOf(transcripts: readonly Transcript[], { times, about }: ExportOptions): Generator<string> {
  for (const transcript of transcripts) yield* docxPieces(transcript, about(transcript), times);
}

/** One transcript after the other, each below its heading; a single one has none in plain text. */
function* proseOf(
  transcripts: readonly Transcript[],
  format: 'md' | 'txt',
  { times, about }: ExportOptions,
): Generator<string> {
  for (const [index, transcript] of transcripts.entries()) {
    if (index > 0) yield format === 'md' ? '\n' : '\n\n';
    if (format === 'md') {
      yield* markdownPieces(transcript, about(transcript), times ? 'start' : 'none');
      continue;
    }
    const name = oneLine(transcript.fileName);
    if (transcripts.length > 1) yield `${name}\n${'='.repeat(Math.min(name.length, 80))}\n\n`;
    if (times) yield* textLines(transcript);
    else yield* paragraphLines(transcript);
  }
}

function* paragraphLines(transcript: Transcript): Generator<string> {
  let between = '';
  for (const paragraph of toParagraphs(transcript)) {
    yield `${between}${paragraph}\n`;
    between = '\n';
  }
}

/** Puts a text together from pieces; between some of them, events that wait for this thread go first. */
export async function collect(pieces: Iterable<string>, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    parts.push(piece);
    length += piece.length;
    if (length < turnSize) continue;
    length = 0;
    await nextTurn();
    if (signal.aborted) throw new ServiceError('cancelled');
  }
  return parts.join('');
}
