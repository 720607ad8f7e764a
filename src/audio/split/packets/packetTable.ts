/** The packets of a recording in the order of their times, in as little memory as they need: 20 bytes each. */
export interface PacketTable {
  readonly count: number;
  /** End of the last packet, in seconds. */
  readonly end: number;
  /** Sum of the bytes of all packets. */
  readonly bytes: number;
  /** @param level in decibels; not a number where it is not known */
  push(time: number, duration: number, bytes: number, level: number): void;
  /** Start of a packet; `end` for the one after the last. */
  time(index: number): number;
  /** Bytes of all packets before one. */
  bytesBefore(index: number): number;
  level(index: number): number;
  /** The first packet that starts at a time or after it; `count` where there is none. */
  indexFrom(time: number): number;
}

/** Packets whose numbers lie in one piece of memory: the table grows without being copied. */
const blockSize = 1 << 14;
/** Two times that are nearer than this are the same: half a sample at any rate. */
const sameTime = 1e-6;

/** @param mostPackets more are refused, by an error of `refuse` */
export function createPacketTable(mostPackets: number, refuse: () => Error): PacketTable {
  const times: Float64Array[] = [];
  const offsets: Float64Array[] = [];
  const levels: Float32Array[] = [];
  let count = 0;
  let end = Number.NEGATIVE_INFINITY;
  let total = 0;
  const time = (index: number): number =>
    index < count ? (times[index >> 14]?.[index & (blockSize - 1)] ?? end) : end;
  return {
    get count() {
      return count;
    },
    get end() {
      return end;
    },
    get bytes() {
      return total;
    },
    push(start, duration, bytes, level) {
      if (count >= mostPackets) throw refuse();
      const [block, place] = [count >> 14, count & (blockSize - 1)];
      if (place === 0) {
        times.push(new Float64Array(blockSize));
        offsets.push(new Float64Array(blockSize));
        levels.push(new Float32Array(blockSize));
      }
      // A packet that starts before the one before it is damaged; it is heard after that one.
      const known = count === 0 ? start : Math.max(start, time(count - 1));
      (times[block] as Float64Array)[place] = known;
      (offsets[block] as Float64Array)[place] = total;
      (levels[block] as Float32Array)[place] = level;
      count += 1;
      total += bytes;
      end = Math.max(end, known + duration);
    },
    time,
    bytesBefore: (index) => (index < count ? (offsets[index >> 14]?.[index & (blockSize - 1)] ?? total) : total),
    level: (index) => levels[index >> 14]?.[index & (blockSize - 1)] ?? Number.NaN,
    indexFrom(wanted) {
      let [low, high] = [0, count];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (time(middle) < wanted - sameTime) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
