import type { SubtitleFormat } from '../subtitles/subtitleFormat.ts';
import { readTimestamp, timestamp } from '../transcript/timestamps.ts';
import { createTimedLines, type DocumentReader } from './timedLines.ts';

/** Two times; settings of the cue may follow. */
const times = new RegExp(`^(${timestamp})\\s*--+>\\s*(${timestamp})(?:\\s|$)`);
/** A line that can only be meant as times: no text of ours has the arrow. */
const meantAsTimes = /^(?:\d[\d:.,\s]*)?--+>/;

/**
 * Reads SRT or WebVTT line by line. The lines of times divide it: numbers may be missing, and what stands between is text, blank lines
 * included.
 */
export function createSubtitleReader(format: SubtitleFormat): DocumentReader {
  const timed = createTimedLines();
  /** The line before, of which it is not known yet whether it is text, or the number or name of the cue below. */
  let held: { readonly line: string; readonly number: number; readonly isAfterBlank: boolean } | undefined;
  let isAfterBlank = true;
  /** Whether the lines up to the next blank one are a comment, or the header. */
  let isInComment = false;
  let isUntimedTold = false;

  function release(): void {
    if (held === undefined) return;
    const { line, number } = held;
    held = undefined;
    if (timed.hasBegun()) timed.add(format.unescape(line).trim(), number);
    else if (line !== '' && !isNumber(line) && !isUntimedTold) {
      isUntimedTold = true;
      timed.report(number, 'text-without-time');
    }
  }

  /** The first line of the cue whose times stand on a line: that above it, when it is the cue's number or name. */
  function firstLine(number: number): number {
    const isName =
      held !== undefined && (isNumber(held.line) || (format.hasNames && held.isAfterBlank && held.line !== ''));
    const first = isName && held !== undefined ? held.number : number;
    if (isName) held = undefined;
    release();
    return first;
  }

  function begin(line: string, number: number): void {
    const [, from = '', to = ''] = times.exec(line) ?? [];
    const [startMs, endMs] = [readTimestamp(from), readTimestamp(to)];
    const first = firstLine(number);
    if (startMs === undefined || endMs === undefined) {
      timed.report(number, 'bad-time');
      timed.skip();
    } else timed.begin(startMs, endMs, first, number);
  }

  return {
    report: timed.report,
    take(raw, number) {
      const line = raw.trim();
      if (meantAsTimes.test(line)) {
        isInComment = false;
        begin(line, number);
      } else if (isAfterBlank && format.isComment(line, number)) {
        release();
        isInComment = true;
      } else if (!isInComment) {
        release();
        held = { line, number, isAfterBlank };
      }
      isAfterBlank = line === '';
      if (isAfterBlank) isInComment = false;
    },
    end() {
      release();
      return { ...timed.end(), text: undefined };
    },
  };
}

function isNumber(line: string): boolean {
  return /^\d{1,9}$/.test(line);
}
