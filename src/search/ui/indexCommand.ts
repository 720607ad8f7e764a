import { commands, l10n, window } from 'vscode';
import { CommandFailure } from '../../editor/commandError.ts';
import { setContext } from '../../editor/context.ts';
import { errorText } from '../../editor/errorText.ts';
import { describeForLog } from '../../editor/log.ts';
import { withProgress } from '../../editor/progress.ts';
import type { Services } from '../../editor/services.ts';
import { Command, ContextKey, View } from '../../ids.ts';
import type { Endpoint } from '../../service/endpoint.ts';
import { isCancelled, ServiceError } from '../../service/errors.ts';
import type { IndexProgress, IndexResult, Plan } from '../protocol.ts';
import type { PausedBy } from '../state.ts';
import type { IndexDocuments } from './indexDocuments.ts';
import { findObstacle } from './obstacle.ts';
import { isAllowed } from './preview.ts';
import type { SearchIndex } from './searchIndex.ts';
import { chunksText, filesText, numberText, progressText, sentenceOf } from './sentences.ts';

/** `Index Workspace`: reads the files, shows what would be sent and asks, sends it. A call while a run goes on joins it. */
export interface IndexCommand {
  /** Resolves to what was done; to undefined when the user said no or it failed, which they are then told of. */
  forPerson(): Promise<IndexResult | undefined>;
  /** `parley.search.index` (editor/api.ts): tells the caller instead. */
  forCaller(): Promise<IndexResult>;
  readonly isRunning: boolean;
  /** Ends the run that goes on, and closes its requests. What came back is kept. */
  cancel(): void;
  /** The same for the index that is about to be deleted: what comes after begins a run of its own, and nobody is told. */
  end(): Promise<void>;
}

interface Run {
  /** Undefined when the user said no. */
  result: IndexResult | undefined;
  /** Undefined when there is no service, and keywords alone were indexed. */
  endpoint: Endpoint | undefined;
}

/** Why a run ended that nobody needs to hear of. */
const deleted = new ServiceError('cancelled');

export function createIndexCommand(services: Services, index: SearchIndex, documents: IndexDocuments): IndexCommand {
  let running: Promise<Run> | undefined;
  let stopping = new AbortController();
  let following: Promise<unknown> | undefined;

  async function runOrJoin(): Promise<Run> {
    // A run that was paused ends by itself, when its requests are home.
    if (index.sending.paused !== undefined) await running?.catch(() => undefined);
    if (running !== undefined) return running;
    const started = run().finally(() => {
      if (running === started) running = undefined;
    });
    running = started;
    return started;
  }

  async function run(): Promise<Run> {
    index.sending.resume();
    try {
      const endpoint = await index.endpoint();
      const plan = await follow(l10n.t('Parley: Reading the Workspace'), (following) =>
        index.client.plan(index.scope(), endpoint && index.sending.forQuestions(endpoint), following),
      );
      index.markPrepared();
      if (endpoint !== undefined && !(await isAgreed(endpoint, plan))) return { result: undefined, endpoint };
      const meant = endpoint && index.sending.forFiles(endpoint);
      const result = await follow(l10n.t('Parley: Indexing the Workspace'), (following) =>
        index.client.index(index.scope(), meant, following),
      );
      await refresh();
      const { indexed, filesDone = 0 } = index.status ?? {};
      // What did not fit into the budget of the day was left.
      if (meant?.allowance !== undefined && filesDone < (indexed?.files ?? 0)) {
        index.sending.pause('budget');
        throw new ServiceError('cancelled');
      }
      return { result, endpoint };
    } catch (error) {
      await refresh();
      if (!isCancelled(error)) index.setPhase({ kind: 'failed', error });
      throw error;
    }
  }

  const refresh = (): Promise<void> =>
    index.refresh().catch((error: unknown) => services.log.error(describeForLog(error)));

  async function isAgreed(endpoint: Endpoint, plan: Plan): Promise<boolean> {
    try {
      index.setPhase({ kind: 'consent' });
      return await isAllowed(index, endpoint, index.sending.forQuestions(endpoint), plan, documents);
    } finally {
      index.setPhase({ kind: 'idle' });
      await refresh();
    }
  }

  return {
    async forPerson() {
      const obstacle = findObstacle();
      if (obstacle !== undefined) {
        void services.notices.warn(obstacle.sentence, obstacle.action);
        return undefined;
      }
      try {
        const { result, endpoint } = await runOrJoin();
        if (result !== undefined) sayDone(services, endpoint, result);
        return result;
      } catch (error) {
        if (error === deleted) return undefined;
        if (isCancelled(error) && index.sending.paused !== undefined) sayPaused(services, index.sending.paused);
        else sayStopped(services, error);
        return undefined;
      }
    },
    async forCaller() {
      const obstacle = findObstacle();
      if (obstacle !== undefined) throw new CommandFailure(obstacle.code, obstacle.sentence);
      const { result } = await runOrJoin();
      if (result === undefined) throw new ServiceError('cancelled');
      return result;
    },
    get isRunning() {
      return running !== undefined;
    },
    cancel: () => stopping.abort(),
    async end() {
      running = undefined;
      stopping.abort(deleted);
      await following;
    },
  };

  function follow<T>(
    title: string,
    task: (following: { signal: AbortSignal; onEvent: (progress: IndexProgress) => void }) => Promise<T>,
  ): Promise<T> {
    stopping = new AbortController();
    const { signal: stopped } = stopping;
    void setContext(ContextKey.searchIndexing, true);
    const inNotice = withProgress(title, async (cancelled, report) => {
      const signal = AbortSignal.any([cancelled, stopped]);
      const onEvent = (progress: IndexProgress): void => {
        index.setPhase({ kind: progress.phase, progress });
        report(progressText(progress), fractionOf(progress));
      };
      try {
        return await task({ signal, onEvent });
      } catch (error) {
        throw stopped.reason === deleted ? deleted : error;
      } finally {
        index.setPhase({ kind: 'idle' });
        void setContext(ContextKey.searchIndexing, false);
      }
    });
    // A notification can be put away; the view keeps its bar.
    const over = inNotice.catch(() => undefined);
    following = over;
    void window.withProgress({ location: { viewId: View.search } }, () => over);
    return inNotice;
  }
}

