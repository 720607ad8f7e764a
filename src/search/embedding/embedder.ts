import { ServiceError } from '../../base/errors.ts';
import { estimateTokens } from '../../base/tokens.ts';
import type { BatchSize } from '../../service/compat/fieldMemory.ts';
import type { EmbedItem } from '../store/files/chunkReader.ts';
import { createBatchSizes } from './batchSizes.ts';

/** Asks the service for vectors, one for each text, in their order. */
export type Ask = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

export interface EmbedderOptions {
  embed: Ask;
  /** Called with each answer; the vectors are on disk when it resolves. Only then does the next request start. */
  save(answer: { hash: Uint8Array; vector: Float32Array }[]): unknown;
  /** Texts in a request at most, as learned in an earlier run. */
  batchSize?: BatchSize | undefined;
  /** Estimated tokens that may be sent; texts beyond that are left without a vector. */
  allowance?: number | undefined;
  /** Called at the end if the run learned a new batch size. */
  learn?: ((batchSize: BatchSize) => void) | undefined;
  /** Milliseconds of any clock. */
  now(): number;
}

/**
 * Concurrent requests, and estimated tokens of one request: a third of the strictest known limit (300,000), as the
 * estimate may be off by that factor.
 */
export const batchLimits = { tokens: 100_000, concurrency: 3 } as const;

/**
 * Embeds all items in bounded batches, a few at a time; the batch size is learned on the way. A batch refused for its
 * size is sent again in smaller ones; a single text that is too long is embedded in two halves, whose mean becomes its
 * vector. A text for which the service gives no usable vector is left out and reported at the end. Any other error ends
 * the run: running requests finish and are saved, and no new one starts. A cancel closes all at once.
 */
export async function embedAll(
  items: Iterable<EmbedItem>,
  options: EmbedderOptions,
  signal: AbortSignal,
): Promise<void> {
  const { embed, save, learn, now } = options;
  const source = items[Symbol.iterator]();
  const putBack: EmbedItem[] = [];
  const sizes = createBatchSizes(options.batchSize);
  let allowance = options.allowance ?? Number.POSITIVE_INFINITY;
  let failure: unknown;
  /** Errors of texts whose vectors are unusable; these texts stay without a vector. */
  const unusable: unknown[] = [];

  function takeBatch(size: number): EmbedItem[] {
    const batch: EmbedItem[] = [];
    for (let tokens = 0; batch.length < size; ) {
      const item = putBack.pop() ?? source.next().value;
      if (item === undefined) break;
      const own = estimateTokens(item.text);
      if (own > allowance || (batch.length > 0 && tokens + own > batchLimits.tokens)) {
        putBack.push(item);
        break;
      }
      tokens += own;
      allowance -= own;
      batch.push(item);
    }
    return batch;
  }

  /** Sends one batch; false when there is nothing left to send. */
  async function sendNext(): Promise<boolean> {
    if (failure !== undefined || signal.aborted) return false;
    const tried = sizes.next();
    const batch = takeBatch(tried.size);
    if (batch.length === 0) return false;
    try {
      const started = now();
      const answer = await askFor(batch, embed, signal);
      sizes.took(batch.length, tried, now() - started);
      await save(answer);
    } catch (error) {
      if (batch.length > 1 && isRefusedForSize(error)) {
        sizes.refuse(batch.length, tried);
        for (const { text } of batch) allowance += estimateTokens(text);
        putBack.push(...batch.reverse());
      } else if (unusable.length < mostUnusable && batch[placeOfUnusable(error)] !== undefined) {
        unusable.push(error);
        batch.splice(placeOfUnusable(error), 1);
        putBack.push(...batch.reverse());
      } else {
        failure ??= error;
      }
    }
    return true;
  }

  async function lane(): Promise<void> {
    while (!sizes.mustGoAlone && (await sendNext()));
  }
  const runLanes = () => Promise.all(Array.from({ length: batchLimits.concurrency }, lane));

  await runLanes();
  while (sizes.mustGoAlone && (await sendNext()));
  await runLanes();
  // If a text alone is refused, the earlier refusals may have been about this text and not about the batch size.
  if (sizes.learned !== undefined && !isRefusedForSize(failure)) learn?.(sizes.learned);
  if (signal.aborted) throw new ServiceError('cancelled');
  if (failure !== undefined) throw failure;
  if (unusable.length > 0) throw unusable[0];
}

async function askFor(
  batch: readonly EmbedItem[],
  embed: Ask,
  signal: AbortSignal,
): Promise<{ hash: Uint8Array; vector: Float32Array }[]> {
  const only = batch.length === 1 ? batch[0] : undefined;
  const texts = batch.map((item) => item.text);
  const vectors = only ? [await embedOne(only.text, embed, signal)] : await embed(texts, signal);
  if (vectors.length !== batch.length) throw new ServiceError('malformed');
  return batch.flatMap(({ hash }, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : [{ hash, vector }];
  });
}

/** A shorter text is not refused for its length. */
const shortestHalf = 200;

async function embedOne(text: string, embed: Ask, signal: AbortSignal): Promise<Float32Array> {
  try {
    const [vector] = await embed([text], signal);
    if (vector === undefined) throw new ServiceError('malformed');
    return vector;
  } catch (error) {
    if (!isTooLong(error) || text.length < shortestHalf * 2) throw error;
    const middle = Math.floor(text.length / 2);
    const first = await embedOne(text.slice(0, middle), embed, signal);
    const second = await embedOne(text.slice(middle), embed, signal);
    return first.map((value, index) => (value + (second[index] ?? 0)) / 2);
  }
}

/** Limit of texts without a usable vector; beyond it the model itself is at fault. */
const mostUnusable = 8;

/** Index in the batch of the text whose vector is unusable, as the answer's reader reports it; -1: none. */
function placeOfUnusable(error: unknown): number {
  const hint = error instanceof ServiceError && error.kind === 'malformed' ? error.hint : undefined;
  return Number(/^(?:not finite|zero|empty): (\d+)$/.exec(hint ?? '')?.[1] ?? -1);
}

/** Whether a service refused a batch as too large: 413 (also used for token rate limits), 422, or any 400. */
function isRefusedForSize(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const isVague = error.kind === 'bad-request' && (error.status === 400 || error.status === 422);
  return isTooLong(error) || isVague || error.status === 413;
}

function isTooLong(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === 'too-large' || error.kind === 'context-length');
}
