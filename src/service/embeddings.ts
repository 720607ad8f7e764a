import type { Endpoint } from './endpoint.ts';
import { ServiceError } from './errors.ts';
import { readJson } from './json.ts';
import { embeddingsSchema } from './schemas.ts';
import type { Transport } from './transport.ts';

export interface Embeddings {
  /** One vector for each input, in the order of the inputs; all of one length, finite, none of them zero. */
  vectors: Float32Array[];
  /** Tokens the service counted; undefined when it did not say. */
  promptTokens: number | undefined;
}

/**
 * Embeds texts in one request. The answer is checked before anybody uses it: as many vectors as inputs, put in order by
 * `index`, of one length, finite and not zero. A silent shift would be worse than a failure, so any of these is
 * `malformed`. `float` is asked for, base64 (little-endian float32) understood.
 */
export async function embed(
  transport: Transport,
  endpoint: Endpoint,
  inputs: readonly string[],
  signal: AbortSignal,
): Promise<Embeddings> {
  const response = await transport.send(
    {
      method: 'POST',
      url: `${endpoint.baseUrl}/embeddings`,
      apiKey: endpoint.apiKey,
      body: JSON.stringify({
        model: endpoint.model,
        input: inputs.length === 1 ? inputs[0] : inputs,
        encoding_format: 'float',
      }),
    },
    signal,
  );
  const answer = embeddingsSchema.safeParse(await readJson(response, endpoint.apiKey?.reveal()));
  if (!answer.success) throw new ServiceError('malformed', { url: response.url });
  const { data, usage } = answer.data;
  const vectors = inOrder(data, inputs.length).map((item) => (item === undefined ? undefined : toVector(item)));
  const length = vectors[0]?.length ?? 0;
  const good = vectors.every(
    (vector): vector is Float32Array => vector !== undefined && vector.length === length && isUsable(vector),
  );
  if (!good || data.length !== inputs.length) throw new ServiceError('malformed', { url: response.url });
  return { vectors, promptTokens: usage?.prompt_tokens ?? usage?.total_tokens ?? undefined };
}

type Item = { index?: number | null | undefined; embedding: number[] | string };

/** Items put at their `index`; in the order they came when no item, or an impossible one, has an index. */
function inOrder(data: readonly Item[], count: number): (Item['embedding'] | undefined)[] {
  const ordered = new Array<Item['embedding'] | undefined>(count).fill(undefined);
  const indexed =
    new Set(data.map((item) => item.index)).size === data.length &&
    data.every((item) => typeof item.index === 'number');
  for (const [position, item] of data.entries()) {
    const index = indexed ? (item.index ?? position) : position;
    if (index >= 0 && index < count) ordered[index] = item.embedding;
  }
  return ordered;
}

function toVector(embedding: number[] | string): Float32Array {
  if (typeof embedding !== 'string') return Float32Array.from(embedding);
  const bytes = Buffer.from(embedding, 'base64');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => view.getFloat32(i * 4, true));
}

function isUsable(vector: Float32Array): boolean {
  return vector.length > 0 && vector.every(Number.isFinite) && vector.some((value) => value !== 0);
}
