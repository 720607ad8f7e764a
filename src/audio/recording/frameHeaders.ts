/** The headers of formats that are nothing but frames, one after another: MP3, and AAC as ADTS. */
export interface FrameHeader {
  /** Bytes from this header to the next. */
  length: number;
  /** Bytes of the header itself, its checksum included. */
  headerLength: number;
  /** Samples for each channel that the frame holds. */
  samples: number;
  /** Samples a second. */
  rate: number;
  channels: number;
  /** What stays the same from frame to frame: a header of another kind is none. */
  kind: number;
}

/** Reads the header of a frame, or undefined where there is none. */
export type ReadHeader = (bytes: Buffer, at: number) => FrameHeader | undefined;

/** Bits per second of MPEG layer III in thousands, by index: version 1, then versions 2 and 2.5. */
const layer3Rates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
];
const mp3Rates = [44100, 48000, 32000];

/** MPEG audio, layer III, of any version (ISO 11172-3, 2.4.1.3). */
export function readMp3Header(bytes: Buffer, at: number): FrameHeader | undefined {
  if (at + 4 > bytes.length || bytes.readUInt16BE(at) < 0xffe0) return undefined;
  const [second, third, fourth] = [bytes.readUInt8(at + 1), bytes.readUInt8(at + 2), bytes.readUInt8(at + 3)];
  const version = (second >> 3) & 3;
  const rate1 = mp3Rates[(third >> 2) & 3];
  const kilobits = layer3Rates[version === 3 ? 0 : 1]?.[third >> 4] ?? 0;
  if (((second >> 1) & 3) !== 1 || version === 1 || rate1 === undefined || kilobits === 0) return undefined;
  const rate = rate1 / (version === 3 ? 1 : version === 2 ? 2 : 4);
  return {
    length: Math.floor(((version === 3 ? 144_000 : 72_000) * kilobits) / rate) + ((third >> 1) & 1),
    headerLength: (second & 1) === 0 ? 6 : 4,
    samples: version === 3 ? 1152 : 576,
    rate,
    channels: fourth >> 6 === 3 ? 1 : 2,
    // One of one channel after one of two is another sound, which the same decoder need not take.
    kind: ((second & 0xfe) << 8) | (third & 0x0c) | (fourth >> 6 === 3 ? 1 : 0),
  };
}

/** Bits per second of MPEG layer II, likewise. */
const layer2Rates = [
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
];

/** MPEG audio, layer II, of version 1 or 2, as broadcasters keep it. */
export function readMp2Header(bytes: Buffer, at: number): FrameHeader | undefined {
  if (at + 4 > bytes.length || bytes.readUInt16BE(at) < 0xffe0) return undefined;
  const [second, third, fourth] = [bytes.readUInt8(at + 1), bytes.readUInt8(at + 2), bytes.readUInt8(at + 3)];
  const version = (second >> 3) & 3;
  const rate1 = mp3Rates[(third >> 2) & 3];
  const kilobits = layer2Rates[version === 3 ? 0 : 1]?.[third >> 4] ?? 0;
  if (((second >> 1) & 3) !== 2 || version < 2 || rate1 === undefined || kilobits === 0) return undefined;
  const rate = rate1 / (version === 3 ? 1 : 2);
  return {
    length: Math.floor((144_000 * kilobits) / rate) + ((third >> 1) & 1),
    headerLength: (second & 1) === 0 ? 6 : 4,
    samples: 1152,
    rate,
    channels: fourth >> 6 === 3 ? 1 : 2,
    kind: ((second & 0xfe) << 8) | (third & 0x0c) | (fourth >> 6 === 3 ? 1 : 0),
  };
}

const adtsRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/** ADTS (ISO 14496-3, 1.A.2.2): layer 0 and a frame length of 13 bits. */
export function readAdtsHeader(bytes: Buffer, at: number): FrameHeader | undefined {
  if (at + 7 > bytes.length || (bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return undefined;
  const second = bytes.readUInt8(at + 2);
  const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
  const rate = adtsRates[(second >> 2) & 15];
  const headerLength = (bytes.readUInt8(at + 1) & 1) === 0 ? 9 : 7;
  if (rate === undefined || length <= headerLength) return undefined;
  const configuration = ((second & 1) << 2) | (bytes.readUInt8(at + 3) >> 6);
  return {
    length,
    headerLength,
    samples: 1024 * ((bytes.readUInt8(at + 6) & 3) + 1),
    rate,
    // Seven stands for eight channels.
    channels: configuration === 7 ? 8 : configuration,
    // Profile, rate and channels, as the configuration of a track has them.
    kind: ((second & 0xfd) << 8) | (bytes.readUInt8(at + 3) & 0xc0),
  };
}
