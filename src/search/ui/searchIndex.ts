import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, type Event, EventEmitter, Uri, window, workspace } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { View } from '../../ids.ts';
import type { Endpoint } from '../../service/endpoint.ts';
import { type ErrorKind, ServiceError } from '../../service/errors.ts';
import { createSearchClient, type SearchClient } from '../client.ts';
import type { Meant } from '../engine.ts';
import type { IndexProgress, Scope, Status } from '../protocol.ts';
import { type Phase, type State, stateOf } from '../state.ts';
import { type Consent, createConsent } from './consent.ts';
import { roots } from './obstacle.ts';
import { createSending, type Sending } from './sending.ts';

/** The index of this workspace: its worker, its state, and the service it may ask. Nothing starts before first use. */
export interface SearchIndex extends Disposable {
  readonly client: SearchClient;
  readonly consent: Consent;
  readonly sending: Sending;
  readonly phase: Phase;
  /** The one state that is shown. */
  readonly state: State;
  /** What the index holds; undefined before first use. */
  readonly status: Status | undefined;
  /** The state, or something it is made of, changed. */
  readonly onDidChange: Event<void>;
  setPhase(phase: Phase): void;
  /** Asks the index what it holds. */
  refresh(): Promise<void>;
  scope(): Scope;
  /** Whether there is an index on disk. */
  exists(): Promise<boolean>;
  /** The service for the meaning half; undefined when none is set up. Throws what is wrong with one that is. */
  endpoint(): Promise<Endpoint | undefined>;
  /** The meaning half for questions, as far as the user agreed to it: undefined without a service or without a yes. */
  allowedMeant(): Promise<Meant | undefined>;
  /** The same for files; undefined also while paused. */
  allowedForFiles(): Promise<Meant | undefined>;
  /** Brings the keyword half up to date, once a session; sends nothing. */
  prepare(): Promise<void>;
  /** The keyword half is up to date, by another way than `prepare`. */
  markPrepared(): void;
  /** Where the index is, and the vectors kept for the whole machine. */
  readonly paths: { directory: string; paid: string };
  /** Deletes the index and the yes; `paid`: the vectors kept for the whole machine as well. */
  remove(options: { paid: boolean }): Promise<void>;
}

/** Without these there is no service, and searching by keywords is what is left. */
const notConnected: ReadonlySet<ErrorKind> = new Set(['no-address', 'no-model']);

export function createSearchIndex(services: Services): SearchIndex {
  const { context, connection } = services;
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  // Folders can be opened without a workspace to keep state for, in tests of extensions for one.
  const storage = context.storageUri ?? Uri.joinPath(context.globalStorageUri, 'workspace');
  const directory = Uri.joinPath(storage, 'search').fsPath;
  const paid = Uri.joinPath(context.globalStorageUri, 'search', 'paid.db').fsPath;
  const script = context.asAbsolutePath(join('dist', 'searchWorker.cjs'));
  const client = createSearchClient(script, directory, paid, (text) => services.log.warn(text));
  const sending = owned.add(createSending(services));
  const consent = createConsent(context.workspaceState);
  let phase: Phase = { kind: 'idle' };
  let status: Status | undefined;
  let prepared: Promise<void> | undefined;
  let found = false;

  function setPhase(next: Phase): void {
    phase = next;
    changed.fire();
  }

  const scope = (): Scope => ({
    roots: roots(),
    maxBytes: readSetting('parley.search.maxFileSize') * 1024,
    exclude: readSetting('parley.search.exclude'),
    allow: readSetting('parley.search.allowPaths'),
    includeGenerated: readSetting('parley.search.includeGenerated'),
  });

  async function endpoint(): Promise<Endpoint | undefined> {
    try {
      return await connection.endpoint('embeddings');
    } catch (error) {
      if (error instanceof ServiceError && notConnected.has(error.kind)) return undefined;
      throw error;
    }
  }

  async function allowedEndpoint(): Promise<Endpoint | undefined> {
    const to = await endpoint().catch(() => undefined);
    return to !== undefined && consent.isGiven(to.baseUrl) ? to : undefined;
  }

  async function allowedMeant(): Promise<Meant | undefined> {
    const to = await allowedEndpoint();
    return to && sending.forQuestions(to);
  }

  async function refresh(): Promise<void> {
    status = await client.status(await allowedMeant());
    changed.fire();
  }

  async function readFiles(): Promise<void> {
    let failure: ServiceError | undefined;
    try {
      setPhase({ kind: 'reading' });
      const onEvent = (progress: IndexProgress): void => setPhase({ kind: 'reading', progress });
      await window.withProgress({ location: { viewId: View.search } }, () =>
        client.index(scope(), undefined, { onEvent }),
      );
      await refresh();
    } catch (error) {
      prepared = undefined;
      // What is in the index can be searched, though nothing new goes in.
      if (!(error instanceof ServiceError && error.kind === 'storage') || error.hint === 'damaged') throw error;
      failure = error;
      await refresh();
    } finally {
      setPhase(failure === undefined ? { kind: 'idle' } : { kind: 'failed', error: failure });
    }
  }

  owned.add(sending.onDidChange(() => changed.fire()));
  owned.add(workspace.onDidChangeWorkspaceFolders(() => (prepared = undefined)));
  owned.add(connection.onDidChange(() => status !== undefined && void refresh().catch(() => undefined)));

  return {
    client,
    consent,
    sending,
    paths: { directory, paid },
    get phase() {
      return phase;
    },
    get state() {
      const { paused, wait } = sending;
      return stateOf({ phase, status, paused, waitUntil: wait?.until }, Date.now());
    },
    get status() {
      return status;
    },
    onDidChange: changed.event,
    setPhase,
    refresh,
    scope,
    async exists() {
      // Asked on every save, so a yes is remembered.
      found ||= await access(join(directory, 'index.db')).then(
        () => true,
        () => false,
      );
      return found;
    },
    endpoint,
    allowedMeant,
    async allowedForFiles() {
      const to = sending.paused === undefined ? await allowedEndpoint() : undefined;
      return to && sending.forFiles(to);
    },
    prepare: () => {
      prepared ??= readFiles();
      return prepared;
    },
    markPrepared: () => {
      prepared = Promise.resolve();
    },
    async remove(what) {
      // First: an update that comes in between sends nothing.
      await consent.withdraw();
      if (what.paid) await client.forgetPaid();
      await client.close(() => rm(directory, { recursive: true, force: true }));
      sending.resume();
      found = false;
      status = undefined;
      prepared = undefined;
      setPhase({ kind: 'idle' });
    },
    dispose() {
      owned.dispose();
      void client.close();
    },
  };
}
