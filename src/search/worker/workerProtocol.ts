import type { Methods } from '../../base/rpc.ts';
import type { NoVector } from '../../service/client.ts';
import type { BatchSize } from '../../service/compat/fieldMemory.ts';
import type { Scope } from '../../workspace/fileFilter.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import type { IndexResult, Plan, Status } from '../engine/engineApi.ts';
import type { FileExplanation } from '../indexing/explainFile.ts';
import type { Query, SearchAnswer } from '../query/query.ts';
import type { Contents } from '../store/indexContents.ts';
import type { Peek } from '../store/peek.ts';
import type { ExportResult, ImportRequest, ImportResult } from '../team/sharedFile/shareVectors.ts';
import type { TeamStoreAddress, TeamStoreFacts } from '../team/teamStore.ts';
import type { IndexProgress, TakingProgress, VectorSource } from '../types.ts';

/** An embedding model without its functions, which stay in the host; the ticket identifies them. Never the key. */
export interface TicketedModel extends Omit<EmbeddingModel, 'embed' | 'learn' | 'url'> {
  ticket: number;
}

/** Start data of a worker: the folder of the index and the file of the vector cache, if there is one. */
export interface WorkerData {
  directory: string;
  cachePath?: string | undefined;
}

/** Calls from the host to the worker. */
export interface WorkerMethods extends Methods {
  peek: { params: { source?: VectorSource | undefined }; result: Peek | undefined };
  status: { params: { source?: VectorSource | undefined }; result: Status };
  plan: { params: { scope: Scope; source?: VectorSource | undefined }; event: IndexProgress; result: Plan };
  index: {
    params: { scope: Scope; embeddingModel?: TicketedModel | undefined };
    event: IndexProgress;
    result: IndexResult;
  };
  update: {
    params: {
      scope: Scope;
      files: readonly string[];
      embeddingModel?: TicketedModel | undefined;
      again?: readonly string[] | undefined;
    };
    event: IndexProgress;
    result: IndexResult;
  };
  search: {
    params: { roots: readonly string[]; query: Query; embeddingModel?: TicketedModel | undefined };
    result: SearchAnswer;
  };
  /** `root` and `path` name one file. */
  why: {
    params: { scope: Scope; root: string; path: string; source?: VectorSource | undefined };
    result: FileExplanation;
  };
  contents: { params: { source?: VectorSource | undefined }; result: Contents };
  exportVectors: {
    params: { source: VectorSource; path: string; signingKeyPath?: string | undefined };
    result: ExportResult;
  };
  importVectors: { params: { request: ImportRequest }; event: TakingProgress; result: ImportResult };
  tryTeamStore: { params: { at: TeamStoreAddress; root: string | undefined }; result: TeamStoreFacts };
  forgetCache: { params: undefined; result: boolean };
  close: { params: undefined; result: undefined };
}

/** Calls from the worker to the host. */
export interface HostMethods extends Methods {
  /** The store of the team, with its password; undefined where there is none. */
  teamStore: { params: undefined; result: TeamStoreAddress | undefined };
  embed: {
    params: { ticket: number; texts: readonly string[] };
    result: (Float32Array | NoVector)[];
  };
  learn: { params: { ticket: number; batchSize: BatchSize }; result: undefined };
  /** A line for the log about something that lowers quality but stops nothing. */
  warn: { params: { text: string }; result: undefined };
}
