import {
  type AudioCodec,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import type { WritePackets } from './pieceFile.ts';
import { PieceTarget } from './pieceTarget.ts';

const formats: Readonly<Record<string, () => OutputFormat>> = {
  // The table of samples comes last, as in what a telephone records. Room for it at the start would be a tenth of the file.
  m4a: () => new Mp4OutputFormat({ fastStart: false }),
  ogg: () => new OggOutputFormat(),
  webm: () => new WebMOutputFormat(),
};

/** Writes packets as an M4A, Ogg or WebM; the first is heard at 0. */
export const writeMuxed: WritePackets = async (file, container, packets, { from }) => {
  const format = formats[container.form.extension]?.();
  if (format === undefined || container.config === undefined) throw new Error(`${container.codec} is not muxed.`);
  const output = new Output({ format, target: new PieceTarget(file) });
  const source = new EncodedAudioPacketSource(container.codec as AudioCodec);
  const decoderConfig = container.config;
  output.addAudioTrack(source, { decoderConfig });
  try {
    await output.start();
    makeRepeatable(output);
    for await (const { bytes, time, duration } of packets) {
      await source.add(new EncodedPacket(bytes, 'key', Math.max(0, time - from), duration), { decoderConfig });
    }
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  }
};

/**
 * The same packets make the same bytes, by which a piece that was sent is known again: what the library takes from the clock (the
 * date of an M4A) or from chance (the number of a stream in Ogg) is set to what never changes. It offers no option for either.
 */
function makeRepeatable(output: Output): void {
  const { _muxer: muxer } = output as unknown as {
    _muxer: { creationTime?: number; trackDatas?: { serialNumber?: number }[] };
  };
  if (muxer.creationTime !== undefined) muxer.creationTime = 0;
  for (const track of muxer.trackDatas ?? []) if (track.serialNumber !== undefined) track.serialNumber = 1;
}
