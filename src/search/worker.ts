import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../service/errors.ts';
import { onGrammarFailure } from './chunker/grammars.ts';
import { createEngine, type Meant } from './engine.ts';
import type { HostMethods, Meaning, WorkerData, WorkerMethods } from './protocol.ts';
import { type CallContext, createRpc, type Handlers } from './rpc.ts';
import { storageError } from './storage.ts';

/** The entry of the search worker: the engine, answering calls. Vectors are asked of the host, which has the key. */
if (parentPort === null) throw new Error('The search worker runs as a worker thread.');
const { directory, paidPath } = workerData as WorkerData;
const engine = createEngine(directory, paidPath);

type Params<K extends keyof WorkerMethods> = WorkerMethods[K]['params'];

const handlers = {
  status: ({ source }: Params<'status'>) => engine.status(source),
  plan: ({ scope, source }: Params<'plan'>, { signal, emit }: CallContext) => engine.plan(scope, source, signal, emit),
  index: ({ scope, meaning }: Params<'index'>, { signal, emit }: CallContext) =>
    engine.index(scope, meant(meaning), signal, emit),
  update: ({ scope, files, meaning }: Params<'update'>, { signal, emit }: CallContext) =>
    engine.update(scope, files, meant(meaning), signal, emit),
  search: ({ roots, query, meaning }: Params<'search'>, { signal }: CallContext) =>
    engine.search(roots, query, meant(meaning), signal),
  why: ({ scope, root, path, source }: Params<'why'>, { signal }: CallContext) =>
    engine.why(scope, root, path, source, signal),
  contents: ({ source }: Params<'contents'>) => engine.contents(source),
  forgetPaid: () => engine.forgetPaid(),
  close: () => engine.close(),
} satisfies Record<keyof WorkerMethods, unknown>;

const host = createRpc<HostMethods>(parentPort, guarded(handlers as Handlers));

onGrammarFailure((grammar, error) => {
  const text = `The grammar ${grammar} cannot be loaded, so its files are cut by indentation: ${error}`;
  void host.call('warn', { text }).catch(() => undefined);
});

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
  const { ticket, ...rest } = meaning;
  return {
    ...rest,
    embed: (texts, signal, model) => host.call('embed', { ticket, texts, model }, { signal }),
    // Not awaited: messages keep their order, so the host has it before the result of the run.
    learn: (learned) => void host.call('learn', { ticket, batchSize: learned }).catch(() => undefined),
  };
}
