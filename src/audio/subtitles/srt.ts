import type { SubtitleFormat } from './subtitleFormat.ts';

/**
 * SubRip. It has no escapes, and players take `<i>`, `{\an8}` and the arrow for their own. A WORD JOINER, which nobody sees, ends that;
 * where the text has one itself there are two, so that all of it can be read back.
 */
export const srt: SubtitleFormat = {
  header: '',
  mark: ',',
  blankLine: '\u00a0',
  escape: (line) => line.replace(/<(?=[a-z/!\u2060])|\{(?=[\\\u2060])|--(?=[>\u2060])/gi, '$&\u2060'),
  // Tags that a person writes are text, too: a transcript has no place for italics, and nothing that was written is lost.
  unescape: (line) => line.replace(/(<|\{|--)\u2060/g, '$1'),
  hasNames: false,
  isComment: () => false,
};
