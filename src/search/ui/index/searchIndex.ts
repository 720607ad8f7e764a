import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, type Event, EventEmitter, Uri, workspace } from 'vscode';
import { ServiceError } from '../../../base/errors.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Services } from '../../../editor/services.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import type { Status } from '../../engineApi.ts';
import type { Peek } from '../../store/peek.ts';
import { createSearchClient, type SearchClient } from '../../worker/searchClient.ts';
import { needsAnew } from '../shared/sentences.ts';
import { type IndexPhase, type State, stateOf } from '../shared/state.ts';
import { createKeywordHalf, type KeywordHalf } from './keywordHalf.ts';
import { type AllowedModels, createAllowedModels } from './sending/allowedModels.ts';
import { type Consent, createConsent } from './sending/consent.ts';
import { createEmbeddingService, type EmbeddingService } from './sending/embeddingService.ts';

/** The index of this workspace: its worker, its state, and the service it may ask. Nothing starts before first use. */
export interface SearchIndex extends AllowedModels, Disposable {
  readonly client: SearchClient;
  readonly consent: Consent;
  readonly sending: EmbeddingService;
  readonly keywordHalf: KeywordHalf;
  readonly phase: IndexPhase;
  /** The one state that is shown. */
  readonly state: State;
  /** Counts of the index; undefined before first use. */
  readonly status: Status | undefined;
  /** Fires when the state, or a part of it, changed. */
  readonly onDidChange: Event<void>;
  setPhase(phase: IndexPhase): void;
  /** A question was answered by meaning: an error of the service, or on the way to it, is over. */
  tellAnswered(): void;
  /** Reads the counts from the index. */
  refresh(): Promise<void>;
  /** Shows the state of an index that was not used yet, without reading it all. */
  peek(): Promise<void>;
  /** Whether there is an index on disk. */
  exists(): Promise<boolean>;
  /** Folder of the index, and file of the vector cache. */
  readonly paths: { directory: string; cache: string };
  /** Deletes the index and the consent; `cache`: also the vector cache. */
  remove(options: { cache: boolean }): Promise<void>;
}

export function createSearchIndex(services: Services): SearchIndex {
  const { context, connection } = services;
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  // A folder can be open without a workspace storage, for example in tests of extensions.
  const storage = context.storageUri ?? Uri.joinPath(context.globalStorageUri, 'workspace');
  const directory = Uri.joinPath(storage, 'search').fsPath;
  const cache = Uri.joinPath(context.globalStorageUri, 'search', 'vectorCache.db').fsPath;
  const script = context.asAbsolutePath(join('dist', 'searchWorker.cjs'));
  const client = createSearchClient(script, directory, cache, (text) => services.log.warn(text));
  const sending = owned.add(createEmbeddingService(services));
  const consent = createConsent(context.workspaceState);
  const models = createAllowedModels(connection, consent, sending);
  let phase: IndexPhase = { kind: 'idle' };
  let status: Status | undefined;
  let peeked: Peek | undefined;
  let found = false;
  let isDeleted = false;

  function setPhase(next: IndexPhase): void {
    phase = next;
    changed.fire();
  }

  async function refresh(): Promise<void> {
    status = await client.status(await models.allowedModel());
    changed.fire();
  }

  async function peek(): Promise<void> {
    if (status !== undefined || findObstacle() !== undefined) return;
    const found = await client.peek(await models.allowedModel());
    if (status !== undefined) return;
    peeked = found;
    changed.fire();
  }

  const keywordHalf = createKeywordHalf(client, { setPhase, refresh });
  owned.add(sending.onDidChange(() => changed.fire()));
  owned.add(workspace.onDidChangeWorkspaceFolders(() => keywordHalf.forget()));
  owned.add(workspace.onDidGrantWorkspaceTrust(() => void peek().catch(() => undefined)));
  owned.add(connection.onDidChange(() => void (status === undefined ? peek() : refresh()).catch(() => undefined)));

  return {
    ...models,
    client,
    consent,
    sending,
    keywordHalf,
    paths: { directory, cache },
    get phase() {
      return phase;
    },
    get state() {
      const { paused, wait } = sending;
      const waiting = { waitUntil: wait?.until, waitFor: wait?.error };
      return stateOf({ phase, status, peeked, isDeleted, paused, ...waiting }, Date.now());
    },
    get status() {
      return status;
    },
    onDidChange: changed.event,
    setPhase,
    tellAnswered() {
      if (phase.kind === 'failed' && isOfService(phase.error)) setPhase({ kind: 'idle' });
    },
    refresh,
    peek,
    async exists() {
      // Every save asks, so a positive answer is cached.
      found ||= await isThere(join(directory, 'index.db'));
      return found;
    },
    async remove(what) {
      // Consent is withdrawn first, so that an update in between sends nothing.
      await consent.withdraw();
      if (what.cache) await client.forgetCache();
      await client.close(() => rm(directory, { recursive: true, force: true }));
      sending.resume();
      found = false;
      status = undefined;
      peeked = undefined;
      isDeleted = true;
      keywordHalf.forget();
      setPhase({ kind: 'idle' });
    },
    dispose() {
      owned.dispose();
      void client.close();
    },
  };
}

/** Whether an error is one of the service, or of the way to it: not of the disk, and not of vectors that do not fit. */
function isOfService(error: unknown): boolean {
  return error instanceof ServiceError && error.kind !== 'storage' && !needsAnew(error);
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