function fractionOf(progress: IndexProgress): number | undefined {
  const [done, of] =
    progress.phase === 'embedding' ? [progress.chunks, progress.ofChunks] : [progress.files, progress.ofFiles];
  return of === 0 ? undefined : done / of;
}

function sayDone(
  { notices }: Services,
  endpoint: Endpoint | undefined,
  { files, embedded, reused }: IndexResult,
): void {
  if (endpoint === undefined) {
    void notices.info(
      l10n.t('Searching by keywords: {0} indexed. Connect a service to search by meaning.', filesText(files)),
      { title: l10n.t('Connect'), command: Command.connect },
    );
    return;
  }
  const search = { title: l10n.t('Search'), command: Command.searchQuery };
  const sentence =
    embedded === 0
      ? l10n.t('The index of {0} is up to date; nothing was sent.', filesText(files))
      : l10n.t('Indexed {0}: {1} sent, {2} known already.', filesText(files), chunksText(embedded), numberText(reused));
  void notices.info(sentence, search);
}

/** A pause of the user's own is seen in the status bar; that of the budget came by itself. */
function sayPaused({ notices }: Services, by: PausedBy): void {
  if (by === 'user') return;
  void notices.info(l10n.t('The daily token budget is spent. Indexing goes on tomorrow; what came back is kept.'), {
    title: l10n.t('Change Budget'),
    command: 'workbench.action.openSettings',
    arguments: ['parley.embeddings.dailyTokenBudget'],
  });
}

/** A run that ended early: what happened, what helps, and Resume, which asks for nothing a second time. */
function sayStopped({ notices, log }: Services, error: unknown): void {
  const resume = { title: l10n.t('Resume'), command: Command.searchIndex };
  if (isCancelled(error)) {
    void notices.info(l10n.t('Indexing was stopped; what came back is kept.'), resume);
    return;
  }
  log.error(describeForLog(error));
  const text = error instanceof ServiceError ? errorText(error) : undefined;
  const actions = [text?.action ?? { title: l10n.t('Show Log'), command: Command.showLog }, resume];
  void window
    .showErrorMessage(
      l10n.t('{0} What was indexed so far is kept.', sentenceOf(error)),
      ...actions.slice(text?.action === undefined ? 1 : 0).map(({ title }) => title),
    )
    .then((chosen) => {
      const action = actions.find(({ title }) => title === chosen);
      if (action !== undefined)
        void commands.executeCommand(action.command, ...('arguments' in action ? (action.arguments ?? []) : []));
    });
}
