/** Reads whole numbers of some bits, the most significant first. Past the end it reads zeros. */
export interface BitReader {
  /** @param count at most 24 */
  read(count: number): number;
  skip(count: number): void;
  /** Skips to the next whole byte. */
  align(): void;
  /** Whether more was read than there is. */
  readonly isOver: boolean;
}

/** A class, as one is made for each of a hundred thousand frames: closures would take most of the time that their bits do. */
class ByteBits implements BitReader {
  readonly #bytes: Uint8Array;
  #position: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#position = at * 8;
  }

  read(count: number): number {
    const bytes = this.#bytes;
    const first = this.#position >> 3;
    const word =
      ((bytes[first] ?? 0) << 24) |
      ((bytes[first + 1] ?? 0) << 16) |
      ((bytes[first + 2] ?? 0) << 8) |
      (bytes[first + 3] ?? 0);
    const value = (word << (this.#position & 7)) >>> (32 - count);
    this.#position += count;
    return value;
  }

  skip(count: number): void {
    this.#position += count;
  }

  align(): void {
    this.#position = (this.#position + 7) & ~7;
  }

  get isOver(): boolean {
    return this.#position > this.#bytes.length * 8;
  }
}

/** @param at the first byte that is read */
export function createBitReader(bytes: Uint8Array, at = 0): BitReader {
  return new ByteBits(bytes, at);
}
