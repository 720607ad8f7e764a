/** Recordings that tests make: sound with pauses, in each of the formats, byte by byte where that is all there is to them. */
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  StreamTarget,
  WebMOutputFormat,
} from 'mediabunny';

/** Seconds in which somebody speaks, and then does not. */
export interface Turn {
  speech: number;
  pause: number;
}

/** Turns without an end, the same each time: some seconds of speech, pauses from a third of a second to more than one. */
export function turns(count: number, seed = 1): Turn[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => ({ speech: 1.5 + 3 * random(), pause: 0.4 + 0.8 * random() }));
}

/** Whether a time is in a pause, and not at its edge. */
export function isInPause(spoken: readonly Turn[], time: number): boolean {
  let start = 0;
  for (const { speech, pause } of spoken) {
    if (time > start + speech && time < start + speech + pause) return true;
    start += speech + pause;
  }
  return false;
}

export const lengthOf = (spoken: readonly Turn[]): number =>
  spoken.reduce((sum, { speech, pause }) => sum + speech + pause, 0);

/** The height of the sound at a time: speech goes up and down by the syllable, and the room is never quite silent. */
export function heightAt(spoken: readonly Turn[], time: number): number {
  const syllable = 0.6 + 0.4 * Math.sin(time * 2 * Math.PI * 4);
  return isInPause(spoken, time) ? 0.01 : 0.4 * syllable;
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Samples of noise whose height is that of the turns, from -1 to 1. */
export function samplesOf(spoken: readonly Turn[], rate: number): Float64Array {
  const random = randomFrom(7);
  return Float64Array.from({ length: Math.floor(lengthOf(spoken) * rate) }, (_, i) =>
    i % 2 === 0 ? heightAt(spoken, i / rate) * (2 * random() - 1) : 0,
  ).map((sample, i, all) => (i % 2 === 0 ? sample : ((all[i - 1] ?? 0) + (all[i + 1] ?? 0)) / 2));
}

/** A chunk of RIFF or AIFF. */
export function chunk(name: string, body: Buffer, isBig = false): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  if (isBig) head.writeUInt32BE(body.length, 4);
  else head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** @param tag 1 for integers, 3 for floats, 6 and 7 for A-law and µ-law */
export function wavOf(data: Buffer, rate: number, { channels = 1, bytes = 2, tag = 1 } = {}): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * channels * bytes, 8);
  format.writeUInt16LE(channels * bytes, 12);
  format.writeUInt16LE(bytes * 8, 14);
  const body = Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), chunk('data', data)]);
  return chunk('RIFF', body);
}

export function integers(samples: Float64Array, bytes = 2, isBig = false): Buffer {
  const data = Buffer.alloc(samples.length * bytes);
  const scale = 2 ** (8 * bytes - 1) - 1;
  for (const [i, sample] of samples.entries()) {
    if (isBig) data.writeIntBE(Math.round(sample * scale), i * bytes, bytes);
    else data.writeIntLE(Math.round(sample * scale), i * bytes, bytes);
  }
  return data;
}

/** @param compression of an AIFF-C; a plain AIFF without it */
export function aiffOf(data: Buffer, rate: number, { channels = 1, bytes = 2, compression = '' } = {}): Buffer {
  const common = Buffer.alloc(18);
  common.writeUInt16BE(channels, 0);
  common.writeUInt32BE(data.length / channels / bytes, 2);
  common.writeUInt16BE(bytes * 8, 6);
  const exponent = Math.floor(Math.log2(rate));
  common.writeUInt16BE(16383 + exponent, 8);
  common.writeUInt32BE(rate * 2 ** (31 - exponent), 10);
  const extra = compression === '' ? Buffer.alloc(0) : Buffer.from(`${compression}\0\0`, 'latin1');
  const sound = chunk('SSND', Buffer.concat([Buffer.alloc(8), data]), true);
  const body = [
    Buffer.from(compression === '' ? 'AIFF' : 'AIFC'),
    chunk('COMM', Buffer.concat([common, extra]), true),
    sound,
  ];
  return chunk('FORM', Buffer.concat(body), true);
}

