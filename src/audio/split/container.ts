import type { TrackInfo } from '../recording/trackInfo.ts';
import type { Loudness } from './levels/level.ts';
import type { PieceForm } from './pieceForms.ts';

/** Takes the share of a piece of work that is done, from 0 to 1. */
export type OnProgress = (share: number) => void;

/** What a recording holds between two times: one packet of its codec, or several that need not be told apart. */
export interface Packet {
  /** Start, in seconds from the start of the recording. */
  time: number;
  /** Length in seconds. */
  duration: number;
  /** Of plain samples they are valid only until the next packet is asked for. */
  bytes: Uint8Array;
}

/**
 * The sound of a recording, whatever it is in. Times are those of its packets, in seconds from the start of the recording; the
 * first may lie before 0 (what the codec needs to begin with) or after it (where pictures come first).
 */
export interface Container {
  readonly fileName: string;
  /** The codec, as `mp3`, `aac`, `opus`, `pcm-s16`. */
  readonly codec: string;
  readonly channels: number;
  /** Samples a second. */
  readonly sampleRate: number;
  /** What a decoder is told before the first packet, where it needs more than the packets. */
  readonly config?: AudioDecoderConfig;
  /** Whether there are pictures, which no piece gets. */
  readonly hasPictures: boolean;
  /** The tracks of sound, where there are several, and the number of the one that this is. */
  readonly tracks?: readonly TrackInfo[] | undefined;
  readonly track?: number | undefined;
  /** Start of the first packet and end of the last. */
  readonly start: number;
  readonly end: number;
  /** The end that the file promises, where it is cut off before it. */
  readonly promised?: number | undefined;
  /** Of a file that is nothing but frames: bytes of it between them and behind them, which are none. */
  readonly gap?: number | undefined;
  /** Bytes behind the end that nobody can make sense of. */
  readonly rest?: number | undefined;
  /** Of sounds of several kinds one after another, each. A piece is of one of them: no file can hold two. */
  readonly parts?: readonly Container[] | undefined;
  /** What a piece is written as. */
  readonly form: PieceForm;
  /** The share of `byteCount` that a piece is likely to have, where that is the most that it may have. */
  readonly likelyShare?: number | undefined;
  /** The seconds that a decoder needs before a place until what it gives is right. */
  readonly preRoll: number;
  /** The start of the packet that is heard at a time. */
  packetStart(time: number): number;
  /** Packets that start from one time on and before another. */
  packetCount(from: number, to: number): number;
  /** Bytes of those packets. */
  byteCount(from: number, to: number): number;
  /** The end of the packets that start at a time and have no more than so many bytes, and that many packets at most. */
  reach(from: number, mostBytes: number, bytesPerPacket: number): number;
  /** How loud it is between two times; undefined where that cannot be told. */
  levels(from: number, to: number, signal: AbortSignal): Promise<readonly Loudness[] | undefined>;
  /** The packets that start from one time on and before another. */
  packets(from: number, to: number, signal: AbortSignal): AsyncIterable<Packet>;
  close(): Promise<void>;
}

/** The end that a file promises, if it ends before that by more than its writer may have rounded; else undefined. */
export function promisedEnd(end: number, promised: number | undefined): number | undefined {
  return promised !== undefined && Number.isFinite(promised) && promised - end > Math.max(1, promised / 200)
    ? promised
    : undefined;
}

/** Bytes as Node reads them, in the same place of memory; none for undefined. */
export function bytesOf(source: AudioDecoderConfig['description']): Buffer {
  if (source === undefined) return Buffer.alloc(0);
  return ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
}
