import { ServiceError } from '../../../base/errors.ts';
import type { Container, OnProgress, Packet } from '../container.ts';
import { aacLevel } from '../levels/aacLevel.ts';
import { type CafDescription, cafLayout, readCaf } from '../pcm/cafChunks.ts';
import { openSamples } from '../pcm/pcmContainer.ts';
import { within } from '../pcm/pcmLayout.ts';
import { pieceForms } from '../pieceForms.ts';
import { notAudio, type SourceFile } from '../sourceFile.ts';
import { createPacketTable } from './packetTable.ts';
import { mostPackets, tableLookups } from './tableLookups.ts';

/** Bytes that are read in one go; the longest packet of AAC is a hundredth. */
const blockSize = 256 * 1024;

/**
 * The sound of a Core Audio file: plain samples, or packets of AAC, whose lengths stand in a table.
 * @throws ServiceError `not-audio`, with the codec for all others
 */
export async function openCaf(
  file: SourceFile,
  asSamples: boolean | undefined,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Container> {
  const described = await readCaf(file);
  if (described.format === 'aac ') return openAac(file, described, onProgress, signal);
  const layout = cafLayout(described);
  if (typeof layout === 'string') throw notAudio(file.fileName, layout);
  return openSamples(file, within(layout, file), asSamples);
}

async function openAac(
  file: SourceFile,
  { rate, channels, samplesPerPacket, chunks }: CafDescription,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Container> {
  const [data, table, cookie] = [chunks.get('data'), chunks.get('pakt'), chunks.get('kuki')];
  if (data === undefined || table === undefined || cookie === undefined || samplesPerPacket === 0 || rate === 0) {
    throw notAudio(file.fileName, data !== undefined && table === undefined ? 'cut' : undefined);
  }
  const config = configIn(await file.read(cookie.at, cookie.length));
  if (config === undefined) throw notAudio(file.fileName, 'aac');
  const sizes = await readSizes(file, table);
  const dataAt = data.at + 4;
  const packetTable = createPacketTable(mostPackets, () => notAudio(file.fileName));
  const seconds = samplesPerPacket / rate;
  let place = dataAt;
  let block: { at: number; bytes: Buffer } = { at: dataAt, bytes: Buffer.alloc(0) };
  for (const [i, size] of sizes.entries()) {
    if (signal.aborted) throw new ServiceError('cancelled');
    if (place + size > Math.min(file.size, data.at + data.length)) break;
    if (place + size > block.at + block.bytes.length) block = { at: place, bytes: await file.read(place, blockSize) };
    const packet = block.bytes.subarray(place - block.at, place - block.at + size);
    packetTable.push(i * seconds, seconds, size, aacLevel(packet) ?? Number.NaN);
    place += size;
    if (i % 1_000 === 0) onProgress(place / file.size);
  }
  if (packetTable.count === 0) throw notAudio(file.fileName);

  async function* packets(from: number, to: number, stop: AbortSignal): AsyncGenerator<Packet> {
    const last = packetTable.indexFrom(to);
    for (let i = packetTable.indexFrom(from); i < last; i++) {
      if (stop.aborted) throw new ServiceError('cancelled');
      const at = packetTable.bytesBefore(i);
      const bytes = await file.read(dataAt + at, packetTable.bytesBefore(i + 1) - at);
      yield { time: packetTable.time(i), duration: packetTable.time(i + 1) - packetTable.time(i), bytes };
    }
  }

  return {
    fileName: file.fileName,
    codec: 'aac',
    channels,
    sampleRate: rate,
    config: {
      codec: `mp4a.40.${(config[0] ?? 0) >> 3}`,
      sampleRate: rate,
      numberOfChannels: channels,
      description: Buffer.from(config),
    },
    hasPictures: false,
    form: pieceForms.m4a,
    preRoll: 0.05,
    ...tableLookups(packetTable),
    packets,
    close: () => file.close(),
  };
}

/** The lengths of packets, seven bits in a byte, the first bit of each telling whether another one follows. */
async function readSizes(file: SourceFile, { at, length }: { at: number; length: number }): Promise<number[]> {
  const bytes = await file.read(at, length);
  if (bytes.length < 24) return [];
  const count = Math.min(Number(bytes.readBigInt64BE(0)), mostPackets);
  const sizes: number[] = [];
  let size = 0;
  for (let i = 24; i < bytes.length && sizes.length < count; i++) {
    const byte = bytes[i] ?? 0;
    size = (size * 128 + (byte & 0x7f)) % 2 ** 31;
    if (byte >= 0x80) continue;
    sizes.push(size);
    size = 0;
  }
  return sizes;
}

/** What a decoder of AAC is told: the last descriptor within the others of the cookie (ISO 14496-1, 7.2.6), or the cookie itself. */
function configIn(cookie: Buffer): Buffer | undefined {
  if (cookie.length > 0 && cookie.length <= 8) return cookie;
  for (let at = cookie.indexOf(5); at >= 0; at = cookie.indexOf(5, at + 1)) {
    let place = at + 1;
    let length = 0;
    for (; place < at + 5; place++) {
      length = length * 128 + ((cookie[place] ?? 0) & 0x7f);
      if ((cookie[place] ?? 0) < 0x80) break;
    }
    const config = cookie.subarray(place + 1, place + 1 + length);
    if (length >= 2 && length <= 64 && config.length === length && (config[0] ?? 0) >> 3 > 0) return config;
  }
  return undefined;
}
