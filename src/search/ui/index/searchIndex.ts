import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, type Event, EventEmitter, Uri, workspace } from 'vscode';
import { ServiceError } from '../../../base/errors.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { openSharedValue } from '../../../editor/files/sharedValue.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import type { Status } from '../../engine/engineApi.ts';
import type { Peek } from '../../store/peek.ts';
import { createSearchClient, type SearchClient } from '../../worker/searchClient.ts';
import { createIndexPresence } from '../shared/indexPresence.ts';
import { needsAnew } from '../shared/sentences.ts';
import { type IndexPhase, type State, type StateFacts, stateOf } from '../shared/state.ts';
import { createTeamStoreSetting, type TeamStoreSetting } from '../shared/teamStoreSetting.ts';
import { createKeywordHalf, type KeywordHalf } from './keywordHalf.ts';
import { type AllowedModels, createAllowedModels } from './sending/allowedModels.ts';
import { type Consent, createConsent } from './sending/consent.ts';
import { createEmbeddingService, type EmbeddingService } from './sending/embeddingService.ts';

/** The index of this workspace: its worker, its state, and the service it may ask. Nothing starts before first use. */
export interface SearchIndex extends AllowedModels, Disposable {
  readonly client: SearchClient;
  readonly consent: Consent;
  readonly sending: EmbeddingService;
  readonly teamStore: TeamStoreSetting;
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
  /** Whether there is an index on disk; not while it is being deleted. */
  exists(): Promise<boolean>;
  /**
   * Whether an index was there that is gone, and nobody has deleted it here: its folder was removed underneath. What has it open is closed
   * then, and the next call makes it anew.
   */
  wasLost(): Promise<boolean>;
  /** Folder of the index, and file of the vector cache. */
  readonly paths: { directory: string; cache: string };
  /** Deletes the index and the consent; `cache`: also the vector cache. @returns false where that could not be deleted */
  remove(options: { cache: boolean }): Promise<boolean>;
}

export function createSearchIndex(services: Services): SearchIndex {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const { client, consent, models, presence, paths, sending, knownSource, teamStore } = createParts(services, owned);
  let phase: IndexPhase = { kind: 'idle' };
  let status: Status | undefined;
  let peeked: Peek | undefined;
  let isDeleted = false;

  function setPhase(next: IndexPhase): void {
    phase = next;
    changed.fire();
  }

  async function refresh(): Promise<void> {
    const model = await models.allowedModel();
    // To ask for the counts would make an index again.
    if (await presence.isRemoved()) return;
    status = await client.status(model);
    presence.note();
    changed.fire();
  }

  async function peek(): Promise<void> {
    if (status !== undefined || findObstacle() !== undefined) return;
    const seen = await client.peek(await models.allowedModel());
    if (status !== undefined) return;
    peeked = seen;
    if (seen !== undefined) presence.note();
    changed.fire();
  }

  const keywordHalf = createKeywordHalf(client, { setPhase, refresh, knownSource });
  owned.add(sending.onDidChange(() => changed.fire()));
  owned.add(workspace.onDidChangeWorkspaceFolders(() => keywordHalf.forget()));
  owned.add(workspace.onDidGrantWorkspaceTrust(() => void peek().catch(() => undefined)));
  owned.add(
    services.connection.onDidChange(() => void (status === undefined ? peek() : refresh()).catch(() => undefined)),
  );

  return {
    ...models,
    client,
    consent,
    sending,
    teamStore,
    keywordHalf,
    paths,
    get phase() {
      return phase;
    },
    get state() {
      return stateWhile(sending, { phase, status, peeked, isDeleted });
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
    exists: presence.exists,
    async wasLost() {
      if (!(await presence.wasLost())) return false;
      await client.close();
      keywordHalf.forget();
      return true;
    },
    // What is saved meanwhile makes no index of its own.
    remove: (what) =>
      presence.removing(async () => {
        // Consent is withdrawn first, so that an update in between sends nothing.
        await consent.withdraw();
        const isForgotten = !what.cache || (await client.forgetCache());
        await client.close(() => rm(paths.directory, { recursive: true, force: true }));
        sending.resume();
        status = undefined;
        peeked = undefined;
        isDeleted = true;
        keywordHalf.forget();
        setPhase({ kind: 'idle' });
        return isForgotten;
      }),
    dispose() {
      owned.dispose();
      void client.close();
    },
  };
}

function createParts(services: Services, owned: Disposables) {
  const { context, connection, log } = services;
  // A folder can be open without a workspace storage, for example in tests of extensions.
  const storage = context.storageUri ?? Uri.joinPath(context.globalStorageUri, 'workspace');
  const directory = Uri.joinPath(storage, 'search').fsPath;
  const cache = Uri.joinPath(context.globalStorageUri, 'search', 'vectorCache.db').fsPath;
  const script = context.asAbsolutePath(join('dist', 'parley-search.cjs'));
  const teamStore = owned.add(createTeamStoreSetting(context));
  const warn = (text: string): void => log.warn(text);
  const client = createSearchClient(script, directory, cache, warn, undefined, teamStore.read);
  // The worker keeps its connection: another store is opened by the next one.
  owned.add(teamStore.onDidChange(() => void client.close().catch(() => undefined)));
  const sending = owned.add(createEmbeddingService(services));
  const agreements = Uri.joinPath(context.globalStorageUri, 'search', 'agreements.json').fsPath;
  const logError = (error: unknown): void => log.warn(describeForLog(error));
  const presence = createIndexPresence(directory);
  const consent = createConsent(context.workspaceState, openSharedValue(agreements, [], logError));
  const models = createAllowedModels(connection, consent, sending);
  // An index that is made anew takes the vectors that this machine has.
  const knownSource = async () => ((await presence.isMadeAnew()) ? models.allowedModel() : undefined);
  return { client, sending, consent, models, presence, knownSource, teamStore, paths: { directory, cache } };
}

function stateWhile(
  { paused, wait }: EmbeddingService,
  facts: Pick<StateFacts, 'phase' | 'status' | 'peeked' | 'isDeleted'>,
): State {
  return stateOf({ ...facts, paused, waitUntil: wait?.until, waitFor: wait?.error }, Date.now());
}

/** Whether an error is one of the service, or of the way to it: not of the disk, and not of vectors that do not fit. */
function isOfService(error: unknown): boolean {
  return error instanceof ServiceError && error.kind !== 'storage' && !needsAnew(error);
}
