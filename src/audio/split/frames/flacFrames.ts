import { ServiceError } from '../../../base/errors.ts';
import { type FlacHeader, hasSoundChecksum, readFlacHeader } from '../flac/flacFrame.ts';
import { readStreamInfo, type StreamInfo } from '../flac/streamInfo.ts';
import { flacLevel } from '../levels/sizeLevel.ts';
import { pieceForms } from '../pieceForms.ts';
import { notAudio, type SourceFile } from '../sourceFile.ts';
import type { FrameFormat } from './frameContainer.ts';
import { type Frame, skipTags } from './readFrames.ts';

/** FLAC. @throws ServiceError `not-audio` */
export async function flacFormat(file: SourceFile): Promise<FrameFormat> {
  const { info, framesAt } = await readStreamInfo(file, await skipTags(file));
  if (info === undefined) throw notAudio(file.fileName);
  const { rate, channels, description } = info;
  return {
    codec: 'flac',
    form: pieceForms.flac,
    preRoll: 0,
    from: framesAt,
    seconds: info.samples > 0 ? info.samples / rate : undefined,
    read: (from, kind, signal) => readFlacFrames(file, info, { from, kind }, signal),
    soundOf: ({ bytes }) => bytes,
    level: (sound, { samples }) => flacLevel(sound.length, samples * channels),
    config: () => ({ codec: 'flac', sampleRate: rate, numberOfChannels: channels, description }),
  };
}

/** Bytes that are read beside the longest frame. */
const readAtOnce = 256 * 1024;

/**
 * Goes through the frames of FLAC. They do not say how long they are: one ends where the next begins, which is told from bytes
 * that only look like it by its number, or by the checksum of what lies before it. The library goes by the number alone, and
 * takes a file that was put together from two to end with the first.
 */
async function* readFlacFrames(
  file: SourceFile,
  { rate, channels, longestFrame }: StreamInfo,
  { from, kind }: { from: number; kind: number | undefined },
  signal: AbortSignal,
): AsyncGenerator<Frame[]> {
  // Frames are valid until the next are read.
  const memory = Buffer.allocUnsafe(readAtOnce + longestFrame);
  let known = kind;
  let position = from;
  for (let isLast = false; !isLast; ) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const block = await file.read(position, memory.length, memory);
    isLast = position + block.length >= file.size || block.length < memory.length;
    const frames: Frame[] = [];
    let at = 0;
    while (at < block.length) {
      const header = readFlacHeader(block, at);
      const end =
        header === undefined || (known !== undefined && header.kind !== known)
          ? undefined
          : findEnd(block, at, header, Math.min(block.length, at + longestFrame), isLast);
      if (header !== undefined && end !== undefined) {
        known ??= header.kind;
        const { samples, headerLength } = header;
        const length = end - at;
        const bytes = block.subarray(at, end);
        frames.push({
          bytes,
          at: position + at,
          header: { length, headerLength, samples, rate, channels, kind: known },
        });
        at = end;
        continue;
      }
      // A frame that may reach past the block is read again with the next one.
      if (!isLast && at + longestFrame > block.length) break;
      const next = block.indexOf(0xff, at + 1);
      at = next < 0 ? block.length : next;
    }
    yield frames;
    position += at;
  }
}

/** The end of a frame: where the next one begins, or the file ends, or the tag at its end begins. */
function findEnd(block: Buffer, at: number, header: FlacHeader, limit: number, isLast: boolean): number | undefined {
  const isWhole = (end: number): boolean => hasSoundChecksum(block.subarray(at, end));
  for (
    let end = block.indexOf(0xff, at + header.headerLength);
    end >= 0 && end < limit;
    end = block.indexOf(0xff, end + 1)
  ) {
    const next = readFlacHeader(block, end);
    if (next === undefined || next.kind !== header.kind) continue;
    if (next.number === header.next || isWhole(end)) return end;
  }
  if (!isLast) return undefined;
  for (const tag of ['TAG', 'ID3', 'APETAGEX']) {
    for (
      let end = block.indexOf(tag, at, 'latin1');
      end > at && end < limit;
      end = block.indexOf(tag, end + 1, 'latin1')
    )
      if (isWhole(end)) return end;
  }
  return isWhole(block.length) ? block.length : undefined;
}
