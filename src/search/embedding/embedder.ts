import { ServiceError } from '../../base/errors.ts';
import type { NoVector } from '../../service/client.ts';
import type { BatchSize } from '../../service/compat/fieldMemory.ts';
import type { EmbedItem } from '../store/files/chunkReader.ts';
import { createBatchQueue, type TextBatch } from './batchQueue.ts';
import { createBatchSizes, type NextSize } from './batchSizes.ts';
import { createTextRefusals, type TextRefusal } from './textRefusals.ts';

/** Asks the service for vectors, one for each text, in their order. */
export type Ask = (texts: readonly string[], signal: AbortSignal) => Promise<(Float32Array | NoVector)[]>;

export interface EmbedderOptions {
  embed: Ask;
  /** Called with each answer; the vectors are on disk when it resolves. Only then does the next request start. */
  save(answer: { hash: Uint8Array; vector: Float32Array }[]): unknown;
  /** Called with texts that the service cannot take, though it takes others. They are left without a vector. */
  keepRefused?: ((texts: readonly TextRefusal[]) => unknown) | undefined;
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

/** A refusal of so many texts at once. */
interface RefusedSize {
  readonly count: number;
  isForgiven: boolean;
}

/**
 * Embeds all items in bounded batches, a few at a time; the batch size is learned on the way. A batch that is refused, or answered
 * in a way that does not tell which vector is whose, is sent again in halves: whether it was its size or one of its texts, the rest
 * gets its vectors. A single text that is too long is embedded in two halves, whose mean becomes its vector; one that the service
 * cannot take at all is left out. A server that fails is asked for a plain text first: it may fail at every one. Any other error ends the run: running requests finish and are saved, and no new one
 * starts. So does a service that takes no text at all any more. A cancel closes all at once.
 */
export async function embedAll(
  items: Iterable<EmbedItem>,
  options: EmbedderOptions,
  signal: AbortSignal,
): Promise<void> {
  const { embed, save, learn, now } = options;
  const queue = createBatchQueue(items, batchLimits.tokens, options.allowance ?? Number.POSITIVE_INFINITY);
  /** The refusals that a text was among. */
  const refusedWith = new Map<EmbedItem, readonly RefusedSize[]>();
  const sizes = createBatchSizes(options.batchSize);
  const refusals = createTextRefusals((text) => embedOne(text, embed, signal), options.keepRefused);
  let failure: unknown;

  /** Sends one batch; false when there is nothing left to send. */
  async function sendNext(): Promise<boolean> {
    if (failure !== undefined || signal.aborted) return false;
    const part = queue.takePart(sizes.isRefused);
    const tried = part === undefined ? sizes.next() : { size: part.length, isProbe: false };
    const batch = part ?? queue.take(tried.size);
    if (batch.length === 0) return false;
    const began = refusals.begin();
    try {
      const started = now();
      const given = await askFor(batch, embed, signal);
      sizes.took(batch.length, tried, now() - started);
      await save(given.flatMap(({ hash, vector }) => (vector instanceof Float32Array ? [{ hash, vector }] : [])));
      if (given.some(({ vector }) => vector instanceof Float32Array)) await refusals.answered(began);
      for (const { item, vector } of given) if (vector instanceof Float32Array) refusedWith.delete(item);
      await takeFaulty(batch, given.flatMap(faultOf));
    } catch (error) {
      // A pause, or a disk without room, ends the run like any other error: what runs beside is saved first.
      await takeError(batch, tried, error).catch((other: unknown) => (failure ??= other));
    }
    return true;
  }

  async function takeError(batch: TextBatch, tried: NextSize, error: unknown): Promise<void> {
    const isFirst = !batch.some((item) => refusedWith.has(item));
    if (!isAboutTexts(error)) failure ??= error;
    else if (isFirst && isServerError(error) && !(await refusals.takesText())) failure ??= error;
    else if (batch.length > 1) refuse(batch, tried, error);
    else await takeFaulty(batch, [{ item: batch[0] as EmbedItem, error }]);
  }

  function refuse(batch: TextBatch, tried: NextSize, error: unknown): void {
    const isVague = isUnclear(error) || isServerError(error);
    // So many were taken before: it is about one of them, or their tokens.
    const isAboutThese = sizes.hasTaken(batch.length);
    const counts = sizes.refuse(batch.length, tried, isVague);
    const refused = { count: batch.length, isForgiven: !counts };
    for (const item of batch) refusedWith.set(item, [...(refusedWith.get(item) ?? []), refused]);
    if (isVague || isAboutThese) queue.addParts(halvesOf(batch));
    else queue.batchAnew(batch);
  }

  /** Texts that got no vector in this batch: each is sent alone, or left out where it was. */
  async function takeFaulty(batch: TextBatch, faulty: readonly { item: EmbedItem; error: unknown }[]): Promise<void> {
    if (batch.length > 1) {
      queue.addParts(faulty.map(({ item }) => [item]));
      return;
    }
    for (const { item, error } of faulty) {
      for (const refused of refusedWith.get(item) ?? []) {
        // The refusal of a batch with this text in it says nothing about its size.
        if (!refused.isForgiven) sizes.forgive(refused.count);
        refused.isForgiven = true;
      }
      if (await refusals.add(item, error)) failure ??= error;
    }
  }

  async function lane(): Promise<void> {
    while (!sizes.mustGoAlone && (await sendNext()));
  }
  const runLanes = () => Promise.all(Array.from({ length: batchLimits.concurrency }, lane));

  await runLanes();
  while (sizes.mustGoAlone && (await sendNext()));
  await runLanes();
  if (failure === undefined && !signal.aborted) failure = await refusals.end();
  if (sizes.learned !== undefined && !isAboutTexts(failure)) learn?.(sizes.learned);
  if (signal.aborted) throw new ServiceError('cancelled');
  if (failure !== undefined) throw failure;
}

/** The halves of a batch that was refused, the second one first. */
function halvesOf(batch: TextBatch): TextBatch[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(middle), batch.slice(0, middle)];
}

