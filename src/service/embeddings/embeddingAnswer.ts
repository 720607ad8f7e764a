import { ServiceError } from '../../base/errors.ts';
import type { embeddingsSchema } from '../answers/schemas.ts';
import type { Usage } from '../answers/usage.ts';
import { readUsage } from '../answers/usage.ts';

/** What a service gave in the place of a vector. */
export interface NoVector {
  /** What was wrong, for the log: `empty`, `not finite`, `zero`, `base64`, `no vector`, `missing` or `dimensions`. */
  readonly fault: string;
}

export interface Embeddings {
  /** One vector for each input, in the order of the inputs; all of one length, finite, none of them zero. */
  vectors: Float32Array[];
  /** The model's name, as the service gives it. */
  model: string | undefined;
  /** Tokens the service counted; undefined when it did not say, which is not 0. */
  usage: Usage | undefined;
}

/** The same where a text may have none. */
export interface EachEmbedding extends Omit<Embeddings, 'vectors'> {
  vectors: (Float32Array | NoVector)[];
}

type Answer = (typeof embeddingsSchema)['_zod']['output'];
type Item = Answer['data'][number];

/**
 * Reads an answer as service-api.md 2.10 has it, and checks it before use: a silent shift would be worse than
 * a failure. One text without a usable vector keeps the vectors of no others back. The `hint` of the error says what was wrong,
 * for the log.
 * @param dimensions how many numbers a vector was asked to have
 * @throws ServiceError `malformed` where it is not certain which vector belongs to which text, or all of them have another length
 */
export function readEmbeddings(
  answer: Answer,
  count: number,
  dimensions: number | undefined,
  url: string,
): EachEmbedding {
  const fail = (hint: string): never => {
    throw new ServiceError('malformed', { url, hint });
  };
  const { data, model, usage } = answer;
  const read = placed(data, count, fail).map((item) =>
    item === undefined ? { fault: 'missing' } : toVector(item.embedding),
  );
  const length = dimensions ?? commonLength(read);
  const isOdd = (vector: Float32Array | NoVector): boolean => isVector(vector) && vector.length !== length;
  const odd = read.find(isOdd);
  if (odd !== undefined && isVector(odd) && read.every((vector) => !isVector(vector) || isOdd(vector))) {
    fail(`dimensions: ${odd.length} and ${length}`);
  }
  const vectors = read.map((vector) => (isOdd(vector) ? { fault: 'dimensions' } : vector));
  return { vectors, model: model ?? undefined, usage: readUsage(usage) };
}

/** Whether a service gave a vector. */
export function isVector(given: Float32Array | NoVector): given is Float32Array {
  return given instanceof Float32Array;
}

/** The length that most vectors have; of those that are as common, the first. */
function commonLength(read: readonly (Float32Array | NoVector)[]): number {
  const counts = new Map<number, number>();
  for (const { length } of read.filter(isVector)) counts.set(length, (counts.get(length) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts].find(([, times]) => times === most)?.[0] ?? 0;
}

/**
 * The items of an answer at the places of their texts. They come in the order of the texts where none has an `index`, or all have the
 * same; a run of indices is counted from its lowest, as some services count on from another request. Of a list that is too short, it
 * is only known which texts are missing where there are gaps between the indices: else a text may have been left out before they
 * were counted.
 */
function placed(data: readonly Item[], count: number, fail: (hint: string) => never): (Item | undefined)[] {
  const indices = data.map(({ index }) => (typeof index === 'string' && index !== '' ? Number(index) : index));
  const isUnordered = indices.every((index) => index === undefined || index === null || index === indices[0]);
  if (data.length > count || (isUnordered && data.length !== count)) return failCount(data.length, count, fail);
  if (isUnordered) return [...data];
  const known = indices.map((index, at) =>
    typeof index === 'number' && Number.isSafeInteger(index) && index >= 0
      ? index
      : fail(`order: index ${String(data[at]?.index).slice(0, 40)}`),
  );
  const lowest = Math.min(...known);
  const isRun = Math.max(...known) - lowest === data.length - 1;
  if (isRun && data.length !== count) return failCount(data.length, count, fail);
  const items: (Item | undefined)[] = new Array(count).fill(undefined);
  for (const [at, index] of known.entries()) {
    const place = isRun ? index - lowest : index;
    if (place >= count || items[place] !== undefined) return fail(`order: index ${index}`);
    items[place] = data[at];
  }
  return items;
}

function failCount(given: number, wanted: number, fail: (hint: string) => never): never {
  return fail(`count: ${given} vectors for ${wanted} texts`);
}

function toVector(embedding: unknown): Float32Array | NoVector {
  const numbers = typeof embedding === 'string' ? decodeBase64(embedding) : embedding;
  if (numbers === undefined) return { fault: 'base64' };
  if (!Array.isArray(numbers) && !(numbers instanceof Float32Array)) return { fault: 'no vector' };
  if (numbers.length === 0) return { fault: 'empty' };
  const vector = Array.isArray(numbers) ? Float32Array.from(numbers, ofNumber) : numbers;
  let isZero = true;
  for (let i = 0; i < vector.length; i++) {
    // The check reads the stored value: a number may be too large, or too small, for 32 bits.
    if (!Number.isFinite(vector[i])) return { fault: 'not finite' };
    if (vector[i] !== 0) isZero = false;
  }
  return isZero ? { fault: 'zero' } : vector;
}

function ofNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** Decodes little-endian float32 on any machine, at any place in memory; undefined when the text is something else. */
export function decodeBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node skips characters that are not base64, so that any text decodes to something.
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (bytes.length % 4 !== 0 || bytes.length !== Math.floor(((text.length - padding) * 3) / 4)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(i * 4, true));
}
