import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../base/errors.ts';
import { type CallContext, createRpc, type Handlers } from '../../base/rpc.ts';
import { onGrammarFailure } from '../../syntax/grammars.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import { createEngine } from '../engine.ts';
import { storageError } from '../store/storageError.ts';
import { IndexStoreError } from '../team/indexStoreError.ts';
import { repositoryName } from '../team/repositoryName.ts';
import { createTeamIndex } from '../team/teamIndex.ts';
import { openTeamStore, tryTeamStore } from '../team/teamStore.ts';
import type { HostMethods, TicketedModel, WorkerData, WorkerMethods } from './workerProtocol.ts';

/** The entry of the search worker: the engine, answering calls. Vectors are requested from the host, which has the key. */
if (parentPort === null) throw new Error('The search worker runs as a worker thread.');
const { directory, cachePath } = workerData as WorkerData;
const team = createTeamIndex(async (root, signal) => {
  const at = await host.call('teamStore', undefined, { signal });
  return at && openTeamStore({ ...at, repository: await repositoryName(root, signal) }, signal);
});
const engine = createEngine(directory, cachePath, team);

type Params<K extends keyof WorkerMethods> = WorkerMethods[K]['params'];

const handlers = {
  peek: ({ source }: Params<'peek'>) => engine.peek(source),
  status: ({ source }: Params<'status'>) => engine.status(source),
  plan: ({ scope, source }: Params<'plan'>, { signal, emit }: CallContext) => engine.plan(scope, source, signal, emit),
  index: ({ scope, embeddingModel }: Params<'index'>, { signal, emit }: CallContext) =>
    engine.index(scope, embeddingModelOf(embeddingModel), signal, emit),
  update: ({ scope, files, embeddingModel, again }: Params<'update'>, { signal, emit }: CallContext) =>
    engine.update(scope, files, embeddingModelOf(embeddingModel), signal, emit, again),
  search: ({ roots, query, embeddingModel }: Params<'search'>, { signal }: CallContext) =>
    engine.search(roots, query, embeddingModelOf(embeddingModel), signal),
  why: ({ scope, root, path, source }: Params<'why'>, { signal }: CallContext) =>
    engine.why(scope, root, path, source, signal),
  contents: ({ source }: Params<'contents'>) => engine.contents(source),
  exportVectors: ({ source, path, signingKeyPath }: Params<'exportVectors'>, { signal }: CallContext) =>
    engine.exportVectors(source, path, signal, signingKeyPath),
  importVectors: ({ request }: Params<'importVectors'>, { signal, emit }: CallContext) =>
    engine.importVectors(request, signal, emit),
  tryTeamStore: async ({ at, root }: Params<'tryTeamStore'>, { signal }: CallContext) =>
    tryTeamStore({ ...at, repository: root === undefined ? 'workspace' : await repositoryName(root, signal) }, signal),
  forgetCache: () => engine.forgetCache(),
  close: () => engine.close(),
} satisfies Record<keyof WorkerMethods, unknown>;

const host = createRpc<HostMethods>(parentPort, guarded(handlers as Handlers));

onGrammarFailure((grammar, error) => {
  const text = `The grammar ${grammar} cannot be loaded, so its files are cut by indentation: ${error}`;
  void host.call('warn', { text }).catch(() => undefined);
});

/** Turns errors of the disk into `storage` errors. After corruption the index is reopened with a thorough check. */
function guarded(unguarded: Handlers): Handlers {
  const guard =
    (handler: Handlers[string]): Handlers[string] =>
    async (params, context) => {
      try {
        return await handler(params, context);
      } catch (error) {
        const known = storageError(error);
        if (known instanceof ServiceError && known.hint === 'damaged') engine.suspect();
        throw known instanceof IndexStoreError ? storeError(known) : known;
      }
    };
  return Object.fromEntries(Object.entries(unguarded).map(([name, handler]) => [name, guard(handler)]));
}

/** An error of the store of a team as it goes to the host. */
function storeError({ reason, detail }: IndexStoreError): ServiceError {
  return new ServiceError(reason === 'cancelled' ? 'cancelled' : 'team-store', { hint: reason, message: detail });
}

function embeddingModelOf(ticketed: TicketedModel | undefined): EmbeddingModel | undefined {
  if (ticketed === undefined) return undefined;
  const { ticket, ...rest } = ticketed;
  return {
    ...rest,
    embed: (texts, signal) => host.call('embed', { ticket, texts }, { signal }),
    // The call is not awaited: messages keep their order, so it reaches the host before the result of the run.
    learn: (learned) => void host.call('learn', { ticket, batchSize: learned }).catch(() => undefined),
  };
}
