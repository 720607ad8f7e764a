import { ServiceError } from '../../../base/errors.ts';
import type { FrameHeader } from '../../recording/frameHeaders.ts';
import { type Container, type OnProgress, type Packet, promisedEnd } from '../container.ts';
import { joinContainers } from '../packets/joinContainers.ts';
import { createPacketTable, type PacketTable } from '../packets/packetTable.ts';
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
  /** Of a frame that holds no sound: the seconds after it that are not meant to be heard, and how many there are, where it says so. */
  info?(frame: Frame): { lead: number; seconds?: number } | undefined;
  /** The seconds that the file promises. */
  seconds?: number | undefined;
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
  const { soundOf, level } = format;
  const runs: Run[] = [];
  let run: Run | undefined;
  let time = 0;
  let promised: number | undefined;
  let gap = file.size - format.from;
  for await (const frames of format.read(format.from, undefined, signal)) {
    for (const frame of frames) {
      const { header } = frame;
      if (format.isPacket?.(header) === false) throw notAudio(file.fileName, format.codec);
      gap -= frame.bytes.length;
      const info = format.info?.(frame);
      if (info !== undefined) {
        // Players leave out what the encoder put before the first sound.
        if (run === undefined) time = -info.lead;
        if (run === undefined && info.seconds !== undefined) promised = info.seconds - info.lead;
        continue;
      }
      if (run?.first.kind !== header.kind) {
        run = { first: header, marks: [], table: createPacketTable(mostPackets, () => notAudio(file.fileName)) };
        runs.push(run);
        if (runs.length > mostRuns) throw notAudio(file.fileName);
      }
      const { table, marks } = run;
      const seconds = header.samples / header.rate;
      const sound = soundOf(frame);
      if (table.count % markedEvery === 0) marks.push(frame.at);
      table.push(time, seconds, sound.length, level(sound, header) ?? Number.NaN);
      time += seconds;
    }
    onProgress((frames.at(-1)?.at ?? 0) / file.size);
  }
  const [first, ...others] = runs.map((each) => containerOf(file, format, each));
  if (first === undefined) throw notAudio(file.fileName);
  const sound = joinContainers([first, ...others], () => file.close());
  return { ...sound, gap, promised: promisedEnd(sound.end, promised ?? format.seconds) };
}

/** Frames of one kind, one after another. */
interface Run {
  first: FrameHeader;
  table: PacketTable;
  /** Places in the file of one frame in so many. */
  marks: number[];
}

/** The most runs; nobody joins as many. */
const mostRuns = 300;

function containerOf(file: SourceFile, format: FrameFormat, { first, table, marks }: Run): Container {
  const { codec, form, preRoll, soundOf } = format;
  const { kind, rate, channels } = first;

  async function* packets(start: number, end: number, stop: AbortSignal): AsyncGenerator<Packet> {
    const first = table.indexFrom(start);
    const last = table.indexFrom(end);
    const mark = Math.floor(first / markedEvery);
    let index = mark * markedEvery;
    for await (const frames of format.read(marks[mark] ?? format.from, kind, stop)) {
      for (const frame of frames) {
        if (index >= last) return;
        if (format.info?.(frame) !== undefined) continue;
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
