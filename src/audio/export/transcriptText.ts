import { endsSentence } from '../subtitles/splitText.ts';
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
  for (const { start, text } of segments ?? []) yield `[${formatTime(start)}] ${plainLines(text)}\n`;
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
  if (transcript.areBlocks) for (const { text } of spoken ?? []) yield* inParagraphs(text).split('\n\n');
  const segments = transcript.areBlocks ? [] : spoken;
  let open = '';
  let lastEnd = 0;
  for (const { start, end, text } of segments ?? []) {
    const isFull = open.length > 2 * longParagraph || (open.length > longParagraph && endsSentence(open));
    if (open !== '' && (isFull || start - lastEnd >= longPause)) {
      yield open;
      open = '';
    }
    open += open === '' ? oneLine(text) : ` ${oneLine(text)}`;
    lastEnd = end;
  }
  if (open !== '') yield open;
}
