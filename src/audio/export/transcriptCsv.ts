import { oneLine, spokenSegments, type TimedText } from '../transcript/timedText.ts';
import { toMilliseconds } from '../transcript/timestamps.ts';

/**
 * The segments of transcripts as a table (RFC 4180: lines end in CRLF): the file's name, the times in seconds, the text. A transcript
 * without times is one row without them. Where anybody who speaks has a name, there is a column for it. The byte order mark tells spreadsheets that it is UTF-8.
 */
export function* csvRows(transcripts: readonly TimedText[]): Generator<string> {
  const hasNames = transcripts.some(({ segments = [] }) => segments.some(({ speaker }) => speaker !== undefined));
  const nameOf = (speaker = ''): string => (hasNames ? `${cell(speaker)},` : '');
  yield `\ufefffile,start,end,${hasNames ? 'speaker,' : ''}text\r\n`;
  for (const transcript of transcripts) {
    const file = cell(transcript.fileName);
    for (const { start, end, text, speaker } of spokenSegments(transcript) ?? []) {
      const startMs = toMilliseconds(start);
      yield `${file},${seconds(startMs)},${seconds(Math.max(startMs, toMilliseconds(end)))},${nameOf(speaker)}${cell(text)}\r\n`;
    }
    if (spokenSegments(transcript) === undefined) yield `${file},,,${nameOf()}${cell(transcript.text)}\r\n`;
  }
}

/**
 * A cell of text, in one line. What spreadsheets would take for a formula gets an apostrophe before it, which they do not show: at
 * the start, and after a semicolon, at which some of them divide; they pass over spaces and quotation marks before it
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
function cell(text: string): string {
  const harmless = oneLine(text).replace(/(^|;)(?=[\s"\p{Cf}]*[=+\-@＝＋－＠])/gu, "$1'");
  return `"${harmless.replaceAll('"', '""')}"`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
