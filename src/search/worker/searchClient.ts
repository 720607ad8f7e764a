import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallContext, CallOptions } from '../../base/rpc.ts';
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
import { type Later, later, withDeadline } from './deadline.ts';
import { createTickets, type Tickets } from './tickets.ts';
import { createWorkerLifecycle } from './workerLifecycle.ts';
import type { HostMethods } from './workerProtocol.ts';

/** Options to follow and cancel a call. A cancelled call rejects with `cancelled`; vectors already stored stay. */
export type Following = CallOptions<IndexProgress>;
export type Stopping = Pick<Following, 'signal'>;

/**
 * The search as the extension host sees it. The worker starts at the first call, and again after a crash; a call that a
 * crash interrupted is retried, and repeats nothing that was stored. `embed` runs in the host: the key stays here.
 */
export interface SearchClient {
  /**
   * The contents of the index on disk, for the state shown before first use; undefined where there is none, and then no
   * worker is started. Creates no file and does not read the whole index.
   */
  peek(source?: VectorSource): Promise<Peek | undefined>;
  status(source?: VectorSource): Promise<Status>;
  plan(scope: Scope, source: VectorSource | undefined, following?: Following): Promise<Plan>;
  index(scope: Scope, embeddingModel: EmbeddingModel | undefined, following?: Following): Promise<IndexResult>;
  /** @param again files of which nothing is new, but whose vectors failed to come */
  update(
    scope: Scope,
    files: readonly string[],
    embeddingModel: EmbeddingModel | undefined,
    following?: Following,
    again?: readonly string[],
  ): Promise<IndexResult>;
  search(
    roots: readonly string[],
    query: Query,
    embeddingModel: EmbeddingModel | undefined,
    stopping?: Stopping,
  ): Promise<SearchAnswer>;
  contents(source?: VectorSource): Promise<Contents>;
  /** Writes the vectors of the texts into a shared file. @param signingKeyPath the file of a private Ed25519 key */
  exportVectors(
    source: VectorSource,
    path: string,
    stopping?: Stopping,
    signingKeyPath?: string,
  ): Promise<ExportResult>;
  /** Takes the vectors that texts lack from a shared file. */
  importVectors(request: ImportRequest, following?: CallOptions<TakingProgress>): Promise<ImportResult>;
  /** Opens the store of a team for the repository of a folder, and says what it has. @throws ServiceError `team-store` */
  tryTeamStore(at: TeamStoreAddress, root: string | undefined, stopping?: Stopping): Promise<TeamStoreFacts>;
  /** @returns false where the cache could not be deleted */
  forgetCache(): Promise<boolean>;
  /** Whether a file is in the index, and the reason where it is not. */
  why(scope: Scope, root: string, path: string, source: VectorSource | undefined): Promise<FileExplanation>;
  /**
   * Closes the index and ends the worker. The next call starts another after `meanwhile`, which may change the folder
   * of the index while nobody has it open.
   */
  close(meanwhile?: () => Promise<void>): Promise<void>;
}

/**
 * The search of one index, in a worker.
 * @param script the worker's bundle (or, in tests, its source).
 * @param directory the folder the index is kept in.
 * @param cachePath the file of the vector cache.
 * @param warn takes a line for the log.
 * @param wait measures the time a search may take.
 * @param teamStore gives the store of the team, if there is one.
 */
export function createSearchClient(
  script: string | URL,
  directory: string,
  cachePath?: string,
  warn?: (text: string) => void,
  wait: Later = later,
  teamStore: () => Promise<TeamStoreAddress | undefined> = async () => undefined,
): SearchClient {
  const tickets = createTickets();
  const { withTicket } = tickets;
  const { call, stop, close } = createWorkerLifecycle(
    script,
    { directory, cachePath },
    hostHandlers(tickets, warn, teamStore),
  );

  /** Ends a worker that does not respond. The next worker continues its work from what is stored in the index. */
  function stopWorker(): void {
    if (stop()) warn?.('A search did not end and could not be stopped: its worker was ended, and starts anew.');
  }

  return {
    peek: async (source) =>
      (await hasIndex(directory)) ? call('peek', { source: source && sourceOf(source) }) : undefined,
    status: (source) => call('status', { source: source && sourceOf(source) }),
    plan: (scope, source, following) => call('plan', { scope, source: source && sourceOf(source) }, following),
    index: (scope, embeddingModel, following) =>
      withTicket(embeddingModel, (ticketed) => call('index', { scope, embeddingModel: ticketed }, following)),
    update: (scope, files, embeddingModel, following, again) =>
      withTicket(embeddingModel, (ticketed) =>
        call('update', { scope, files, embeddingModel: ticketed, again }, following),
      ),
    search: (roots, query, embeddingModel, stopping) =>
      withDeadline(
        ({ signal, outside }) => {
          const waiting: EmbeddingModel | undefined = embeddingModel && {
            ...embeddingModel,
            embed: (...asked) => outside(() => embeddingModel.embed(...asked)),
          };
          return withTicket(waiting, (ticketed) =>
            call('search', { roots, query, embeddingModel: ticketed }, { signal }),
          );
        },
        stopWorker,
        wait,
        stopping?.signal,
      ),
    contents: (source) => call('contents', { source: source && sourceOf(source) }),
    exportVectors: (source, path, stopping, signingKeyPath) =>
      call('exportVectors', { source: sourceOf(source), path, signingKeyPath }, stopping),
    importVectors: ({ source, ...request }, following) =>
      call('importVectors', { request: { ...request, source: source && sourceOf(source) } }, following),
    tryTeamStore: (at, root, stopping) => call('tryTeamStore', { at, root }, stopping),
    forgetCache: () => call('forgetCache', undefined),
    why: (scope, root, path, source) => call('why', { scope, root, path, source: source && sourceOf(source) }),
    close,
  };
}

/** Handlers for the worker's calls to the host. */
function hostHandlers(
  tickets: Tickets,
  warn: ((text: string) => void) | undefined,
  teamStore: () => Promise<TeamStoreAddress | undefined>,
) {
  return {
    teamStore: () => teamStore(),
    embed: async ({ ticket, texts }: HostMethods['embed']['params'], { signal }: CallContext) => {
      const embeddingModel = tickets.get(ticket);
      if (embeddingModel === undefined) throw new Error('The run that asked for this is over.');
      return embeddingModel.embed(texts, signal);
    },
    learn: ({ ticket, batchSize }: HostMethods['learn']['params']) => tickets.get(ticket)?.learn?.(batchSize),
    warn: ({ text }: HostMethods['warn']['params']) => warn?.(text),
  };
}

/**
 * Whether a folder has an index. The database names are repeated here: their module loads SQLite, which this thread
 * does without.
 */
async function hasIndex(directory: string): Promise<boolean> {
  const looks = ['index.db', 'index.next.db'].map((name) => access(join(directory, name)));
  return (await Promise.allSettled(looks)).some(({ status }) => status === 'fulfilled');
}

/** The fields of a source alone: an object given here may also hold functions, which cannot go between threads. */
function sourceOf({ model, documentPrefix, origin }: VectorSource): VectorSource {
  return { model, documentPrefix, origin };
}
