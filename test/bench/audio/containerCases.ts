import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAdtsHeader } from '../../../src/audio/recording/frameHeaders.ts';
import { id3WithCover, oggWithTheora, picture } from '../../support/pictured.ts';
import { cafOfAac } from '../../support/rareFormats.ts';
import { ffmpeg } from './tools.ts';

/** A recording as somebody may have it, and what is to be heard of it. */
export interface ContainerCase {
  name: string;
  path: string;
  /** The seconds that are to be heard, by their numbers; undefined where it is to be refused with a sentence. */
  seconds?: readonly number[];
  /** Whether it is not cut: its codec is not copied, or one packet has seconds of it, as ffmpeg writes samples into QuickTime. */
  isWhole?: boolean;
}

const uncut: ReadonlySet<string> = new Set(['M4A, ALAC', 'Ogg, FLAC', 'Ogg, Speex', 'QuickTime, samples']);

/** Seconds of sound in a file, each with a tone of its own. */
const length = 12;
/** The tone of a second, in hertz. */
export const toneOf = (second: number): number => 400 + 60 * second;

/** Makes sounds whose seconds are numbered from one on. */
async function makeTones(folder: string, first: number): Promise<string> {
  const path = join(folder, `tones${first}.wav`);
  const expression = `0.5*sin(2*PI*(400+60*floor(t+${first}))*t)`;
  await ffmpeg('-f', 'lavfi', '-i', `aevalsrc='${expression}':s=44100:d=${length}`, '-c:a', 'pcm_s16le', path);
  return path;
}

const from = (first: number): number[] => Array.from({ length }, (_, i) => first + i);

