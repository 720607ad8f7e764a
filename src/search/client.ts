import { Worker } from 'node:worker_threads';
import { ServiceError } from '../service/errors.ts';
import type { Contents } from './contents.ts';
import type { Meant } from './engine.ts';
import type {
  HostMethods,
  IndexProgress,
  IndexResult,
  Meaning,
  Plan,
  Query,
  Scope,
  SearchAnswer,
  Status,
  VectorSource,
  WorkerData,
  WorkerMethods,
} from './protocol.ts';
import { type CallOptions, createRpc, type Rpc } from './rpc.ts';
import type { Standing } from './standing.ts';
import { storageError } from './storage.ts';

/** How a call can be followed and stopped. Stopped, it rejects with `cancelled`; what was stored stays. */
export type Following = CallOptions<IndexProgress>;
export type Stopping = Pick<Following, 'signal'>;

/**
 * The search as the extension host sees it. The worker starts at the first call, and again when it died; a call it died
 * under is made once more, which repeats nothing that was stored. `embed` runs on this side: the key stays here.
 */
export interface SearchClient {
  status(source?: VectorSource): Promise<Status>;
  plan(scope: Scope, source: VectorSource | undefined, following?: Following): Promise<Plan>;
  index(scope: Scope, meant: Meant | undefined, following?: Following): Promise<IndexResult>;
  update(scope: Scope, files: readonly string[], meant: Meant | undefined, following?: Following): Promise<IndexResult>;
  search(roots: readonly string[], query: Query, meant: Meant | undefined, stopping?: Stopping): Promise<SearchAnswer>;
  contents(source?: VectorSource): Promise<Contents>;
  forgetPaid(): Promise<void>;
  /** Whether the file at a path of a root is in the index, or why it is not. */
  why(scope: Scope, root: string, path: string, source: VectorSource | undefined): Promise<Standing>;
  /**
   * Closes the index and ends the worker. The next call starts another, after `meanwhile`: what is to be done with the
   * folder of an index that nobody has open.
   */
  close(meanwhile?: () => Promise<void>): Promise<void>;
}

/** What the worker makes is short-lived: with more room, which it gets by default, it only takes 100 MB more. */
const youngMegabytes = 24;

class WorkerEnded extends Error {}

interface Running {
  worker: Worker;
  rpc: Rpc<WorkerMethods>;
}

/**
 * @param script the worker's bundle (or, in tests, its source).
 * @param directory the folder the index is kept in.
 * @param paidPath the file of the vectors kept for the whole machine.
 * @param warn takes a line for the log.
 */
export function createSearchClient(
  script: string | URL,
  directory: string,
  paidPath?: string,
  warn?: (text: string) => void,
): SearchClient {
  let running: Running | undefined;
  let closing: Promise<void> = Promise.resolve();
  const tickets = new Map<number, Meant>();
  let lastTicket = 0;

  function start(): Running {
    const worker = new Worker(script, {
      workerData: { directory, paidPath } satisfies WorkerData,
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    const rpc = createRpc<WorkerMethods>(worker, {
      embed: ({ ticket, texts, model }: HostMethods['embed']['params'], { signal }) => {
        const meant = tickets.get(ticket);
        if (meant === undefined) throw new Error('The run that asked for this is over.');
        return meant.embed(texts, signal, model);
      },
      learn: ({ ticket, batchSize }: HostMethods['learn']['params']) => tickets.get(ticket)?.learn?.(batchSize),
      warn: ({ text }: HostMethods['warn']['params']) => warn?.(text),
    });
    const started = { worker, rpc };
    const end = (error?: Error): void => {
      if (running === started) running = undefined;
      const known = storageError(error);
      rpc.fail(known instanceof ServiceError ? known : new WorkerEnded(error?.message ?? 'The search worker ended.'));
    };
    worker.on('error', end);
    worker.on('exit', () => end());
    return started;
  }

  async function call<K extends keyof WorkerMethods & string>(
    method: K,
    params: WorkerMethods[K]['params'],
    following: CallOptions<WorkerMethods[K]['event']> = {},
  ): Promise<WorkerMethods[K]['result']> {
    for (let tries = 0; ; tries++) {
      await untilClosed();
      running ??= start();
      try {
        return await running.rpc.call(method, params, following);
      } catch (error) {
        if (!(error instanceof WorkerEnded) || tries > 0) throw error;
      }
    }
  }

  /** A close that begins meanwhile is waited for as well: no worker may open what is about to be deleted. */
  async function untilClosed(): Promise<void> {
    const waited = closing;
    await waited;
    if (waited !== closing) await untilClosed();
  }

  async function end(): Promise<void> {
    const ending = running;
    running = undefined;
    if (ending === undefined) return;
    // Open calls end here, so that none of them starts another worker.
    ending.rpc.fail(new ServiceError('cancelled'));
    await ending.rpc.call('close', undefined).catch(() => undefined);
    await ending.worker.terminate();
  }

  /** Gives the worker a ticket under which it may ask for vectors, for as long as the call runs. */
  async function withTicket<T>(
    meant: Meant | undefined,
    work: (meaning: Meaning | undefined) => Promise<T>,
  ): Promise<T> {
    if (meant === undefined) return work(undefined);
    const ticket = ++lastTicket;
    tickets.set(ticket, meant);
    try {
      // Functions and the address stay here.
      const { embed: _, learn: __, url: ___, ...rest } = meant;
      return await work({ ...rest, ticket });
    } catch (error) {
      // The worker knows no address.
      if (!(error instanceof ServiceError) || error.url !== undefined) throw error;
      throw new ServiceError(error.kind, { ...error.toJSON(), url: meant.url });
    } finally {
      tickets.delete(ticket);
    }
  }

  return {
    status: (source) => call('status', { source: source && sourceOf(source) }),
    plan: (scope, source, following) => call('plan', { scope, source: source && sourceOf(source) }, following),
    index: (scope, meant, following) => withTicket(meant, (meaning) => call('index', { scope, meaning }, following)),
    update: (scope, files, meant, following) =>
      withTicket(meant, (meaning) => call('update', { scope, files, meaning }, following)),
    search: (roots, query, meant, stopping) =>
      withTicket(meant, (meaning) => call('search', { roots, query, meaning }, stopping)),
    contents: (source) => call('contents', { source: source && sourceOf(source) }),
    forgetPaid: () => call('forgetPaid', undefined),
    why: (scope, root, path, source) => call('why', { scope, root, path, source: source && sourceOf(source) }),
    close(meanwhile) {
      const closed = end().then(meanwhile);
      closing = closed.catch(() => undefined);
      return closed;
    },
  };
}

/** A source alone: what else an object may hold, functions for one, does not go between threads. */
function sourceOf({ model, documentPrefix, origin }: VectorSource): VectorSource {
  return { model, documentPrefix, origin };
}
