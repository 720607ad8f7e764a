import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../service/errors.ts';
import { createEngine, type Meant } from './engine.ts';
import type { HostMethods, Meaning, WorkerMethods } from './protocol.ts';
import { type CallContext, createRpc, type Handlers } from './rpc.ts';
import { storageError } from './storage.ts';

/** The entry of the search worker: the engine, answering calls. Vectors are asked of the host, which has the key. */
if (parentPort === null) throw new Error('The search worker runs as a worker thread.');
const { directory } = workerData as { directory: string };
const engine = createEngine(directory);

type Params<K extends keyof WorkerMethods> = WorkerMethods[K]['params'];

const handlers = {
  status: ({ model }: Params<'status'>) => engine.status(model),
  plan: ({ scope, model }: Params<'plan'>, { signal, emit }: CallContext) => engine.plan(scope, model, signal, emit),
  index: ({ scope, meaning }: Params<'index'>, { signal, emit }: CallContext) =>
    engine.index(scope, meant(meaning), signal, emit),
  update: ({ scope, files, meaning }: Params<'update'>, { signal, emit }: CallContext) =>
    engine.update(scope, files, meant(meaning), signal, emit),
  search: ({ roots, query, meaning }: Params<'search'>, { signal }: CallContext) =>
    engine.search(roots, query, meant(meaning), signal),
  close: () => engine.close(),
} satisfies Record<keyof WorkerMethods, unknown>;

const host = createRpc<HostMethods>(parentPort, guarded(handlers as Handlers));

/** Says failures of the disk as what they are. After damage the index is opened again, with a thorough look. */
function guarded(unguarded: Handlers): Handlers {
  const guard =
    (handler: Handlers[string]): Handlers[string] =>
    async (params, context) => {
      try {
        return await handler(params, context);
      } catch (error) {
        const known = storageError(error);
        if (known instanceof ServiceError && known.hint === 'damaged') engine.suspect();
        throw known;
      }
    };
  return Object.fromEntries(Object.entries(unguarded).map(([name, handler]) => [name, guard(handler)]));
}

function meant(meaning: Meaning | undefined): Meant | undefined {
  if (meaning === undefined) return undefined;
  const { model, ticket, batchSize } = meaning;
  return {
    model,
    batchSize,
    embed: (texts, signal) => host.call('embed', { ticket, texts }, { signal }),
    // Not awaited: messages keep their order, so the host has it before the result of the run.
    learn: (learned) => void host.call('learn', { ticket, batchSize: learned }).catch(() => undefined),
  };
}
