import type { BatchSize } from '../service/fieldMemory.ts';
import type { Coverage } from './chunks.ts';
import type { Contents } from './contents.ts';
import type { ExclusionReason } from './exclusions.ts';
import type { QueryFilters } from './queryFilter.ts';
import type { Why } from './ranking.ts';
import type { Methods } from './rpc.ts';
import type { Amount } from './spaces.ts';
import type { Standing } from './standing.ts';

/** Where the files are, and which of them may be in the index. */
export interface Scope {
  /** Absolute paths of the workspace's folders. */
  roots: readonly string[];
  maxBytes: number;
  /** Globs of files that stay out. */
  exclude?: readonly string[];
  /** Globs of files that are let in although their name or kind would keep them out. */
  allow?: readonly string[];
  includeGenerated?: boolean;
}

/** What decides which vector a text gets: two that agree in it can be compared, and one stands for the other. */
export interface VectorSource {
  model: string;
  /** Put before every text of the index, as some models want it. */
  documentPrefix?: string | undefined;
  /** The service's origin. Vectors are kept for the whole machine only with it: a model's name is not unique. */
  origin?: string | undefined;
}

/** The name of the space that the vectors of a source are kept in. */
export function spaceKey({ model, documentPrefix = '' }: VectorSource): string {
  return documentPrefix === '' ? model : JSON.stringify([model, documentPrefix]);
}

/** The source that a space is named after. */
export function sourceOf(key: string): VectorSource {
  if (!key.startsWith('[')) return { model: key };
  const [model, documentPrefix] = JSON.parse(key) as [string, string];
  return { model, documentPrefix };
}

/** The half that needs a service: the model, and the ticket under which the other thread asks it. Never the key. */
export interface Meaning extends VectorSource {
  ticket: number;
  /** Put before every question. */
  queryPrefix?: string | undefined;
  batchSize?: BatchSize | undefined;
  /** Estimated tokens that may be sent; more texts than that stay without a vector. */
  allowance?: number | undefined;
}

/** What the index holds. */
export interface Status {
  /** All that is searchable by keywords. */
  indexed: Amount;
  coverage: Coverage;
  /** Files found by meaning as well; undefined when the model has no vectors here. */
  filesDone: number | undefined;
  excluded: Partial<Record<ExclusionReason, number>>;
  /** Chunks whose text or vector was damaged on the disk and is to come back with the next run. */
  damaged?: number;
}

/** What `Index Workspace` would do, known before anything is sent. */
export interface Plan extends Status {
  /** What would be sent. */
  pending: Amount;
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
}

export type IndexProgress =
  | { phase: 'reading'; files: number; ofFiles: number }
  | { phase: 'embedding'; chunks: number; ofChunks: number };

export interface SearchHit {
  root: string;
  /** Relative, with `/`. */
  path: string;
  /** From 1, both ends included. */
  startLine: number;
  endLine: number;
  text: string;
  score: number;
  why: Why;
  line: number;
  preview: string;
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** `keywords`: there are no vectors, or no model. `failed`: the service did not answer, and keywords did. */
  by: 'keywords' | 'both' | 'failed';
  /** The share of the files that are found by meaning as well, while it is not all of them. */
  indexed?: number;
}

/** A question, and what narrows it; operators in the text (queryFilter.ts) narrow it further. */
export interface Query extends QueryFilters {
  text: string;
  limit: number;
  /** The text is the code that stands here, and what is like it is looked for; an empty text is the chunk at this place. */
  similarTo?: Place | undefined;
}

/** Lines of a file, from 1, both ends included. */
export interface Place {
  root: string;
  /** Relative, with `/`. */
  path: string;
  startLine: number;
  endLine: number;
}

/** What a worker is started with: where the index is, and the vectors kept for the whole machine, if they are. */
export interface WorkerData {
  directory: string;
  paidPath?: string | undefined;
}

/** What the worker does for the host. */
export interface WorkerMethods extends Methods {
  status: { params: { source?: VectorSource | undefined }; result: Status };
  plan: { params: { scope: Scope; source?: VectorSource | undefined }; event: IndexProgress; result: Plan };
  index: { params: { scope: Scope; meaning?: Meaning | undefined }; event: IndexProgress; result: IndexResult };
  update: {
    params: { scope: Scope; files: readonly string[]; meaning?: Meaning | undefined };
    event: IndexProgress;
    result: IndexResult;
  };
  search: { params: { roots: readonly string[]; query: Query; meaning?: Meaning | undefined }; result: SearchAnswer };
  /** `root` and `path` of one file. */
  why: {
    params: { scope: Scope; root: string; path: string; source?: VectorSource | undefined };
    result: Standing;
  };
  contents: { params: { source?: VectorSource | undefined }; result: Contents };
  forgetPaid: { params: undefined; result: undefined };
  close: { params: undefined; result: undefined };
}

/** What the host does for the worker. */
export interface HostMethods extends Methods {
  /** `model`: another one than that of the run. */
  embed: { params: { ticket: number; texts: readonly string[]; model?: string | undefined }; result: Float32Array[] };
  learn: { params: { ticket: number; batchSize: BatchSize }; result: undefined };
  /** Something that costs quality and stops nothing. */
  warn: { params: { text: string }; result: undefined };
}
