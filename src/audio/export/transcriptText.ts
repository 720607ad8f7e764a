import { gapBetween } from '../../service/audio/audio.ts';
import { endsSentence } from '../subtitles/splitText.ts';
import { speakerPrefix } from '../transcript/speakers.ts';
import { oneLine, plainLines, spokenSegments, type TimedText } from '../transcript/timedText.ts';
import { formatTime } from '../transcript/timestamps.ts';
import { inParagraphs } from '../transcript/transcriptBlocks.ts';

/** The text, each segment on a line of its own after its time where there are segments. Ends with a line break. */
export function toPlainText(transcript: TimedText): string {
  return [...textLines(transcript)].join('');
}

/** The lines of that text, each with its line break. */
export function* textLines(transcript: TimedText): Generator<string> {
  const segments = spokenSegments(transcript);
  if (segments === undefined) yield `${plainLines(transcript.text)}\n`;
  let before: string | undefined;
  for (const segment of segments ?? []) {
    const { start, text, speaker } = segment;
    yield `[${formatTime(start)}] ${speakerPrefix(segment, before)}${plainLines(text)}\n`;
    before = speaker;
  }
}

/** A pause after which a new paragraph begins, in seconds. */
const longPause = 2;
/** Characters after which the end of a sentence ends the paragraph, too; what has no sentences is divided at twice as many. */
const longParagraph = 600;

/** The text without times, with an empty line between paragraphs. */
export function paragraphText(transcript: TimedText): string {
  return [...toParagraphs(transcript)].join('\n\n').trimEnd();
}

/** The text as paragraphs without times: one ends at a long pause, or with a sentence when it is long. */
export function* toParagraphs(transcript: TimedText): Generator<string> {
  const spoken = spokenSegments(transcript);
  if (spoken === undefined) yield* inParagraphs(transcript.text).split('\n\n');
  let speaker: string | undefined;
  if (transcript.areBlocks)
    for (const segment of spoken ?? []) {
      yield* `${speakerPrefix(segment, speaker)}${inParagraphs(segment.text)}`.split('\n\n');
      speaker = segment.speaker;
    }
  const segments = transcript.areBlocks ? [] : spoken;
  let open = '';
  let lastEnd = 0;
  for (const segment of segments ?? []) {
    const { start, end, text } = segment;
    const prefix = speakerPrefix(segment, speaker);
    const isOther = segment.speaker !== speaker;
    const isFull = open.length > 2 * longParagraph || (open.length > longParagraph && endsSentence(open));
    if (open !== '' && (isOther || isFull || start - lastEnd >= longPause)) {
      yield open;
      open = '';
    }
    const line = oneLine(text);
    open = open === '' ? `${prefix}${line}` : open + gapBetween(open, line) + line;
    speaker = segment.speaker;
    lastEnd = end;
  }
  if (open !== '') yield open;
}
