import { ServiceError } from '../../../base/errors.ts';
import type { FrameHeader } from '../../recording/frameHeaders.ts';
import type { Container, OnProgress, Packet } from '../container.ts';
import { createPacketTable } from '../packets/packetTable.ts';
import { mostPackets, tableLookups } from '../packets/tableLookups.ts';
import type { PieceForm } from '../pieceForms.ts';
import { notAudio, type SourceFile } from '../sourceFile.ts';
import type { Frame } from './readFrames.ts';

/** A format that is nothing but frames, one after another. */
export interface FrameFormat {
  codec: string;
  form: PieceForm;
  preRoll: number;
  /** Where the frames begin in the file. */
  from: number;
  /**
   * Goes through the frames in order, some at a time, from a place where one begins.
   * @param kind of the frames; undefined takes that of the first
   */
  read(from: number, kind: number | undefined, signal: AbortSignal): AsyncIterable<readonly Frame[]>;
  /** What a frame holds for a decoder. */
  soundOf(frame: Frame): Buffer;
  /** How loud a frame is, in decibels. */
  level(sound: Buffer, header: FrameHeader): number | undefined;
  /** What a decoder is told before the first frame. */
  config?(first: FrameHeader): AudioDecoderConfig;
  /** Whether a frame can be copied as one packet. */
  isPacket?(header: FrameHeader): boolean;
  /** Of a first frame that holds no sound: the seconds that are not meant to be heard. */
  lead?(frame: Frame): number | undefined;
}

/** Frames from one whose place in the file is kept to the next. */
const markedEvery = 256;

/**
 * The sound of a file of frames, which are found by going from one to the next. A library that would do it keeps an object for
 * each, a hundred megabytes for ten hours.
 * @throws ServiceError `not-audio`, `cancelled`
 */
export async function openFrames(
  file: SourceFile,
  format: FrameFormat,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Container> {
  const { codec, form, preRoll, soundOf, level } = format;
  const table = createPacketTable(mostPackets, () => notAudio(file.fileName));
  const marks: number[] = [];
  let first: FrameHeader | undefined;
  let time = 0;
  for await (const frames of format.read(format.from, undefined, signal)) {
    for (const frame of frames) {
      const { header } = frame;
      if (format.isPacket?.(header) === false) throw notAudio(file.fileName, codec);
      const lead = first === undefined ? format.lead?.(frame) : undefined;
      if (lead !== undefined) {
        time = -lead;
        continue;
      }
      first ??= header;
      const seconds = header.samples / header.rate;
      const sound = soundOf(frame);
      if (table.count % markedEvery === 0) marks.push(frame.at);
      table.push(time, seconds, sound.length, level(sound, header) ?? Number.NaN);
      time += seconds;
    }
    onProgress((frames.at(-1)?.at ?? 0) / file.size);
  }
  if (first === undefined) throw notAudio(file.fileName);
  const { kind, rate, channels } = first;

  async function* packets(start: number, end: number, stop: AbortSignal): AsyncGenerator<Packet> {
    const first = table.indexFrom(start);
    const last = table.indexFrom(end);
    const mark = Math.floor(first / markedEvery);
    let index = mark * markedEvery;
    for await (const frames of format.read(marks[mark] ?? format.from, kind, stop)) {
      for (const frame of frames) {
        if (index >= last) return;
        const time = table.time(index);
        if (index >= first) yield { time, duration: table.time(index + 1) - time, bytes: soundOf(frame) };
        index += 1;
      }
    }
    // The file is shorter by now.
    if (index < last) throw new ServiceError('file-missing', { hint: file.fileName, param: 'unreadable' });
  }

  return {
    fileName: file.fileName,
    codec,
    channels,
    sampleRate: rate,
    ...(format.config === undefined ? {} : { config: format.config(first) }),
    hasPictures: false,
    form,
    preRoll,
    ...tableLookups(table),
    packets,
    close: () => file.close(),
  };
}
