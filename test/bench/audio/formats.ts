import type { AudioFormat } from '../../../src/audio/recording/formats.ts';

/** A format that is split, and how ffmpeg makes it. */
export interface BenchFormat {
  name: string;
  container: AudioFormat['name'];
  extension: string;
  encode: readonly string[];
}

const format = (name: string, container: AudioFormat['name'], extension: string, ...encode: string[]): BenchFormat => ({
  name,
  container,
  extension,
  encode,
});

/** The formats of the table, and those in which the sizes of packets say nothing or little. */
export const benchFormats: readonly BenchFormat[] = [
  format('mp3', 'mp3', 'mp3', '-c:a', 'libmp3lame', '-b:a', '128k'),
  format('m4a', 'mp4', 'm4a', '-c:a', 'aac', '-b:a', '128k'),
  format('flac', 'flac', 'flac', '-c:a', 'flac'),
  format('wav', 'wav', 'wav', '-c:a', 'pcm_s16le'),
  format('ogg', 'ogg', 'ogg', '-c:a', 'libvorbis', '-q:a', '3'),
  format('webm', 'webm', 'webm', '-c:a', 'libopus', '-b:a', '48k'),
];
export const moreFormats: readonly BenchFormat[] = [
  format('mp3 of variable bit rate', 'mp3', 'mp3', '-c:a', 'libmp3lame', '-q:a', '4'),
  format('mp3, 16 kHz, 32 kbit/s', 'mp3', 'mp3', '-ar', '16000', '-c:a', 'libmp3lame', '-b:a', '32k'),
  format('m4a, stereo', 'mp4', 'm4a', '-ac', '2', '-c:a', 'aac', '-b:a', '160k'),
  format('aac', 'aac', 'aac', '-c:a', 'aac', '-b:a', '64k'),
  format('ogg with Opus', 'ogg', 'opus', '-c:a', 'libopus', '-b:a', '24k', '-application', 'voip'),
  format('aiff', 'aiff', 'aiff', '-c:a', 'pcm_s24be'),
];
