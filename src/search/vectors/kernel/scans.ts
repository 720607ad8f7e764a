/** The scans over vectors. All addresses are byte offsets into the kernel's memory, multiples of 16. */
export interface Scans {
  /** Hamming distance of the query to `count` vectors of sign bits, `stride` bytes each, as u16 at `out`. */
  hamming(bits: number, count: number, stride: number, query: number, out: number): void;
  /**
   * Distance of a query of four bits a dimension to the sign bits of the rows at `places` (u32), as u16 at `out`: the Hamming
   * distances to its four planes, `stride` bytes each, by weight 8, 4, 2 and 1.
   */
  weigh(bits: number, places: number, count: number, stride: number, planes: number, out: number): void;
  /**
   * How many distances there are of each value, added to the u32 at `counts`. One whose byte at `mask` is 0 becomes 65535
   * and is not counted.
   */
  tally(distances: number, count: number, mask: number, counts: number): void;
  /** Places of all distances below `limit` and of the first `ties` that equal it, in order, as u32 at `out`; gives how many. */
  collect(distances: number, count: number, limit: number, ties: number, out: number): number;
  /** Dot product of the query (i16) with `count` vectors of signed bytes, `stride` bytes each, as i32 at `out`. */
  dots(values: number, count: number, stride: number, query: number, out: number): void;
}
