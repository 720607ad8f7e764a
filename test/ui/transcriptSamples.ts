import { formatTime } from '../../src/webview/shared/formatTime.ts';
import type { SegmentView, TranscriptView } from '../../src/webview/shared/protocol/transcriptProtocol.ts';

/**
 * A silent recording of so many seconds, as the page plays it.
 * @param law whether its samples are written by the µ-law, so that the page plays but does not decode them
 */
export function silence(seconds: number, law = false): { src: string; type: string } {
  const rate = 8000;
  const samples = Buffer.alloc(Math.round(seconds * rate), law ? 0xff : 0x80);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  // One channel of 8 bits.
  for (const [at, value] of [
    [20, law ? 7 : 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    header.writeUInt16LE(value, at);
  for (const at of [24, 28]) header.writeUInt32LE(rate, at);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return { src: `data:audio/wav;base64,${Buffer.concat([header, samples]).toString('base64')}`, type: 'audio/wav' };
}

/** A transcript without times. */
export const untimed: TranscriptView = {
  state: { sha256: 'a'.repeat(64), path: '/recordings/begruessung.wav' },
  fileName: 'begruessung.wav',
  about: '3 s · 110 kB · parley-whisper · Nov 20, 2026',
  player: silence(3.5),
  text: 'Good morning in the harbour. Your berth is free.',
  segments: [],
};

/** Two lines of about two seconds each. */
export const timed: TranscriptView = {
  ...untimed,
  segments: [
    { start: 0, end: 1.68, time: '0:00', text: 'Good morning in the harbour.' },
    { start: 1.68, end: 3.44, time: '0:01', text: 'Your berth is free.' },
  ],
};

/** The start of a line of `talk`, in seconds. */
export const startOf = (line: number): number => line * 2;

/** A talk of so many lines, of two seconds each; lines are of different lengths. */
export function talk(count: number, player = untimed.player): TranscriptView {
  const segments = Array.from({ length: count }, (_, line): SegmentView => {
    const text = `Line ${line} of a talk. ${'And the tide comes in again. '.repeat(line % 7)}`.trim();
    return { start: startOf(line), end: startOf(line + 1), time: formatTime(startOf(line)), text };
  });
  return { ...untimed, player, text: segments.map(({ text }) => text).join(' '), segments };
}
