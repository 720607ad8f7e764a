import { ServiceError } from '../service/errors.ts';
import type { BatchSize } from '../service/fieldMemory.ts';
import { estimateTokens } from '../service/tokens.ts';
import { createBatchSizes } from './batchSizes.ts';

/**
 * Asks the service for vectors, one for each text, in their order.
 * @param model another one than is set, whose vectors are still searched
 */
export type Embed = (texts: readonly string[], signal: AbortSignal, model?: string) => Promise<Float32Array[]>;

/** A text the service has never seen, and the hash it is kept under. */
export interface EmbedItem {
  hash: Uint8Array;
  text: string;
}

export interface EmbedderOptions {
  embed: Embed;
  /** Called with each answer; when it returns, the vectors are on disk. Only then does another request take its place. */
  save(answer: { hash: Uint8Array; vector: Float32Array }[]): void;
  /** How many texts a request may have, as learned in an earlier run. */
  batchSize?: BatchSize | undefined;
  /** How many estimated tokens may be sent; what is over is left. */
  allowance?: number | undefined;
  /** Called at the end when the run learned something new of it. */
  learn?: ((batchSize: BatchSize) => void) | undefined;
  /** Milliseconds of any clock. */
  now(): number;
}

/**
 * Requests at once, and estimated tokens of one request: a third of what the strictest service known takes (300,000), as
 * the estimate may be that far off.
 */
export const batchLimits = { tokens: 100_000, concurrency: 3 } as const;

/**
 * Embeds all items in bounded batches, a few at a time; how many texts a batch has is learned on the way. A batch refused
 * for its size is sent again in smaller ones; a single text that is too long is embedded in two halves whose mean stands
 * for it. A text for which the service gives no usable vector is left out, and said at the end. Any other error ends the run: requests that are out come home and are saved, no new one is sent. A cancel closes
 * all at once.
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
  /** What was said of texts whose vectors cannot be used: they are left without. */
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
      save(answer);
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
  // When a text alone is refused, what was taken for a refusal of the size was one of this text.
  if (sizes.learned !== undefined && !isRefusedForSize(failure)) learn?.(sizes.learned);
  if (signal.aborted) throw new ServiceError('cancelled');
  if (failure !== undefined) throw failure;
  if (unusable.length > 0) throw unusable[0];
}

async function askFor(
  batch: readonly EmbedItem[],
  embed: Embed,
  signal: AbortSignal,
): Promise<{ hash: Uint8Array; vector: Float32Array }[]> {
  const only = batch.length === 1 ? batch[0] : undefined;
  const vectors = only
    ? [await embedOne(only.text, embed, signal)]
    : await embed(
        batch.map((item) => item.text),
        signal,
      );
  if (vectors.length !== batch.length) throw new ServiceError('malformed');
  return batch.flatMap(({ hash }, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : [{ hash, vector }];
  });
}

/** Shorter than this, a text is not what a service finds too long. */
const shortestHalf = 200;

async function embedOne(text: string, embed: Embed, signal: AbortSignal): Promise<Float32Array> {
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

/** More texts than this without a usable vector, and it is the model that gives none. */
const mostUnusable = 8;

/** Which text of a batch got a vector that cannot be used, as the reader of the answer says it; -1: none. */
function placeOfUnusable(error: unknown): number {
  const hint = error instanceof ServiceError && error.kind === 'malformed' ? error.hint : undefined;
  return Number(/^(?:not finite|zero|empty): (\d+)$/.exec(hint ?? '')?.[1] ?? -1);
}

/** Services say in many ways that a batch is too large: 413 (also where tokens a minute are meant), 422, or any 400. */
function isRefusedForSize(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const isVague = error.kind === 'bad-request' && (error.status === 400 || error.status === 422);
  return isTooLong(error) || isVague || error.status === 413;
}

function isTooLong(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === 'too-large' || error.kind === 'context-length');
}
