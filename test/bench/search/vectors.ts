/** Vectors with structure, the same in every run: 500 topics, and in each vector as much of its own as of its topic. */
export interface VectorSource {
  /** The next vector, in memory that the caller may keep. */
  next(): Float32Array;
  /** A question near this vector. */
  questionFor(vector: Float32Array): Float32Array;
}

export const dimensions = 1024;
const topics = 500;
const noiseLength = 1 << 22;

/** Numbers that look like chance, from 0 to before 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Normally distributed numbers (Box-Muller). */
export function createNoise(random: () => number, length: number): Float32Array {
  const noise = new Float32Array(length);
  for (let i = 0; i < length; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    noise[i] = radius * Math.cos(angle);
    noise[i + 1] = radius * Math.sin(angle);
  }
  return noise;
}

export function createVectors(seed: number): VectorSource {
  const random = createRandom(seed);
  const noise = createNoise(random, noiseLength);
  const someNoise = (): number => Math.floor(random() * (noiseLength - dimensions));
  const centres = Array.from({ length: topics }, () => createNoise(random, dimensions));
  return {
    next() {
      const centre = centres[Math.floor(random() * topics)] as Float32Array;
      const at = someNoise();
      const vector = new Float32Array(dimensions);
      for (let d = 0; d < dimensions; d++) vector[d] = 0.7 * ((centre[d] as number) + (noise[at + d] as number));
      return vector;
    },
    questionFor(vector) {
      const at = someNoise();
      return vector.map((value, d) => value + 0.7 * (noise[at + d] as number));
    },
  };
}

/** The same at length 1. Done a million times, so without a function for each number. */
export function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (let d = 0; d < vector.length; d++) sum += (vector[d] as number) ** 2;
  const factor = 1 / Math.sqrt(sum);
  const scaled = new Float32Array(vector.length);
  for (let d = 0; d < vector.length; d++) scaled[d] = (vector[d] as number) * factor;
  return scaled;
}

/** The part of the true nearest that was found, over all questions. */
export function recall(truth: readonly number[][], found: readonly number[][]): number {
  let hits = 0;
  let all = 0;
  for (const [index, places] of truth.entries()) {
    const set = new Set(found[index]);
    hits += places.filter((place) => set.has(place)).length;
    all += places.length;
  }
  return hits / all;
}
