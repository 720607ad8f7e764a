import { speakerPrefix } from '../transcript/speakers.ts';
import { oneLine, plainLines, spokenSegments, type TimedText } from '../transcript/timedText.ts';
import { formatExactTime, formatTime, toMilliseconds } from '../transcript/timestamps.ts';
import { toParagraphs } from './transcriptText.ts';

/**
 * What stands before each segment: when it begins; when it begins and ends, to the millisecond, so that the text can be read back;
 * or nothing, in paragraphs of several segments.
 */
export type MarkdownTimes = 'start' | 'exact' | 'none';

/**
 * The transcript as Markdown: the file's name as the heading, a line about it, then the text.
 * @param about one sentence in the language of the user, e.g. which model translated it
 */
export function toMarkdown(transcript: TimedText, about: string, times: MarkdownTimes = 'start'): string {
  return [...markdownPieces(transcript, about, times)].join('');
}

/** That Markdown piece by piece: a heading or a paragraph each. */
export function* markdownPieces(transcript: TimedText, about: string, times: MarkdownTimes): Generator<string> {
  yield `# ${escapeMarkdown(oneLine(transcript.fileName))}\n`;
  if (about !== '') yield `\n*${escapeMarkdown(oneLine(about))}*\n`;
  const segments = times === 'none' ? undefined : spokenSegments(transcript);
  let before: string | undefined;
  for (const segment of segments ?? []) {
    const { start, end, text } = segment;
    const startMs = toMilliseconds(start);
    const exact = `${formatExactTime(startMs)} – ${formatExactTime(Math.max(startMs, toMilliseconds(end)))}`;
    // A document that is read back has the text alone.
    const name = times === 'exact' ? '' : speakerPrefix(segment, before);
    before = segment.speaker;
    yield `\n**${times === 'exact' ? exact : formatTime(start)}** ${escapeMarkdown(name + plainLines(text))}\n`;
  }
  if (segments !== undefined) return;
  for (const paragraph of toParagraphs(transcript)) yield `\n${escapeMarkdown(paragraph)}\n`;
}

/**
 * Escapes characters that Markdown, HTML or the formulas of VS Code's preview would act upon, and the marks of lists, rules and
 * headings at the start of a line: the transcript is only text.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>#|~&$]/g, '\\$&')
    .replace(/^([^\S\n]*)(?:([-+])(?=[\s-]|$)|(=)|(\d{1,9})(?=[.)](?:\s|$)))/gm, '$1$4\\$2$3');
}

/** The text of Markdown in which every mark is escaped; marks that are not are text. */
export function unescapeMarkdown(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
