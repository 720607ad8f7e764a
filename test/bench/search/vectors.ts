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

export function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return vector.map((value) => value / length);
}

/** The `k` places of the nearest by cosine, found by looking at all: what recall is held against. All at length 1. */
export interface Exact {
  add(vector: Float32Array): void;
  nearest(): number[][];
}

export function createExact(questions: readonly Float32Array[], k: number): Exact {
  const best = questions.map(() => ({ cosines: new Float64Array(k).fill(-2), places: new Int32Array(k).fill(-1) }));
  let place = 0;
  return {
    add(vector) {
      for (const [index, question] of questions.entries()) {
        const cosine = dot(vector, question);
        const { cosines, places } = best[index] as { cosines: Float64Array; places: Int32Array };
        if (cosine <= (cosines[k - 1] as number)) continue;
        let at = k - 1;
        for (; at > 0 && cosine > (cosines[at - 1] as number); at--) {
          cosines[at] = cosines[at - 1] as number;
          places[at] = places[at - 1] as number;
        }
        cosines[at] = cosine;
        places[at] = place;
      }
      place++;
    },
    nearest: () => best.map(({ places }) => [...places]),
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let d = 0; d < a.length; d += 4) {
    s0 += (a[d] as number) * (b[d] as number);
    s1 += (a[d + 1] as number) * (b[d + 1] as number);
    s2 += (a[d + 2] as number) * (b[d + 2] as number);
    s3 += (a[d + 3] as number) * (b[d + 3] as number);
  }
  return s0 + s1 + s2 + s3;
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
