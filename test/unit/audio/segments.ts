import fc from 'fast-check';
import type { Transcript } from '../../../src/audio/transcript/transcript.ts';
import type { Segment } from '../../../src/service/audio/audio.ts';

/** A transcript of a recording of eight seconds, with whatever a test is about. */
export function transcriptWith(parts: Partial<Transcript>): Transcript {
  return {
    version: 1,
    fileName: 'aviso_1.ogg',
    path: '/recordings/aviso_1.ogg',
    size: 15_292,
    sha256: 'a'.repeat(64),
    contentType: 'audio/ogg',
    playerType: 'audio/ogg; codecs="vorbis"',
    model: 'parley-whisper',
    text: 'Notice to mariners. High tide comes at six.',
    createdAt: '2026-11-20T10:00:00.000Z',
    ...parts,
  };
}

/** What one of the formats might take for its own. */
const pieces = [
  ...['-->', '<i>', '</i>', '{\\an8}', '&amp;', '&', '<', '>', '<00:01>', '--', '->', '\u2060', '<\u2060b>', '5 --> 6'],
  ...['00:00:01,000 --> 00:00:02,000', '**0:05** now', '**0:01.000 – 0:02.000**', '42', 'WEBVTT', 'NOTE a', 'STYLE'],
  ...['\n', '\n\n', '\r\n', '\r', '\u2028', '\u00a0', '\t', '\v', '\0', '\ufeff', ' ', '  '],
  ...[
    '# a',
    '- a',
    '1. a',
    '---',
    '===',
    '*a*',
    '_a_',
    '`a`',
    '[a](b)',
    '\\',
    '|',
    '$x$',
    '"quoted"',
    "'",
    '=1+1',
    '@a',
  ],
  ...['שלום', 'مرحبا', '\u202eabc', '\u200f', '👩‍👩‍👧', 'é', 'e\u0301', '你好。', 'Hello there.', 'and then', 'a word'],
];

/** Any text that a model may give. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 8 })
    .map((all) => all.join('')),
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((all) => all.join('\n')),
);

/** Segments one after the other, with times to the millisecond. */
export const orderedSegments = (text: fc.Arbitrary<string>): fc.Arbitrary<Segment[]> =>
  fc
    .array(fc.record({ pauseMs: fc.nat(5000), lengthMs: fc.nat(20_000), text }), { maxLength: 12 })
    .chain((parts) => fc.nat(1_000_000_000).map((startMs) => ({ parts, startMs })))
    .map(({ parts, startMs }) => {
      let at = startMs;
      return parts.map(({ pauseMs, lengthMs, text: said }) => {
        const start = at + pauseMs;
        at = start + lengthMs;
        return { start: start / 1000, end: at / 1000, text: said };
      });
    });
