import type { Container } from '../container.ts';
import type { Loudness } from '../levels/level.ts';
import type { PacketTable } from './packetTable.ts';

/** The most packets of a recording: more than a day of the shortest that are in use. */
export const mostPackets = 6_000_000;
/** The longest recording, in seconds: a week. Times after it are damaged. */
export const longestSound = 7 * 24 * 3600;

/** Seconds between two levels that are told from the lengths of packets, and those that each looks at. */
const [lengthStep, lengthSpan] = [0.04, 0.12];

/**
 * What a container says of its packets, for one that has looked at all of them.
 * @param levelOfLength tells the loudness from the length of packets, where they do not say it themselves: in decibels, from their
 * bytes and seconds
 */
export function tableLookups(
  table: PacketTable,
  levelOfLength?: (bytes: number, seconds: number) => number,
): Pick<Container, 'start' | 'end' | 'packetStart' | 'packetCount' | 'byteCount' | 'reach' | 'levels'> {
  return {
    start: table.time(0),
    end: table.end,
    packetStart(time) {
      const index = table.indexFrom(time);
      // The packet that starts right there, or the one before.
      return table.time(index) <= time + 1e-6 ? table.time(index) : table.time(Math.max(0, index - 1));
    },
    packetCount: (from, to) => Math.max(0, table.indexFrom(to) - table.indexFrom(from)),
    byteCount: (from, to) =>
      Math.max(0, table.bytesBefore(table.indexFrom(to)) - table.bytesBefore(table.indexFrom(from))),
    reach(from, mostBytes, bytesPerPacket) {
      const first = table.indexFrom(from);
      const weight = (index: number): number =>
        table.bytesBefore(index) - table.bytesBefore(first) + (index - first) * bytesPerPacket;
      let [low, high] = [first, table.count];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (weight(middle) <= mostBytes) low = middle;
        else high = middle - 1;
      }
      return table.time(low);
    },
    levels: async (from, to) => {
      const levels =
        levelOfLength === undefined ? ownLevels(table, from, to) : lengthLevels(table, from, to, levelOfLength);
      return levels.length === 0 ? undefined : levels;
    },
  };
}

function ownLevels(table: PacketTable, from: number, to: number): Loudness[] {
  const levels: Loudness[] = [];
  const last = table.indexFrom(to);
  for (let i = table.indexFrom(from); i < last; i++) {
    const decibels = table.level(i);
    if (!Number.isNaN(decibels)) levels.push({ start: table.time(i), end: table.time(i + 1), decibels });
  }
  return levels;
}

/** Packets differ in what they take for the same sound, long ones of Vorbis from short ones: several are weighed together. */
function lengthLevels(
  table: PacketTable,
  from: number,
  to: number,
  levelOfLength: (bytes: number, seconds: number) => number,
): Loudness[] {
  const levels: Loudness[] = [];
  for (let start = from; start < to; start += lengthStep) {
    const middle = start + lengthStep / 2;
    const [first, last] = [table.indexFrom(middle - lengthSpan / 2), table.indexFrom(middle + lengthSpan / 2)];
    const seconds = table.time(last) - table.time(first);
    const decibels = levelOfLength(table.bytesBefore(last) - table.bytesBefore(first), seconds);
    if (!Number.isNaN(decibels)) levels.push({ start, end: Math.min(to, start + lengthStep), decibels });
  }
  return levels;
}