/** Encodings: a name, the ending of the file, and what ffmpeg is told. */
const plain: readonly (readonly [name: string, ending: string, ...args: string[]])[] = [
  ['WAV', 'wav'],
  ['WAV, 24 bits, stereo', 'wav', '-ac', '2', '-c:a', 'pcm_s24le'],
  ['WAV, 8 bits', 'wav', '-c:a', 'pcm_u8'],
  ['WAV, floats', 'wav', '-c:a', 'pcm_f32le'],
  ['WAV, A-law', 'wav', '-ar', '8000', '-c:a', 'pcm_alaw'],
  ['RF64', 'wav', '-rf64', 'always'],
  ['Wave64', 'w64'],
  ['Wave64, 24 bits', 'w64', '-c:a', 'pcm_s24le'],
  ['AIFF', 'aiff'],
  ['CAF, samples', 'caf', '-c:a', 'pcm_s16be'],
  ['CAF, floats', 'caf', '-c:a', 'pcm_f32le'],
  ['CAF, µ-law', 'caf', '-ar', '8000', '-c:a', 'pcm_mulaw'],
  ['MP3', 'mp3', '-c:a', 'libmp3lame'],
  ['MP3 of variable rate', 'mp3', '-c:a', 'libmp3lame', '-q:a', '5'],
  ['MP3, 16 kHz', 'mp3', '-ar', '16000', '-c:a', 'libmp3lame', '-b:a', '32k'],
  ['MP2', 'mp2', '-c:a', 'mp2'],
  ['MP2, 22 kHz', 'mp2', '-ar', '22050', '-c:a', 'mp2', '-b:a', '64k'],
  ['ADTS', 'aac', '-c:a', 'aac'],
  ['M4A', 'm4a', '-c:a', 'aac'],
  ['M4A, table first', 'm4a', '-c:a', 'aac', '-movflags', '+faststart'],
  ['MP4 in fragments', 'mp4', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
  ['M4A, ALAC', 'm4a', '-c:a', 'alac'],
  ['3GP, AAC', '3gp', '-c:a', 'aac'],
  ['QuickTime, samples', 'mov', '-c:a', 'pcm_s16be'],
  ['FLAC', 'flac', '-c:a', 'flac'],
  ['Ogg, Vorbis', 'ogg', '-c:a', 'libvorbis'],
  ['Ogg, Opus', 'opus', '-c:a', 'libopus'],
  ['Ogg, FLAC', 'oga', '-c:a', 'flac'],
  ['Ogg, Speex', 'ogg', '-ar', '16000', '-c:a', 'libspeex', '-f', 'ogg'],
  ['WebM, Opus', 'webm', '-c:a', 'libopus'],
  ['WebM, Vorbis', 'webm', '-c:a', 'libvorbis'],
  ['Matroska, MP3', 'mka', '-c:a', 'libmp3lame'],
  ['Matroska, FLAC', 'mkv', '-c:a', 'flac'],
];
const video = ['-f', 'lavfi', '-i', `testsrc=s=160x120:r=5:d=${length}`];
const films: readonly (readonly [name: string, ending: string, ...args: string[]])[] = [
  ['MP4', 'mp4', '-c:a', 'aac', '-c:v', 'libx264'],
  ['M4A by its brand', 'm4a', '-c:a', 'aac', '-c:v', 'libx264', '-f', 'ipod'],
  ['QuickTime', 'mov', '-c:a', 'aac', '-c:v', 'mpeg4'],
  ['WebM', 'webm', '-c:a', 'libopus', '-c:v', 'libvpx'],
  ['Matroska', 'mkv', '-c:a', 'libvorbis', '-c:v', 'libx264'],
  ['Ogg with Theora', 'ogg', '-c:a', 'libvorbis', '-c:v', 'libtheora'],
];

/** Makes all of them in a folder. */
export async function makeContainers(folder: string): Promise<ContainerCase[]> {
  const [a, b] = [await makeTones(folder, 0), await makeTones(folder, length)];
  const cases: ContainerCase[] = [];
  const place = (ending: string): string => join(folder, `case${cases.length}.${ending}`);
  for (const [name, ending, ...args] of plain) {
    const path = place(ending);
    await ffmpeg('-i', a, ...args, path);
    cases.push({ name, path, seconds: from(0), isWhole: uncut.has(name) });
  }
  for (const [name, ending, ...args] of films) {
    const path = place(ending);
    await ffmpeg(...video, '-i', a, ...args, '-shortest', path);
    cases.push({ name: `a film: ${name}`, path, seconds: from(0) });
    if (ending === 'ogg' || ending === 'm4a') continue;
    const silent = place(ending);
    await ffmpeg(...video, '-c:v', args.at(-1) ?? '', silent);
    cases.push({ name: `a film without sound: ${name}`, path: silent });
  }
  async function add(name: string, ending: string, bytes: Buffer, seconds?: readonly number[]): Promise<void> {
    const path = place(ending);
    await writeFile(path, bytes);
    cases.push({ name, path, ...(seconds === undefined ? {} : { seconds }) });
  }
  async function encoded(sound: string, ending: string, ...args: readonly string[]): Promise<Buffer> {
    const path = join(folder, `encoded.${ending}`);
    await ffmpeg('-i', sound, ...args, path);
    return readFile(path);
  }
  const both = [...from(0), ...from(length)];
  const joins: readonly (readonly [name: string, ending: string, first: string[], second: string[]])[] = [
    ['Opus', 'opus', ['-c:a', 'libopus'], ['-c:a', 'libopus']],
    ['Opus of one channel and two', 'opus', ['-c:a', 'libopus'], ['-ac', '2', '-c:a', 'libopus']],
    ['Vorbis', 'ogg', ['-c:a', 'libvorbis'], ['-c:a', 'libvorbis', '-q:a', '7']],
    ['MP3', 'mp3', ['-c:a', 'libmp3lame'], ['-c:a', 'libmp3lame']],
    ['MP3 of two rates', 'mp3', ['-c:a', 'libmp3lame'], ['-ar', '16000', '-c:a', 'libmp3lame']],
    ['MP3 of one channel and two', 'mp3', ['-c:a', 'libmp3lame'], ['-ac', '2', '-c:a', 'libmp3lame']],
    ['FLAC', 'flac', ['-c:a', 'flac'], ['-c:a', 'flac']],
    ['FLAC of two rates', 'flac', ['-c:a', 'flac'], ['-ar', '16000', '-c:a', 'flac']],
    ['WAV', 'wav', [], []],
    ['WAV of two rates', 'wav', [], ['-ar', '16000']],
    ['ADTS', 'aac', ['-c:a', 'aac'], ['-c:a', 'aac']],
    ['M4A', 'm4a', ['-c:a', 'aac'], ['-c:a', 'aac']],
    ['WebM', 'webm', ['-c:a', 'libopus'], ['-c:a', 'libopus']],
  ];
  for (const [name, ending, first, second] of joins) {
    const files = [await encoded(a, ending, ...first), await encoded(b, ending, ...second)];
    await add(`joined: ${name}`, ending, Buffer.concat(files), both);
  }
  const mp3 = await encoded(a, 'mp3', '-c:a', 'libmp3lame');
  const m4a = await encoded(a, 'm4a', '-c:a', 'aac');
  const adts = await encoded(a, 'aac', '-c:a', 'aac');
  const packets: Buffer[] = [];
  for (let at = 0, header = readAdtsHeader(adts, 0); header !== undefined; header = readAdtsHeader(adts, at)) {
    packets.push(adts.subarray(at + header.headerLength, at + header.length));
    at += header.length;
  }
  await add('CAF, AAC', 'caf', cafOfAac(packets), from(0));
  await add('a cover: MP3', 'mp3', Buffer.concat([id3WithCover(), mp3]), from(0));
  await add('a tag before FLAC', 'flac', Buffer.concat([id3WithCover(), await encoded(a, 'flac')]), from(0));
  await add('a tag before ADTS', 'aac', Buffer.concat([id3WithCover(), adts]), from(0));
  await add('a picture behind M4A', 'm4a', Buffer.concat([m4a, picture]), from(0));
  await add('Theora beside Opus', 'ogg', oggWithTheora(await encoded(a, 'opus', '-c:a', 'libopus')), from(0));
  await add('M4A, cut off before its table', 'm4a', m4a.subarray(0, Math.floor(m4a.length / 2)));
  await add('WMA', 'wma', await encoded(a, 'wma', '-c:a', 'wmav2'));
  await add('AMR', 'amr', Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(32 * 600, 0x3c)]));
  return [...cases, ...(await severalTracks(folder, a, b))];
}

/** Recordings with a silent track, and with one in another language. */
async function severalTracks(folder: string, a: string, b: string): Promise<ContainerCase[]> {
  const silence = ['-f', 'lavfi', '-i', `anullsrc=r=44100:cl=mono:d=${length}`];
  const [silentMkv, silentMp4, languages] = ['silent.mkv', 'silent.mp4', 'languages.mkv'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const marked = ['-disposition:a:0', '0', '-disposition:a:1', 'default'];
  const maps = ['-map', '0:a', '-map', '1:a', '-c:a', 'aac'];
  await ffmpeg(...silence, '-i', a, ...maps, ...marked, silentMkv);
  await ffmpeg(...silence, '-i', a, ...maps, silentMp4);
  const told = ['-metadata:s:a:0', 'language=ger', '-metadata:s:a:1', 'language=eng'];
  await ffmpeg('-i', b, '-i', a, ...maps, ...told, languages);
  return [
    { name: 'the first track silent, the second marked: Matroska', path: silentMkv, seconds: from(0) },
    { name: 'the first track silent: MP4', path: silentMp4, seconds: from(0) },
    { name: 'German and English', path: languages, seconds: from(length) },
  ];
}
