import { Worker } from 'node:worker_threads';
import { createRpc, type Rpc } from '../base/rpc.ts';
import type { EditPlan } from './plan.ts';
import type { PlanMethods } from './planMethods.ts';

/** Finds out what answers change, in a thread: a plan parses the files. Errors are those of plan.ts. */
export interface Planner {
  /** Starts the thread while an answer still comes in, so that its plan need not wait for that. */
  prepare(): void;
  plan<Name extends keyof PlanMethods & string>(
    method: Name,
    params: PlanMethods[Name]['params'],
  ): Promise<PlanMethods[Name]['result'] | GivenUp>;
  dispose(): void;
}

/** In place of a result that takes too long. */
type GivenUp = Extract<EditPlan, { readonly kind: 'unresolved' }>;

/** A plan that takes longer, in milliseconds, is given up. */
const longestPlan = 30_000;
/** The thread ends when it was not needed for so long, in milliseconds. */
const idleTime = 60_000;

interface Running {
  readonly worker: Worker;
  readonly rpc: Rpc<PlanMethods>;
  /** The number of plans on their way. */
  plans: number;
  /** Whether it was ended because a plan took too long. */
  isLate: boolean;
}

/** @param script of the thread (or, in tests, its source) */
export function createPlanner(script: string | URL): Planner {
  let running: Running | undefined;
  let timer: NodeJS.Timeout | undefined;

  function start(): Running {
    const worker = new Worker(script);
    const rpc = createRpc<PlanMethods>(worker, {});
    const started = { worker, rpc, plans: 0, isLate: false };
    const end = (error?: Error): void => {
      if (running === started) running = undefined;
      rpc.fail(error ?? new Error('The thread that plans edits has ended.'));
    };
    worker.on('error', end);
    worker.on('exit', () => end());
    return started;
  }

  function stop(thread = running): void {
    if (thread === running) {
      clearTimeout(timer);
      running = undefined;
    }
    void thread?.worker.terminate();
  }

  function stopLater(): void {
    clearTimeout(timer);
    timer = setTimeout(() => stop(), idleTime);
  }

  return {
    prepare() {
      if (running !== undefined) return;
      running = start();
      stopLater();
    },
    async plan(method, params) {
      clearTimeout(timer);
      running ??= start();
      const own = running;
      own.plans++;
      // Each plan has a time of its own. What stood behind the one that took too long has no plan either.
      const limit = setTimeout(() => {
        own.isLate = true;
        stop(own);
      }, longestPlan);
      try {
        return await own.rpc.call(method, params);
      } catch (error) {
        if (own.isLate) return { kind: 'unresolved', reason: 'not-found' };
        throw error;
      } finally {
        clearTimeout(limit);
        own.plans--;
        if (own === running && own.plans === 0) stopLater();
      }
    },
    dispose: () => stop(),
  };
}
