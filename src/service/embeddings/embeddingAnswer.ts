import { ServiceError } from '../../base/errors.ts';
import type { embeddingsSchema } from '../answers/schemas.ts';
import type { Usage } from '../answers/usage.ts';
import { readUsage } from '../answers/usage.ts';

export interface Embeddings {
  /** One vector for each input, in the order of the inputs; all of one length, finite, none of them zero. */
  vectors: Float32Array[];
  /** The model's name, as the service gives it. */
  model: string | undefined;
  /** Tokens the service counted; undefined when it did not say, which is not 0. */
  usage: Usage | undefined;
}

type Answer = (typeof embeddingsSchema)['_zod']['output'];
type Item = Answer['data'][number];

/**
 * Reads an answer as service-api.md 2.10 has it, and checks it before use: a silent shift would be worse than
 * a failure. The `hint` of the error says what was wrong, for the log.
 * @param dimensions how many numbers a vector was asked to have
 * @throws ServiceError `malformed`
 */
export function readEmbeddings(answer: Answer, count: number, dimensions: number | undefined, url: string): Embeddings {
  const fail = (hint: string): never => {
    throw new ServiceError('malformed', { url, hint });
  };
  const { data, model, usage } = answer;
  if (data.length !== count) fail(`count: ${data.length} vectors for ${count} texts`);
  const vectors = inOrder(data, fail).map((item, place) =>
    toVector(item.embedding, (what) => fail(`${what}: ${place}`)),
  );
  const length = dimensions ?? vectors[0]?.length ?? 0;
  const odd = vectors.find((vector) => vector.length !== length);
  if (odd !== undefined) fail(`dimensions: ${odd.length} and ${length}`);
  return { vectors, model: model ?? undefined, usage: readUsage(usage) };
}

/** Items at their `index`; in the order they came when none has one. */
function inOrder(data: readonly Item[], fail: (hint: string) => never): Item[] {
  if (data.every(({ index }) => index === undefined || index === null)) return [...data];
  const ordered: Item[] = [];
  for (const item of data) {
    const index = typeof item.index === 'string' && item.index !== '' ? Number(item.index) : item.index;
    const fits = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < data.length;
    if (!fits || ordered[index] !== undefined) return fail(`order: index ${String(item.index)}`);
    ordered[index] = item;
  }
  return ordered;
}

/** @param fail is given `empty`, `not finite`, `zero` or `base64`. */
function toVector(embedding: unknown, fail: (what: string) => never): Float32Array {
  const numbers = typeof embedding === 'string' ? decodeBase64(embedding) : embedding;
  if (numbers === undefined) return fail('base64');
  if (!Array.isArray(numbers) && !(numbers instanceof Float32Array)) return fail('no vector');
  if (numbers.length === 0) return fail('empty');
  const vector = Array.isArray(numbers) ? Float32Array.from(numbers, ofNumber) : numbers;
  let isZero = true;
  for (let i = 0; i < vector.length; i++) {
    // The check reads the stored value: a number may be too large, or too small, for 32 bits.
    if (!Number.isFinite(vector[i])) return fail('not finite');
    if (vector[i] !== 0) isZero = false;
  }
  return isZero ? fail('zero') : vector;
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
