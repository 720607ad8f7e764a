import { ServiceError } from '../../base/errors.ts';
import { linesOf } from '../../base/lines.ts';
import { nextTurn, turnSize } from '../../base/nextTurn.ts';
import type { Segment } from '../../service/audio/audio.ts';
import { collect, type Exported } from '../export/exportTranscripts.ts';
import { markdownPieces } from '../export/transcriptMarkdown.ts';
import { segmentsAsCues } from '../subtitles/cues.ts';
import { srt } from '../subtitles/srt.ts';
import { type SubtitleFormat, writeSubtitles } from '../subtitles/subtitleFormat.ts';
import { webVtt } from '../subtitles/webVtt.ts';
import { isSpoken, spokenSegments, type TimedText } from '../transcript/timedText.ts';
import { timedSegments } from '../transcript/transcriptBlocks.ts';
import { createMarkdownReader } from './markdownReader.ts';
import { createSubtitleReader } from './subtitleReader.ts';
import type { DocumentReader, TranscriptDocument } from './timedLines.ts';

/** The forms of a text document in which a transcript is edited, which are their extensions as well. */
export const documentFormats = ['md', 'srt', 'vtt'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

const subtitleFormats: Readonly<Record<'srt' | 'vtt', SubtitleFormat>> = { srt, vtt: webVtt };

/** The longest document that is read, in characters. A day of speech as subtitles has three million. */
const longestDocument = 16 * 1024 * 1024;
/** The longest line that is read: twenty hours of speech, where they have no times and stand in one line. */
const longestLine = 1024 * 1024;
/** What a line costs beside its characters, counted as such. */
const lineCost = 16;

/**
 * A transcript as a document that `readDocument` reads back: one cue or paragraph a segment, with its own times, whatever
 * the rules of subtitles say. Segments without a text are left out.
 * @param about a sentence below the heading, in Markdown
 * @throws ServiceError `cancelled`
 */
export async function writeDocument(
  transcript: TimedText,
  format: DocumentFormat,
  about: string,
  signal: AbortSignal,
): Promise<Exported> {
  if (format === 'md') return { content: await collect(markdownPieces(transcript, about, 'exact'), signal) };
  const segments = spokenSegments({ segments: timedSegments(transcript) });
  if (segments === undefined) return { refused: 'no-times', fileName: transcript.fileName };
  return { content: await collect(writeSubtitles(segmentsAsCues(segments), subtitleFormats[format]), signal) };
}

/**
 * Reads a document that a person may have edited, or another program written. What cannot be read is among the problems, and the rest
 * is read. Takes time by the length of the text alone, in slices.
 * @throws ServiceError `cancelled`
 */
export async function readDocument(
  text: string,
  format: DocumentFormat,
  signal: AbortSignal,
): Promise<TranscriptDocument> {
  if (text.length > longestDocument) {
    return { segments: [], text: undefined, problems: [{ line: 0, reason: 'too-long' }] };
  }
  const reader: DocumentReader =
    format === 'md' ? createMarkdownReader() : createSubtitleReader(subtitleFormats[format]);
  let read = 0;
  let number = 0;
  for (const line of linesOf(text.replace(/^\ufeff/, ''))) {
    if (line.length > longestLine) reader.report(number, 'too-long');
    else reader.take(line, number);
    number++;
    read += line.length + lineCost;
    if (read < turnSize) continue;
    read = 0;
    await nextTurn();
    if (signal.aborted) throw new ServiceError('cancelled');
  }
  return reader.end();
}

/**
 * For each line of a document the index of the segment that it belongs to; undefined for headings, blank lines and the like.
 * @param all the segments of the transcript that the document was written from or has been taken into: the indexes are of them, as
 * some may hold no text and be in no document. Without it, the indexes are those of the document's own segments.
 */
export function lineMap(document: TranscriptDocument, all?: readonly Segment[]): (number | undefined)[] {
  const { segments } = document;
  const spoken = all?.flatMap((segment, index) => (isSpoken(segment) ? [index] : []));
  const last = segments.reduce((most, { lines }) => Math.max(most, lines.last), -1);
  const map = new Array<number | undefined>(last + 1).fill(undefined);
  for (const [index, { lines }] of segments.entries()) {
    map.fill(spoken === undefined ? index : spoken[index], lines.first, lines.last + 1);
  }
  return map;
}
