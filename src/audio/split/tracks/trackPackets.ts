import type { EncodedPacket, EncodedPacketSink } from 'mediabunny';
import { ServiceError } from '../../../base/errors.ts';
import type { OnProgress } from '../container.ts';
import { createPacketTable, type PacketTable } from '../packets/packetTable.ts';
import { longestSound, mostPackets } from '../packets/tableLookups.ts';
import { notAudio, type SourceFile } from '../sourceFile.ts';
import type { LevelOf } from './trackLevels.ts';

export interface TableSource {
  sink: EncodedPacketSink;
  file: SourceFile;
  levelOf: LevelOf;
  /** Takes packets to begin with, where there is no other way to find one. */
  marks: EncodedPacket[] | undefined;
  onProgress: OnProgress;
  signal: AbortSignal;
}

/** Packets from one that is kept, to begin with, to the next. */
const markedEvery = 4_096;

/**
 * Finds a packet by its number. It is sought by its time where the container has times; Ogg has only those at the ends of pages,
 * which after a loss are others than those of the packets counted one by one, so that there the way begins at a mark.
 */
export async function seekPacket(
  { sink, table, marks }: { sink: EncodedPacketSink; table: PacketTable; marks: EncodedPacket[] | undefined },
  index: number,
  signal: AbortSignal,
): Promise<EncodedPacket | null> {
  if (marks === undefined) {
    // The middle of the packet: its start may be rounded another way.
    const found = await sink.getPacket((table.time(index) + table.time(index + 1)) / 2);
    if (found !== null && Math.abs(found.timestamp - table.time(index)) < sameTime) return found;
  }
  const mark = marks === undefined ? 0 : Math.floor((index - 1) / markedEvery);
  let at = Math.max(0, mark * markedEvery);
  let packet = at === 0 ? await sink.getFirstPacket() : (marks?.[mark] ?? null);
  for (; packet !== null && at < index; at++) {
    if (signal.aborted) throw new ServiceError('cancelled');
    packet = await sink.getNextPacket(packet, { metadataOnly: at + 1 < index });
  }
  return packet;
}

/** Times that are nearer than this are the same. */
const sameTime = 1e-4;

/** Looks at all packets. @throws ServiceError `not-audio` where there is none */
export async function readTable({ sink, file, levelOf, marks, onProgress, signal }: TableSource): Promise<PacketTable> {
  const table = createPacketTable(mostPackets, () => notAudio(file.fileName));
  const options = { metadataOnly: levelOf.ofPacket === undefined };
  let read = 0;
  let before: EncodedPacket | null = null;
  let seconds = 0;
  for (let packet = await sink.getFirstPacket(options); ; packet = await sink.getNextPacket(before, options)) {
    if (signal.aborted) throw new ServiceError('cancelled');
    if (before !== null) {
      // Some containers do not say how long a packet is; then it goes on until the next one, and the last is as long as others.
      const given = before.duration > 0 ? before.duration : (packet?.timestamp ?? Number.NaN) - before.timestamp;
      seconds = given > 0 ? given : seconds;
      table.push(before.timestamp, seconds, before.byteLength, levelOf.ofPacket?.(before) ?? Number.NaN);
      read += before.byteLength;
    }
    if (packet === null) break;
    if (!(Math.abs(packet.timestamp + packet.duration) < longestSound)) throw notAudio(file.fileName);
    onProgress(Math.min(1, read / file.size));
    if (table.count % markedEvery === 0) marks?.push(packet);
    before = packet;
  }
  if (table.count === 0) throw notAudio(file.fileName);
  return table;
}
