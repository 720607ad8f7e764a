import type { Scans } from './scans.ts';

/** The scans of kernel.wat in plain JavaScript, for machines whose WebAssembly has no SIMD. */
export function createPlainScans(memory: WebAssembly.Memory): Scans {
  return {
    hamming(bits, count, stride, query, out) {
      const words = stride / 4;
      const rows = new Uint32Array(memory.buffer, bits, count * words);
      const wanted = new Uint32Array(memory.buffer, query, words);
      const distances = new Uint16Array(memory.buffer, out, count);
      for (let row = 0, at = 0; row < count; row++) {
        let distance = 0;
        for (let word = 0; word < words; word++, at++) {
          distance += countBits((rows[at] as number) ^ (wanted[word] as number));
        }
        distances[row] = distance;
      }
    },
    weigh(bits, places, count, stride, planes, out) {
      const words = stride / 4;
      const rows = new Int32Array(memory.buffer, bits);
      const wanted = new Int32Array(memory.buffer, planes, words * 4);
      const chosen = new Uint32Array(memory.buffer, places, count);
      const distances = new Uint16Array(memory.buffer, out, count);
      for (let i = 0; i < count; i++) {
        const row = (chosen[i] as number) * words;
        let distance = 0;
        for (let plane = 0, at = 0; plane < 4; plane++) {
          distance *= 2;
          for (let word = 0; word < words; word++, at++) {
            distance += countBits((rows[row + word] as number) ^ (wanted[at] as number));
          }
        }
        distances[i] = distance;
      }
    },
    tally(distances, count, mask, counts) {
      const all = new Uint16Array(memory.buffer, distances, count);
      const allowed = new Uint8Array(memory.buffer, mask, count);
      const tallies = new Uint32Array(memory.buffer, counts);
      for (let i = 0; i < count; i++) {
        if (allowed[i]) {
          const distance = all[i] as number;
          tallies[distance] = (tallies[distance] as number) + 1;
        } else all[i] = 65_535;
      }
    },
    collect(distances, count, limit, ties, out) {
      const all = new Uint16Array(memory.buffer, distances, count);
      const places = new Uint32Array(memory.buffer, out);
      let found = 0;
      let left = ties;
      for (let i = 0; i < count; i++) {
        const distance = all[i] as number;
        if (distance < limit || (distance === limit && left-- > 0)) places[found++] = i;
      }
      return found;
    },
    dots(values, count, stride, query, out) {
      const rows = new Int8Array(memory.buffer, values, count * stride);
      const wanted = new Int16Array(memory.buffer, query, stride);
      const sums = new Int32Array(memory.buffer, out, count);
      for (let row = 0, at = 0; row < count; row++) {
        let sum = 0;
        for (let i = 0; i < stride; i++, at++) sum += (rows[at] as number) * (wanted[i] as number);
        sums[row] = sum;
      }
    },
  };
}

/** Set bits of a 32-bit word (Hacker's Delight, 5-1). */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
