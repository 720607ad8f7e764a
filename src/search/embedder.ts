import { isCancelled, ServiceError } from '../service/errors.ts';
import { estimateTokens } from '../service/tokens.ts';

/** Asks the service for vectors, one for each text, in their order. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

/** A text the service has never seen, and the hash it is kept under. */
export interface EmbedItem {
  hash: Uint8Array;
  text: string;
}

export interface EmbedderOptions {
  embed: Embed;
  /** Called with each answer; when it returns, the vectors are on disk. Only then does another request take its place. */
  save(answer: { hash: Uint8Array; vector: Float32Array }[]): void;
  /** How many texts a request may have, as learnt in an earlier run. */
  maxItems?: number | undefined;
  /** Called when the service refused a batch and smaller ones are sent from now on. */
  onLimit?(maxItems: number): void;
}

export const batchLimits = { items: 32, tokens: 16_000, concurrency: 3 } as const;

/**
 * Embeds all items in bounded batches, a few at a time. A batch refused for its size is halved, and the size remembered; a
 * single text that is too long is embedded in two halves whose mean stands for it. Any other error ends the run: requests
 * that are out come home and are saved, no new one is sent. A cancel closes all at once.
 */
export async function embedAll(
  items: Iterable<EmbedItem>,
  options: EmbedderOptions,
  signal: AbortSignal,
): Promise<void> {
  const source = items[Symbol.iterator]();
  const putBack: EmbedItem[] = [];
  let maxItems = Math.max(1, options.maxItems ?? batchLimits.items);
  let failure: unknown;

  function takeBatch(): EmbedItem[] {
    const batch: EmbedItem[] = [];
    for (let tokens = 0; batch.length < maxItems; ) {
      const item = putBack.pop() ?? source.next().value;
      if (item === undefined) break;
      tokens += estimateTokens(item.text);
      if (batch.length > 0 && tokens > batchLimits.tokens) {
        putBack.push(item);
        break;
      }
      batch.push(item);
    }
    return batch;
  }

  async function lane(): Promise<void> {
    while (failure === undefined && !signal.aborted) {
      const batch = takeBatch();
      if (batch.length === 0) return;
      try {
        options.save(await askFor(batch, options.embed, signal));
      } catch (error) {
        if (batch.length > 1 && isRefusedForSize(error)) {
          maxItems = Math.min(maxItems, Math.ceil(batch.length / 2));
          options.onLimit?.(maxItems);
          putBack.push(...batch.reverse());
        } else {
          failure ??= error;
        }
      }
    }
  }

  await Promise.all(Array.from({ length: batchLimits.concurrency }, lane));
  if (signal.aborted) throw new ServiceError('cancelled');
  if (failure !== undefined) throw failure;
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

/** Services say in many ways that a batch is too large: 413, 422, or any 400 that may be about it. */
function isRefusedForSize(error: unknown): boolean {
  if (!(error instanceof ServiceError) || isCancelled(error)) return false;
  return isTooLong(error) || (error.kind === 'bad-request' && (error.status === 400 || error.status === 422));
}

function isTooLong(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === 'too-large' || error.kind === 'context-length');
}
