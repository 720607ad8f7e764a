import { ServiceError } from '../../../base/errors.ts';
import { type Container, promisedEnd } from '../container.ts';
import type { Loudness } from '../levels/level.ts';
import { pieceForms } from '../pieceForms.ts';
import type { SourceFile } from '../sourceFile.ts';
import { flacShare } from './flacShare.ts';
import { createLoudnessMeter } from './loudness.ts';
import { type PcmLayout, readLayout } from './pcmLayout.ts';

/** Bytes that are read in one go. */
const chunkSize = 256 * 1024;
/** The length of a piece's border in seconds: pieces begin at whole ones of these, so that each of them is the same for each limit. */
const borderSeconds = 0.01;

/** The share of its bytes that a recording may take as FLAC to be sent so. */
const worthwhile = 0.5;
/** How much more than the share of all a part may take. */
const uneven = 1.25;

/**
 * The sound of a WAV or AIFF: samples, of which any part can be read at once.
 * @param asSamples whether they stay samples, also where FLAC would be shorter
 * @throws ServiceError `not-audio`
 */
export async function openPcm(file: SourceFile, asSamples = false): Promise<Container> {
  return openSamples(file, await readLayout(file), asSamples);
}

/** The same where it is known where the samples stand. */
export async function openSamples(file: SourceFile, layout: PcmLayout, asSamples = false): Promise<Container> {
  const { encoding, codec, channels, sampleRate, dataAt, dataBytes, promisedBytes } = layout;
  const frameBytes = encoding.bytes * channels;
  const frames = dataBytes / frameBytes;
  const borderFrames = Math.max(1, Math.round(sampleRate * borderSeconds));
  const meter = createLoudnessMeter(encoding, channels, sampleRate);
  /** The first sample at a time or after it, for each channel. */
  const frameFrom = (time: number): number => Math.max(0, Math.min(frames, Math.ceil(time * sampleRate - 1e-3)));

  async function* packets(from: number, to: number, signal: AbortSignal) {
    const step = Math.max(1, Math.floor(chunkSize / frameBytes));
    const last = frameFrom(to);
    const memory = Buffer.allocUnsafe(step * frameBytes);
    for (let frame = frameFrom(from); frame < last; frame += step) {
      if (signal.aborted) throw new ServiceError('cancelled');
      const count = Math.min(step, last - frame);
      const bytes = await file.read(dataAt + frame * frameBytes, count * frameBytes, memory);
      yield { time: frame / sampleRate, duration: count / sampleRate, bytes };
    }
  }

  const sound = { encoding, channels, sampleRate, frames: Math.floor(frames) };
  const read = (frame: number, count: number): Promise<Buffer> =>
    file.read(dataAt + frame * frameBytes, count * frameBytes);
  const share = asSamples ? undefined : await flacShare(sound, read);
  const isHalved = share !== undefined && share <= worthwhile;
  // As many bytes as a frame may come to: parts of a recording are louder than others, and one that is too large is split again.
  const sentBytes = isHalved ? frameBytes * Math.min(1, share * uneven) : frameBytes;

  return {
    fileName: file.fileName,
    codec,
    channels,
    sampleRate,
    hasPictures: false,
    start: 0,
    end: frames / sampleRate,
    promised: promisedEnd(frames / sampleRate, promisedBytes / frameBytes / sampleRate),
    form: isHalved ? pieceForms.encodedFlac : pieceForms.wav,
    likelyShare: isHalved ? (frameBytes * share) / sentBytes : undefined,
    preRoll: 0,
    packetStart: (time) => {
      const frame = Math.max(0, Math.min(frames, Math.floor(time * sampleRate + 1e-3)));
      return (frame - (frame % borderFrames)) / sampleRate;
    },
    packetCount: (from, to) => Math.ceil((frameFrom(to) - frameFrom(from)) / borderFrames),
    byteCount: (from, to) => Math.ceil((frameFrom(to) - frameFrom(from)) * sentBytes),
    reach: (from, mostBytes) => Math.min(frames, frameFrom(from) + Math.floor(mostBytes / sentBytes)) / sampleRate,
    async levels(from, to, signal) {
      const found: Loudness[] = [];
      const step = meter.blockFrames * Math.max(1, Math.floor(chunkSize / frameBytes / meter.blockFrames));
      const last = frameFrom(to);
      const memory = Buffer.allocUnsafe(Math.max(0, Math.min(step, last - frameFrom(from))) * frameBytes);
      for (let frame = frameFrom(from); frame < last; frame += step) {
        if (signal.aborted) throw new ServiceError('cancelled');
        const count = Math.min(step, last - frame);
        const bytes = await file.read(dataAt + frame * frameBytes, count * frameBytes, memory);
        found.push(...meter.levels(bytes, frame / sampleRate));
      }
      return found;
    },
    packets,
    close: () => file.close(),
  };
}
