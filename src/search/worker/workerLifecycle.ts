import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../base/errors.ts';
import { type CallOptions, createRpc, type Handlers, type Rpc } from '../../base/rpc.ts';
import { storageError } from '../store/storageError.ts';
import type { WorkerData, WorkerMethods } from './workerProtocol.ts';

/** Young generation in MB. The worker's objects are short-lived; the larger default would only cost 100 MB more. */
const youngMegabytes = 24;

class WorkerEnded extends Error {}
/** The worker was stopped because of one search; its other calls are retried without counting this against them. */
class WorkerStopped extends WorkerEnded {}

interface Running {
  worker: Worker;
  rpc: Rpc<WorkerMethods>;
}

/** The worker: started at the first call, and again after a crash. */
export interface WorkerLifecycle {
  /** Calls the worker. A call that a crash interrupted is retried, and repeats nothing that was stored. */
  call<K extends keyof WorkerMethods & string>(
    method: K,
    params: WorkerMethods[K]['params'],
    following?: CallOptions<WorkerMethods[K]['event']>,
  ): Promise<WorkerMethods[K]['result']>;
  /** Kills a worker that does not respond; false when there is none. */
  stop(): boolean;
  /** Ends the worker in order. The next call starts another after `meanwhile`. */
  close(meanwhile?: () => Promise<void>): Promise<void>;
}

/**
 * Starts a worker on demand.
 * @param script the worker's bundle (or, in tests, its source)
 * @param handlers for the worker's calls
 */
export function createWorkerLifecycle(
  script: string | URL,
  workerData: WorkerData,
  handlers: Handlers,
): WorkerLifecycle {
  let running: Running | undefined;
  let closing: Promise<void> = Promise.resolve();

  function start(): Running {
    const worker = new Worker(script, { workerData, resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes } });
    const rpc = createRpc<WorkerMethods>(worker, handlers);
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

  /** Waits also for a close that begins meanwhile: a worker must not open an index that is about to be deleted. */
  async function untilClosed(): Promise<void> {
    const waited = closing;
    await waited;
    if (waited !== closing) await untilClosed();
  }

  async function end(): Promise<void> {
    const ending = running;
    running = undefined;
    if (ending === undefined) return;
    // Open calls fail here, so that none of them starts another worker.
    ending.rpc.fail(new ServiceError('cancelled'));
    await ending.rpc.call('close', undefined).catch(() => undefined);
    await ending.worker.terminate();
  }

  return {
    async call(method, params, following = {}) {
      for (let deaths = 0; ; ) {
        await untilClosed();
        if (following.signal?.aborted) throw new ServiceError('cancelled');
        running ??= start();
        try {
          return await running.rpc.call(method, params, following);
        } catch (error) {
          if (!(error instanceof WorkerEnded)) throw error;
          if (!(error instanceof WorkerStopped) && ++deaths > 1) throw error;
        }
      }
    },
    stop() {
      const stuck = running;
      if (stuck === undefined) return false;
      running = undefined;
      void stuck.worker.terminate();
      stuck.rpc.fail(new WorkerStopped('The search worker was stopped.'));
      return true;
    },
    close(meanwhile) {
      const closed = end().then(meanwhile);
      closing = closed.catch(() => undefined);
      return closed;
    },
  };
}
