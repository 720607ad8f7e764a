/**
 * A cache of verified rows of values, used while the rows of all slots would fit: it takes a tenth of the time of a
 * file read. A slot is written once, so a row never changes. For a larger index nothing is cached.
 */
export interface RowCache {
  /** Copies the row of a slot to this place in `target` and returns its scale; undefined when it is not cached. */
  read(slot: number, target: Uint8Array, at: number): number | undefined;
  keep(slot: number, scale: number, row: Uint8Array): void;
}

const mostBytes = 128 * 1024 ** 2;
/** Slots per block of memory. */
const blockSlots = 4_096;

interface Block {
  /** 0 marks a missing row: no vector has this scale. */
  scales: Float32Array;
  rows: Uint8Array;
}

/** @param stride bytes of a row. @param slots their number so far. @param limit in bytes */
export function createRowCache(stride: number, slots: number, limit = mostBytes): RowCache {
  const mostSlots = Math.floor(limit / stride);
  let blocks: Block[] | undefined = slots > mostSlots ? undefined : [];
  return {
    read(slot, target, at) {
      const block = blocks?.[Math.floor(slot / blockSlots)];
      const index = slot % blockSlots;
      const scale = block?.scales[index];
      if (block === undefined || !scale) return undefined;
      target.set(block.rows.subarray(index * stride, (index + 1) * stride), at);
      return scale;
    },
    keep(slot, scale, row) {
      if (slot >= mostSlots) blocks = undefined;
      if (blocks === undefined) return;
      const place = Math.floor(slot / blockSlots);
      blocks[place] ??= { scales: new Float32Array(blockSlots), rows: new Uint8Array(blockSlots * stride) };
      const block = blocks[place];
      block.scales[slot % blockSlots] = scale;
      block.rows.set(row, (slot % blockSlots) * stride);
    },
  };
}
