/** Memory for samples, which each frame uses again. Typed arrays that are dropped are freed only when there are 64 MB of them. */
export interface SampleArrays {
  /** An array of this length, with what it last held. */
  take(length: number): Int32Array;
  /** The same for numbers that are not whole. */
  takeExact(length: number): Float64Array;
  /** What was taken may be taken again. */
  reuse(): void;
}

export function createSampleArrays(): SampleArrays {
  const whole = reused((length) => new Int32Array(length));
  const exact = reused((length) => new Float64Array(length));
  return {
    take: whole.take,
    takeExact: exact.take,
    reuse() {
      whole.reuse();
      exact.reuse();
    },
  };
}

function reused<T extends Int32Array | Float64Array>(create: (length: number) => T) {
  const arrays: T[] = [];
  let taken = 0;
  return {
    take(length: number): T {
      let array = arrays[taken];
      if (array === undefined || array.length < length) array = arrays[taken] = create(length);
      taken += 1;
      return array.length === length ? array : (array.subarray(0, length) as T);
    },
    reuse() {
      taken = 0;
    },
  };
}