interface Given {
  readonly item: EmbedItem;
  readonly hash: Uint8Array;
  readonly vector: Float32Array | NoVector;
}

/** The error of a text that got no usable vector. */
function faultOf({ item, vector }: Given): { item: EmbedItem; error: unknown }[] {
  if (vector instanceof Float32Array) return [];
  return [{ item, error: new ServiceError('malformed', { hint: vector.fault }) }];
}

async function askFor(batch: readonly EmbedItem[], embed: Ask, signal: AbortSignal): Promise<Given[]> {
  const only = batch.length === 1 ? batch[0] : undefined;
  const texts = batch.map((item) => item.text);
  const vectors = only ? [await embedOne(only.text, embed, signal)] : await embed(texts, signal);
  if (vectors.length !== batch.length) throw new ServiceError('malformed', { hint: 'count' });
  return batch.flatMap((item, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : [{ item, hash: item.hash, vector }];
  });
}

/** A shorter text is not refused for its length. */
const shortestHalf = 200;

/** @param isAgain its answer was unclear once */
async function embedOne(
  text: string,
  embed: Ask,
  signal: AbortSignal,
  isAgain = false,
): Promise<Float32Array | NoVector> {
  try {
    const [vector] = await embed([text], signal);
    if (vector === undefined) throw new ServiceError('malformed', { hint: 'count' });
    return vector;
  } catch (error) {
    if (isUnclear(error) && !isAgain) return embedOne(text, embed, signal, true);
    if (!isTooLong(error) || text.length < shortestHalf * 2) throw error;
    const middle = Math.floor(text.length / 2);
    const first = await embedOne(text.slice(0, middle), embed, signal);
    const second = await embedOne(text.slice(middle), embed, signal);
    if (!(first instanceof Float32Array)) return first;
    if (!(second instanceof Float32Array)) return second;
    return first.map((value, index) => (value + (second[index] ?? 0)) / 2);
  }
}

/**
 * Whether a request may have failed for its size or one of its texts: refused with 413 (also used for token rate limits), 422, or
 * any 400; a server that failed though it was asked again, as one does whose model gives no numbers for a text; or an answer that
 * does not tell which vector is whose.
 */
function isAboutTexts(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const isVague = error.kind === 'bad-request' && (error.status ?? 0) >= 400;
  return isTooLong(error) || isVague || isUnclear(error) || isServerError(error) || error.status === 413;
}

const isServerError = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'server';

/** Whether an answer does not tell which vector is whose. */
function isUnclear(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'malformed' && /^(?:count|order)/.test(error.hint ?? '');
}

/** Whether a text, or a batch, was refused for its length. */
export function isTooLong(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === 'too-large' || error.kind === 'context-length');
}
