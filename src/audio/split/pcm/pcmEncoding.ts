/** How samples stand in a file. */
export interface PcmEncoding {
  kind: 'integer' | 'float' | 'alaw' | 'ulaw';
  /** Bytes of a sample: 1 to 4 of an integer, 4 or 8 of a float. */
  bytes: number;
  isBigEndian: boolean;
  /** Whether integers of one byte have their zero at 0, as in AIFF, and not at 128, as in WAV. */
  isSigned: boolean;
}

const integer = (bytes: number, isBigEndian = false, isSigned = bytes > 1): PcmEncoding => ({
  kind: 'integer',
  bytes,
  isBigEndian,
  isSigned,
});
const float = (bytes: number, isBigEndian = false): PcmEncoding => ({
  kind: 'float',
  bytes,
  isBigEndian,
  isSigned: true,
});
const law = (kind: 'alaw' | 'ulaw'): PcmEncoding => ({ kind, bytes: 1, isBigEndian: false, isSigned: false });

/** Encodings by the names that codecs have in `Container.codec`. */
export const pcmEncodings: Readonly<Record<string, PcmEncoding>> = {
  'pcm-u8': integer(1),
  'pcm-s8': integer(1, false, true),
  'pcm-s16': integer(2),
  'pcm-s16be': integer(2, true),
  'pcm-s24': integer(3),
  'pcm-s24be': integer(3, true),
  'pcm-s32': integer(4),
  'pcm-s32be': integer(4, true),
  'pcm-f32': float(4),
  'pcm-f32be': float(4, true),
  'pcm-f64': float(8),
  'pcm-f64be': float(8, true),
  alaw: law('alaw'),
  ulaw: law('ulaw'),
};

/** The name of an encoding, as `pcm-s16be`; undefined for one that has none. */
export function nameOf(encoding: PcmEncoding): string | undefined {
  const isSame = (other: PcmEncoding): boolean =>
    other.kind === encoding.kind &&
    other.bytes === encoding.bytes &&
    (other.isSigned === encoding.isSigned || encoding.kind !== 'integer') &&
    (other.isBigEndian === encoding.isBigEndian || encoding.bytes === 1);
  return Object.entries(pcmEncodings).find(([, other]) => isSame(other))?.[0];
}

/**
 * Turns samples into those of a WAV: little-endian, and around 128 where they have one byte.
 * @returns the same bytes where they are so already, else a copy: those given may be kept by who read them
 */
export function toWavSamples(given: Buffer, { kind, bytes, isBigEndian, isSigned }: PcmEncoding): Buffer {
  const isShifted = kind === 'integer' && bytes === 1 && isSigned;
  if (!isBigEndian && !isShifted) return given;
  const samples = Buffer.from(given.subarray(0, given.length - (given.length % bytes)));
  if (isShifted) return samples.map((byte) => byte ^ 0x80) as Buffer;
  if (bytes === 2) return samples.swap16();
  if (bytes === 4) return samples.swap32();
  if (bytes === 8) return samples.swap64();
  for (let i = 0; i < samples.length; i += bytes) samples.subarray(i, i + bytes).reverse();
  return samples;
}

/** A function that gives the sample at a byte, from -1 to 1. */
export function sampleReader({
  kind,
  bytes,
  isBigEndian,
  isSigned,
}: PcmEncoding): (from: Buffer, at: number) => number {
  if (kind === 'ulaw') return (from, at) => ulawSample(from.readUInt8(at));
  if (kind === 'alaw') return (from, at) => alawSample(from.readUInt8(at));
  if (kind === 'float') return floatReader(bytes, isBigEndian);
  if (bytes === 1) return isSigned ? (from, at) => from.readInt8(at) / 128 : (from, at) => from.readUInt8(at) / 128 - 1;
  const scale = 2 ** (8 * bytes - 1);
  return isBigEndian
    ? (from, at) => from.readIntBE(at, bytes) / scale
    : (from, at) => from.readIntLE(at, bytes) / scale;
}

/** A function that gives the sample at a byte, of integers of up to three bytes, as a whole number around 0. */
export function integerReader({ bytes, isBigEndian, isSigned }: PcmEncoding): (from: Buffer, at: number) => number {
  if (bytes === 1) return isSigned ? (from, at) => from.readInt8(at) : (from, at) => from.readUInt8(at) - 128;
  if (bytes === 2) return isBigEndian ? (from, at) => from.readInt16BE(at) : (from, at) => from.readInt16LE(at);
  return isBigEndian ? (from, at) => from.readIntBE(at, bytes) : (from, at) => from.readIntLE(at, bytes);
}

function floatReader(bytes: number, isBigEndian: boolean): (from: Buffer, at: number) => number {
  const read = (from: Buffer, at: number): number => {
    if (bytes === 8) return isBigEndian ? from.readDoubleBE(at) : from.readDoubleLE(at);
    return isBigEndian ? from.readFloatBE(at) : from.readFloatLE(at);
  };
  return (from, at) => {
    const sample = read(from, at);
    return Number.isFinite(sample) ? sample : 0;
  };
}

/** ITU-T G.711: a sign, three bits of exponent and four of mantissa, with all bits turned round. */
function ulawSample(code: number): number {
  const bits = ~code;
  const magnitude = (((bits & 15) << 3) + 0x84) * 2 ** ((bits >> 4) & 7) - 0x84;
  return ((bits & 0x80) === 0 ? magnitude : -magnitude) / 32768;
}

/** ITU-T G.711, with each second bit turned round. */
function alawSample(code: number): number {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 15) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) * 2 ** (exponent - 1);
  return ((bits & 0x80) === 0 ? -magnitude : magnitude) / 32768;
}
