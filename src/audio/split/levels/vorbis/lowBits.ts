/** Reads whole numbers of some bits, the least significant first, as Vorbis has them. Past the end it reads zeros. */
export interface LowBitReader {
  /** @param count at most 32 */
  read(count: number): number;
  skip(count: number): void;
  /** Whether more was read than there is. */
  readonly isOver: boolean;
}

export function createLowBitReader(bytes: Uint8Array): LowBitReader {
  let position = 0;
  return {
    read(count) {
      let value = 0;
      for (let done = 0; done < count; ) {
        const inByte = position & 7;
        const taken = Math.min(8 - inByte, count - done);
        const part = ((bytes[position >> 3] ?? 0) >> inByte) & ((1 << taken) - 1);
        value += part * 2 ** done;
        done += taken;
        position += taken;
      }
      return value;
    },
    skip(count) {
      position += count;
    },
    get isOver() {
      return position > bytes.length * 8;
    },
  };
}

/** The number of bits that a whole number takes. */
export const bitLength = (value: number): number => (value <= 0 ? 0 : 32 - Math.clz32(value));