/** Bits one after another, the most significant first. */
export function bitsOf(...fields: (readonly [value: number, count: number])[]): Buffer {
  const bits = fields.map(([value, count]) => value.toString(2).padStart(count, '0')).join('');
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

const gainOf = (height: number, top: number): number => Math.max(0, Math.round(top + 4 * Math.log2(height)));

/** A frame of MPEG-1 layer III, 44.1 kHz, mono, 64 kbit/s: its values are zeros, but its side information is that of a sound. */
export function mp3Frame(height: number): Buffer {
  const granule = [
    [300, 12],
    [100, 9],
    [gainOf(height, 200), 8],
    [0, 4],
    [0, 1],
    [5, 5],
    [5, 5],
    [5, 5],
    [6, 4],
    [6, 3],
    [0, 3],
  ];
  const side = bitsOf([0, 18], ...([...granule, ...granule] as [number, number][]));
  return Buffer.concat([Buffer.from('fffb50c4', 'hex'), side], 208);
}
export const mp3Seconds = 1152 / 44_100;

/** A packet of AAC, mono: one section of the spectrum. */
export function aacPacket(height: number, length = 150): Buffer {
  const bands = 20;
  const head: [number, number][] = [
    [0, 7],
    [gainOf(height, 150), 8],
    [0, 4],
    [bands, 6],
    [0, 1],
    [5, 4],
    [bands, 5],
    [0, bands],
  ];
  return Buffer.concat([bitsOf(...head)], length);
}
export const aacSeconds = 1024 / 44_100;

/** A packet of AAC with the header of ADTS before it: profile LC, 44.1 kHz, mono. */
export function adtsFrame(packet: Buffer): Buffer {
  const head = bitsOf(
    [0xfff1, 16],
    [1, 2],
    [4, 4],
    [0, 1],
    [1, 3],
    [0, 4],
    [packet.length + 7, 13],
    [0x7ff, 11],
    [0, 2],
  );
  return Buffer.concat([head, packet]);
}

/** A packet of Opus of 20 ms whose length is that of a sound. */
export function opusPacket(height: number): Buffer {
  const packet = Buffer.alloc(40 + Math.round(160 * Math.sqrt(height)), 0x55);
  packet.writeUInt8(0x78, 0);
  return packet;
}
export const opusSeconds = 0.02;

/** Frames of a sound, one for each step of its length. */
export function framesOf(spoken: readonly Turn[], seconds: number, frame: (height: number) => Buffer): Buffer[] {
  const count = Math.floor(lengthOf(spoken) / seconds);
  return Array.from({ length: count }, (_, i) => frame(heightAt(spoken, (i + 0.5) * seconds)));
}

const opusHead = Buffer.from('4f70757348656164010100003880bb0000000000', 'hex');
const kinds = {
  aac: { sampleRate: 44_100, codec: 'mp4a.40.2', description: Buffer.from('1208', 'hex'), seconds: aacSeconds },
  opus: { sampleRate: 48_000, codec: 'opus', description: opusHead, seconds: opusSeconds },
  mp3: { sampleRate: 44_100, codec: 'mp3', seconds: mp3Seconds },
  'pcm-s16be': { sampleRate: 8_000, codec: 'pcm-s16be', seconds: 0 },
  ac3: { sampleRate: 48_000, codec: 'ac-3', seconds: 0.032 },
} as const;
export const containers = {
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  mov: () => new MovOutputFormat({ fastStart: false }),
  fragmented: () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
  ogg: () => new OggOutputFormat(),
} as const satisfies Record<string, () => OutputFormat>;

export interface MuxOptions {
  container: keyof typeof containers;
  codec: keyof typeof kinds;
  /** Seconds of a packet, where the codec does not say it. */
  seconds?: number;
  /** Start of the first packet. */
  start?: number;
  /** Whether there are pictures, too: each of some kilobytes, five a second. */
  hasPictures?: boolean;
}

/** Puts packets into a container. */
export async function mux(
  packets: readonly Buffer[],
  { container, codec, seconds, start = 0, hasPictures = false }: MuxOptions,
): Promise<Buffer> {
  const { seconds: known, ...config } = kinds[codec];
  const step = seconds ?? known;
  const writes: { data: Uint8Array; position: number }[] = [];
  const writable = new WritableStream<{ data: Uint8Array; position: number }>({
    write: ({ data, position }) => void writes.push({ data: data.slice(), position }),
  });
  const output = new Output({ format: containers[container](), target: new StreamTarget(writable) });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  const pictures = new EncodedVideoPacketSource('vp8');
  if (hasPictures) output.addVideoTrack(pictures);
  await output.start();
  const meta = { decoderConfig: { numberOfChannels: 1, ...config } };
  for (const [i, packet] of packets.entries()) {
    await source.add(new EncodedPacket(packet, 'key', start + i * step, step), meta);
  }
  const length = start + packets.length * step;
  const size = { codec: 'vp8', codedWidth: 320, codedHeight: 240 };
  for (let time = 0; hasPictures && time < length; time += 0.2) {
    await pictures.add(new EncodedPacket(Buffer.alloc(5_000, 1), 'key', time, 0.2), { decoderConfig: size });
  }
  await output.finalize();
  const file = Buffer.alloc(Math.max(...writes.map(({ data, position }) => position + data.length)));
  for (const { data, position } of writes) file.set(data, position);
  return file;
}
