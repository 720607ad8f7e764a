import type { ExclusionReason } from '../../workspace/exclusions.ts';
import type { Coverage } from '../chunker/chunker.ts';
import type { Amount } from '../store/spaces/vectorCounts.ts';
import type { IndexStoreReason } from '../team/indexStoreError.ts';

/** Counts of the index. */
export interface Status {
  /** Everything that keywords can find. */
  indexed: Amount;
  coverage: Coverage;
  /** Files found by meaning as well; undefined when the model has no vectors here. */
  filesDone: number | undefined;
  excluded: Partial<Record<ExclusionReason, number>>;
  /** Chunks whose text or vector was corrupted on the disk; the next run restores them. */
  damaged?: number;
}

/** What was exchanged with the store of a team. */
export interface TeamExchange {
  /** Texts that got their vector from it. */
  readonly taken: number;
  /** Vectors that it got. */
  readonly given: number;
  /** Why it could not be asked, or not to the end. */
  readonly problem?: IndexStoreReason | undefined;
}

/** The work of `Index Workspace`, known before anything is sent. */
export interface Plan extends Status {
  /** Texts to send. */
  pending: Amount;
  /** Texts that have their vector already. */
  known: number;
  /** The space the vectors would go to; undefined without an embedding model. */
  space?: number;
  /**
   * Another space has more of the vectors: the pending texts were embedded before, in another length or by another
   * model.
   */
  isAnew?: boolean;
  team?: TeamExchange;
}

export interface IndexResult {
  files: number;
  chunks: number;
  /** Texts that were sent. */
  embedded: number;
  /** Chunks that needed no request. */
  reused: number;
  /** Files left out. */
  skipped: number;
  /** Texts that the service cannot take, of this run or an earlier one; undefined where there are none. */
  refused?: number;
  team?: TeamExchange;
}
