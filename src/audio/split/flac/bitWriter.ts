/** Writes whole numbers of some bits, the highest bit first, into memory that grows. */
export interface BitWriter {
  /** The lowest `bits` of a number, 0 to 32. */
  put(value: number, bits: number): void;
  /** So many zeros, and a one. */
  putUnary(zeros: number): void;
  /** Zeros up to the next whole byte. */
  align(): void;
  /** The bytes so far, of whole bytes alone; they are valid until more is written. */
  bytes(): Uint8Array;
  clear(): void;
}

export function createBitWriter(): BitWriter {
  let memory = new Uint8Array(4_096);
  let length = 0;
  /** Bits that make no whole byte yet, and how many they are. */
  let [rest, held] = [0, 0];

  function push(byte: number): void {
    if (length === memory.length) {
      const larger = new Uint8Array(length * 2);
      larger.set(memory);
      memory = larger;
    }
    memory[length++] = byte;
  }

  function put(value: number, bits: number): void {
    let left = bits;
    while (left > 0) {
      const taken = Math.min(left, 8 - held);
      const part = (value >>> (left - taken)) & ((1 << taken) - 1);
      rest = (rest << taken) | part;
      held += taken;
      left -= taken;
      if (held < 8) continue;
      push(rest);
      [rest, held] = [0, 0];
    }
  }

  return {
    put,
    putUnary(zeros) {
      let left = zeros;
      for (; left >= 31; left -= 31) put(0, 31);
      put(1, left + 1);
    },
    align() {
      if (held > 0) put(0, 8 - held);
    },
    bytes: () => memory.subarray(0, length),
    clear() {
      length = 0;
      [rest, held] = [0, 0];
    },
  };
}
