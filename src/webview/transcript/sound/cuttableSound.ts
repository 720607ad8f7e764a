/** A place in a file at which a piece may begin or end. */
export interface SoundCut {
  readonly at: number;
  /** Samples of each channel between here and the next place: no decoder makes more of those bytes. */
  readonly frames: number;
  /** The same by the file's own clock, where that is another number. */
  readonly played?: number;
}

/** A file whose sound can be decoded piece by piece. */
export interface CuttableSound {
  /** What has to stand before each piece. */
  readonly head: Uint8Array;
  readonly rate: number;
  readonly channels: number;
  /** The places in their order; the last one is the end. */
  readonly cuts: Iterable<SoundCut>;
}
