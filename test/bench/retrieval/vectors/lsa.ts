import { createNoise, createRandom, unit } from '../../search/vectors.ts';

/** Vectors of documents, and of questions in the same space, each of length 1. */
export interface Lsa {
  readonly documents: readonly Float32Array[];
  query(words: readonly string[]): Float32Array;
}

const most = { dimensions: 100, iterations: 4 } as const;
/** A word of fewer documents joins none with another. */
const leastDocuments = 2;

type Sparse = readonly (readonly [word: number, weight: number])[];

/**
 * Latent semantic analysis (Deerwester et al., JASIS 1990) of documents: tf-idf, and of its matrix the dimensions that matter most,
 * by subspace iteration from a random start (Halko, Martinsson and Tropp, SIAM Review 2011).
 */
export function createLsa(documents: readonly (readonly string[])[]): Lsa {
  const inDocuments = new Map<string, number>();
  for (const words of documents) {
    for (const word of new Set(words)) inDocuments.set(word, (inDocuments.get(word) ?? 0) + 1);
  }
  const vocabulary = new Map<string, { at: number; idf: number }>();
  for (const [word, count] of inDocuments) {
    if (count < leastDocuments) continue;
    vocabulary.set(word, { at: vocabulary.size, idf: Math.log(documents.length / count) });
  }
  function weigh(words: readonly string[]): Sparse {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const weights = [...counts].flatMap(([word, count]): [number, number][] => {
      const known = vocabulary.get(word);
      return known === undefined ? [] : [[known.at, (1 + Math.log(count)) * known.idf]];
    });
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
    return weights.map(([at, weight]) => [at, weight / length]);
  }
  const matrix = documents.map(weigh);
  const size = Math.min(most.dimensions, documents.length, vocabulary.size);
  const random = createRandom(1);
  let basis: Float32Array[] = Array.from({ length: vocabulary.size }, () =>
    createNoise(random, size + (size % 2)).slice(0, size),
  );
  for (let round = 0; round < most.iterations; round++) {
    const next = basis.map((row) => new Float32Array(row.length));
    for (const row of matrix) {
      const seen = project(row, basis, size);
      for (const [word, weight] of row) addTo(next[word] as Float32Array, seen, weight);
    }
    basis = orthonormal(next, size);
  }
  return {
    documents: matrix.map((row) => unitOrZero(project(row, basis, size))),
    query: (words) => unitOrZero(project(weigh(words), basis, size)),
  };
}

function project(row: Sparse, basis: readonly Float32Array[], size: number): Float32Array {
  const sum = new Float32Array(size);
  for (const [word, weight] of row) addTo(sum, basis[word] as Float32Array, weight);
  return sum;
}

function addTo(sum: Float32Array, vector: Float32Array, weight: number): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + weight * (vector[at] as number);
}

/** Gram and Schmidt's, in the form that keeps its precision. */
function orthonormal(rows: Float32Array[], size: number): Float32Array[] {
  const columns = Array.from({ length: size }, (_, at) => Float32Array.from(rows, (row) => row[at] as number));
  const done: Float32Array[] = [];
  for (const column of columns) {
    for (const other of done) {
      let along = 0;
      for (let at = 0; at < column.length; at++) along += (column[at] as number) * (other[at] as number);
      addTo(column, other, -along);
    }
    done.push(unitOrZero(column));
  }
  return rows.map((_, row) => Float32Array.from(done, (column) => column[row] as number));
}

const unitOrZero = (vector: Float32Array): Float32Array =>
  vector.some((value) => value !== 0) ? unit(vector) : vector;
