/** Recordings in formats that are rarer, byte by byte. */

function cafChunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.write(name, 0, 'latin1');
  head.writeBigInt64BE(BigInt(body.length), 4);
  return Buffer.concat([head, body]);
}

interface CafShape {
  format: string;
  flags?: number;
  rate: number;
  bytesPerPacket?: number;
  samplesPerPacket?: number;
  channels?: number;
  bits?: number;
}

/** A Core Audio file. @param more chunks before the data */
export function cafOf(data: Buffer, shape: CafShape, more: readonly Buffer[] = []): Buffer {
  const { format, flags = 0, rate, bytesPerPacket = 0, samplesPerPacket = 1, channels = 1, bits = 0 } = shape;
  const description = Buffer.alloc(32);
  description.writeDoubleBE(rate, 0);
  description.write(format.padEnd(4), 8, 'latin1');
  for (const [i, field] of [flags, bytesPerPacket, samplesPerPacket, channels, bits].entries())
    description.writeUInt32BE(field, 12 + 4 * i);
  const body = Buffer.concat([Buffer.alloc(4), data]);
  return Buffer.concat([
    Buffer.from('caff\0\x01\0\0', 'latin1'),
    cafChunk('desc', description),
    ...more,
    cafChunk('data', body),
  ]);
}

/** A Core Audio file of AAC, mono, 44.1 kHz. */
export function cafOfAac(packets: readonly Buffer[]): Buffer {
  const table = Buffer.alloc(24);
  table.writeBigInt64BE(BigInt(packets.length), 0);
  table.writeBigInt64BE(BigInt(packets.length * 1024), 8);
  const sizes = packets.flatMap(({ length }) => (length < 128 ? [length] : [0x80 | (length >> 7), length & 127]));
  const cookie = Buffer.from('03190000000411401500000000000000000000000502120806 0102'.replace(' ', ''), 'hex');
  return cafOf(Buffer.concat(packets), { format: 'aac', rate: 44_100, samplesPerPacket: 1024 }, [
    cafChunk('kuki', cookie),
    cafChunk('pakt', Buffer.concat([table, Buffer.from(sizes)])),
  ]);
}

const guids = {
  riff: '726966662e91cf11a5d628db04c10000',
  wave: '77617665f3acd3118cd100c04f8edb8a',
  'fmt ': '666d7420f3acd3118cd100c04f8edb8a',
  data: '64617461f3acd3118cd100c04f8edb8a',
} as const;

function w64Chunk(name: keyof typeof guids, body: Buffer): Buffer {
  const head = Buffer.alloc(24);
  head.write(guids[name], 0, 'hex');
  head.writeBigUInt64LE(BigInt(24 + body.length), 16);
  return Buffer.concat([head, body, Buffer.alloc((8 - (body.length % 8)) % 8)]);
}

/** A Wave64 of the samples of a WAV. @param wav one whose samples stand right behind its format */
export function w64Of(wav: Buffer): Buffer {
  const chunks = [w64Chunk('fmt ', wav.subarray(20, 36)), w64Chunk('data', wav.subarray(44))];
  const length = 40 + chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const head = Buffer.alloc(40);
  head.write(guids.riff, 0, 'hex');
  head.writeBigUInt64LE(BigInt(length), 16);
  head.write(guids.wave, 24, 'hex');
  return Buffer.concat([head, ...chunks]);
}

/** A frame of MPEG-1 layer II, 44.1 kHz, mono, 64 kbit/s, in which nothing is said. */
export const mp2Frame = Buffer.concat([Buffer.from('fffd40c0', 'hex')], 208);
export const mp2Seconds = 1152 / 44_100;
