import type { NoVector } from '../../service/client.ts';
import type { BatchSize } from '../../service/compat/fieldMemory.ts';
import type { VectorSource } from '../types.ts';

/** Asks the service for vectors, one for each text, in their order. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<(Float32Array | NoVector)[]>;

/** An embedding model and how it is called. */
export interface EmbeddingModel extends VectorSource {
  /** The service's base URL, for error messages. */
  url?: string;
  /** A prefix for every question. */
  queryPrefix?: string | undefined;
  batchSize?: BatchSize | undefined;
  /** Estimated tokens that may be sent; further texts stay without a vector. */
  allowance?: number | undefined;
  embed: Embed;
  /** Stores the batch size that was learned. */
  learn?(batchSize: BatchSize): void;
}
