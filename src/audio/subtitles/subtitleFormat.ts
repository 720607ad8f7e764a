import { formatTimestamp } from '../transcript/timestamps.ts';
import type { Cue } from './cues.ts';

/** What tells one format of subtitles from another. Both have a cue as its number, its times and its lines, then a blank line. */
export interface SubtitleFormat {
  /** What a file begins with. */
  readonly header: string;
  /** Stands between seconds and milliseconds. */
  readonly mark: ',' | '.';
  /** A line for a blank one within a cue, which would end it. */
  readonly blankLine: string;
  /** A line of text in which the format finds nothing of its own. */
  escape(line: string): string;
  /** What stands before the words of somebody; absent where the format has no place for it. */
  voice?(name: string): string;
  /** The text of such a line, also of one that another program or a person wrote. */
  unescape(line: string): string;
  /** Whether the line above the times, after a blank one, may be any text: the cue's name. Else it is a number. */
  readonly hasNames: boolean;
  /** Whether a line after a blank one, or the first, begins a part that is no cue, up to the next blank line. */
  isComment(line: string, number: number): boolean;
}

/** Subtitles in a format, piece by piece; lines end in LF. */
export function* writeSubtitles(cues: Iterable<Cue>, format: SubtitleFormat): Generator<string> {
  yield format.header;
  let number = 1;
  for (const { startMs, endMs, lines, speaker } of cues) {
    const times = `${formatTimestamp(startMs, format.mark)} --> ${formatTimestamp(endMs, format.mark)}`;
    const voice = speaker === undefined ? '' : (format.voice?.(speaker) ?? '');
    const text = lines.map((line) => (line === '' ? format.blankLine : format.escape(line))).join('\n');
    yield `${number === 1 ? '' : '\n'}${number}\n${times}\n${voice}${text}\n`;
    number++;
  }
}
