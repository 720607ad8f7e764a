import { l10n } from 'vscode';
import { isCancelled, ServiceError } from '../../../base/errors.ts';
import { CommandFailure } from '../../../editor/commandError.ts';
import { setContext } from '../../../editor/contextKeys.ts';
import { describeForLog } from '../../../editor/log.ts';
import { withProgress } from '../../../editor/progress.ts';
import type { Services } from '../../../editor/services.ts';
import { window } from '../../../editor/text/window.ts';
import { ContextKey, View } from '../../../ids.ts';
import type { Endpoint } from '../../../service/endpoint.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import type { IndexResult, Plan } from '../../engineApi.ts';
import type { IndexProgress } from '../../types.ts';
import { progressText, stateText } from '../shared/sentences.ts';
import type { IndexDocuments } from './indexDocuments.ts';
import { sayDone, sayPaused, sayStopped } from './indexMessages.ts';
import type { UploadQuestion } from './questionDialog.ts';
import type { SearchIndex } from './searchIndex.ts';
import { isAllowed } from './uploadQuestion.ts';

/**
 * `Index Workspace`: reads the files, shows what would be sent and asks, sends it. A call during a run joins it, and
 * shows a waiting question again.
 */
export interface IndexCommand {
  /** Resolves to the result; to undefined when the user said no or an error was shown to them. */
  forPerson(): Promise<IndexResult | undefined>;
  /** `parley.search.index` (editor/api.ts): rejects with the error instead of showing it. */
  forCaller(): Promise<IndexResult>;
  readonly isRunning: boolean;
  /** Whether a run is going on that is not waiting for an answer. */
  readonly isSending: boolean;
  /** Cancels the current run and its requests. Answers received are kept. */
  cancel(): void;
  /** Cancels the run for an index that is about to be deleted: later calls start a new run, and no message is shown. */
  end(): Promise<void>;
}

interface Running {
  outcome: Promise<Run>;
  /** A caller will show the user how the run ends. */
  isFollowed: boolean;
}

interface Run {
  /** Undefined when the user said no. */
  result: IndexResult | undefined;
  /** Undefined when there is no service, and keywords alone were indexed. */
  endpoint: Endpoint | undefined;
}

/** The reason of a run that ends without a message. */
const deleted = new ServiceError('cancelled');

export function createIndexCommand(
  services: Services,
  index: SearchIndex,
  question: UploadQuestion,
  documents: IndexDocuments,
): IndexCommand {
  let running: Running | undefined;
  let stopping = new AbortController();
  let following: Promise<unknown> | undefined;

  async function runOrJoin(): Promise<Running> {
    // A paused run ends by itself when its requests have finished.
    if (index.sending.paused !== undefined && question.asked === undefined)
      await running?.outcome.catch(() => undefined);
    question.showAgain();
    if (running !== undefined) return running;
    const outcome = run().finally(() => {
      if (running === started) running = undefined;
    });
    const started = { outcome, isFollowed: false };
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
      const embeddingModel = endpoint && index.sending.forFiles(endpoint, true);
      const result = await follow(l10n.t('Parley: Indexing the Workspace'), (following) =>
        index.client.index(index.scope(), embeddingModel, following),
      );
      await refresh();
      const { indexed, filesDone = 0 } = index.status ?? {};
      // Texts beyond the day's budget were left.
      if (embeddingModel?.allowance !== undefined && filesDone < (indexed?.files ?? 0)) {
        index.sending.pause('budget');
        throw new ServiceError('cancelled');
      }
      // The run was paused while its last requests were running.
      index.sending.resume();
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
      return await isAllowed(index, endpoint, plan, question, documents);
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
      let isFirst = false;
      try {
        const joined = await runOrJoin();
        isFirst = !joined.isFollowed;
        joined.isFollowed = true;
        const { result, endpoint } = await joined.outcome;
        if (result !== undefined && isFirst) sayDone(services, endpoint, result);
        return result;
      } catch (error) {
        if (error === deleted || !isFirst) return undefined;
        if (isCancelled(error) && index.sending.paused !== undefined) sayPaused(services, index.sending.paused);
        else sayStopped(services, error);
        return undefined;
      }
    },
    async forCaller() {
      const obstacle = findObstacle();
      if (obstacle !== undefined) throw new CommandFailure(obstacle.code, obstacle.sentence);
      const { result } = await (await runOrJoin()).outcome;
      if (result === undefined) throw new ServiceError('cancelled');
      return result;
    },
    get isRunning() {
      return running !== undefined;
    },
    get isSending() {
      return running !== undefined && question.asked === undefined;
    },
    cancel() {
      question.answer(false);
      stopping.abort();
    },
    async end() {
      running = undefined;
      question.answer(false);
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
    // It may wait for an update of files that is under way, and says nothing of itself until then.
    index.setPhase({ kind: 'reading' });
    void setContext(ContextKey.searchIndexing, true);
    const inNotice = withProgress(title, async (cancelled, report) => {
      const signal = AbortSignal.any([cancelled, stopped]);
      const onEvent = (progress: IndexProgress): void => {
        index.setPhase({ kind: progress.phase, progress });
        report(progressText(progress), fractionOf(progress));
      };
      const listening = index.onDidChange(() => {
        if (index.state.kind === 'waiting') report(stateText(index) ?? '');
      });
      try {
        return await task({ signal, onEvent });
      } catch (error) {
        throw stopped.reason === deleted ? deleted : error;
      } finally {
        listening.dispose();
        index.setPhase({ kind: 'idle' });
        void setContext(ContextKey.searchIndexing, false);
      }
    });
    // The user can dismiss the notification; the view keeps its progress bar.
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
