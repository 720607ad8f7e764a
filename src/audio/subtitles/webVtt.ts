import type { SubtitleFormat } from './subtitleFormat.ts';

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};
/** Character references, and the tags that cues may have (https://www.w3.org/TR/webvtt1/#cue-text); a bare `<` is text. */
const markup =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));|<\/?(?:[bciuv]|rt|ruby|lang)(?:[.\s][^<>]{0,500})?>|<[\d:.]{5,16}>/gi;

const escapeText = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const webVtt: SubtitleFormat = {
  header: 'WEBVTT\n\n',
  mark: '.',
  blankLine: '&nbsp;',
  // The arrow, which no text may hold, is escaped by its head.
  escape: escapeText,
  // A voice span (https://www.w3.org/TR/webvtt1/#webvtt-cue-voice-span), which the end of the cue closes.
  voice: (name) => `<v ${escapeText(name)}>`,
  unescape: (line) =>
    line.replace(markup, (all: string, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return characters[name.toLowerCase()] ?? all;
      const digits = decimal ?? hexadecimal;
      return digits === undefined ? '' : characterOf(Number.parseInt(digits, decimal === undefined ? 16 : 10));
    }),
  hasNames: true,
  isComment: (line, number) => (number === 0 ? /^WEBVTT(?:\s|$)/ : /^(?:NOTE|STYLE|REGION)(?:\s|$)/).test(line),
};

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
}
