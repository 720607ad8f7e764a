import { unescapeMarkdown } from '../export/transcriptMarkdown.ts';
import { plainLines } from '../transcript/timedText.ts';
import { readTimestamp, timestamp } from '../transcript/timestamps.ts';
import { createTimedLines, type DocumentReader, mostLines } from './timedLines.ts';

/** The times of a segment: the start, or start and end, as `toMarkdown` writes them; any kind of dash or arrow between. */
const times = new RegExp(`^\\*\\*(${timestamp})(?:\\s*[-–—→]{1,3}>?\\s*(${timestamp}))?\\*\\*(.*)$`, 's');
/** A line that can only be meant as times: text has no bold numbers in our form. */
const meantAsTimes = /^\*\*\s*\d+\s*[:.,]/;

/** Reads the Markdown that `toMarkdown` writes: a heading and a line about the transcript, which are passed over, then the text. */
export function createMarkdownReader(): DocumentReader {
  const timed = createTimedLines();
  /** Lines above the first times: all of the text, where there are none. */
  const untimed: string[] = [];
  let firstUntimed: number | undefined;
  let isHeadDone = false;

  function begin(line: string, number: number): void {
    const [, from = '', to, text = ''] = times.exec(line) ?? [];
    const startMs = readTimestamp(from);
    const endMs = to === undefined ? undefined : readTimestamp(to);
    if (startMs === undefined || (to !== undefined && endMs === undefined)) {
      timed.report(number, 'bad-time');
      timed.skip();
    } else {
      timed.begin(startMs, endMs, number, number);
      timed.add(unescapeMarkdown(text).trim(), number);
    }
  }

  /** Whether a line is the heading, or the one about the transcript: the first ones that say anything. */
  function isHead(line: string): boolean {
    if (isHeadDone || line === '' || line.startsWith('# ')) return !isHeadDone;
    isHeadDone = true;
    return /^\*[^*]/.test(line) && line.endsWith('*');
  }

  return {
    report: timed.report,
    take(raw, number) {
      const line = raw.trim();
      if (meantAsTimes.test(line)) {
        isHeadDone = true;
        begin(line, number);
      } else if (timed.hasBegun()) timed.add(unescapeMarkdown(line).trim(), number);
      else if (!isHead(line)) {
        if (line !== '') firstUntimed ??= number;
        if (untimed.length === mostLines) timed.report(number, 'too-long');
        if (untimed.length <= mostLines) untimed.push(unescapeMarkdown(line).trim());
      }
    },
    end() {
      if (timed.hasBegun() && firstUntimed !== undefined) timed.report(firstUntimed, 'text-without-time');
      return { ...timed.end(), text: timed.hasBegun() ? undefined : plainLines(untimed.join('\n')) };
    },
  };
}
