import { isCancelled, ServiceError } from '../../../base/errors.ts';
import { CommandFailure } from '../../../editor/commandError.ts';
import type { Services } from '../../../editor/services.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import type { IndexResult } from '../../engine/engineApi.ts';
import type { IndexDocuments } from './indexDocuments.ts';
import { createFollowedWork, deleted } from './run/followedWork.ts';
import { sayDone, sayPaused, sayStopped } from './run/indexMessages.ts';
import { type IndexRun, runIndexing } from './run/runIndexing.ts';
import type { UploadQuestion } from './run/uploadQuestion.ts';
import type { SearchIndex } from './searchIndex.ts';

/**
 * `Index Workspace`: reads the files, shows what would be sent and asks, sends it. A call during a run joins it, and
 * shows a waiting question again.
 */
export interface IndexCommand {
  /** Resolves to the result; to undefined when the user said no or an error was shown to them. */
  forPerson(): Promise<IndexResult | undefined>;
  /** The same, with vectors from this shared file first: its path or address. */
  withShared(file: string): Promise<IndexResult | undefined>;
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
  outcome: Promise<IndexRun>;
  /** A caller will show the user how the run ends. */
  isFollowed: boolean;
}

export function createIndexCommand(
  services: Services,
  index: SearchIndex,
  question: UploadQuestion,
  documents: IndexDocuments,
): IndexCommand {
  let running: Running | undefined;
  const work = createFollowedWork(index);

  async function runOrJoin(shared?: string): Promise<Running> {
    // A paused run ends by itself when its requests have finished.
    if (index.sending.paused !== undefined && question.asked === undefined)
      await running?.outcome.catch(() => undefined);
    question.showAgain();
    // A run that is going on knows nothing of the file.
    while (shared !== undefined && running !== undefined) await running.outcome.catch(() => undefined);
    if (running !== undefined) return running;
    const outcome = runIndexing({ services, index, work, question, documents }, shared).finally(() => {
      if (running === started) running = undefined;
    });
    const started = { outcome, isFollowed: false };
    running = started;
    return started;
  }

  async function runForPerson(shared?: string): Promise<IndexResult | undefined> {
    const obstacle = findObstacle();
    if (obstacle !== undefined) {
      void services.notices.warn(obstacle.sentence, obstacle.action);
      return undefined;
    }
    let isFirst = false;
    try {
      const joined = await runOrJoin(shared);
      isFirst = !joined.isFollowed;
      joined.isFollowed = true;
      const run = await joined.outcome;
      if (run.result !== undefined && isFirst) sayDone(services, run.endpoint, run.result, run.shared);
      return run.result;
    } catch (error) {
      if (error === deleted || !isFirst) return undefined;
      if (isCancelled(error) && index.sending.paused !== undefined) sayPaused(services, index.sending.paused);
      else sayStopped(services, error);
      return undefined;
    }
  }

  return {
    forPerson: () => runForPerson(),
    withShared: runForPerson,
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
      work.stop();
    },
    async end() {
      running = undefined;
      question.answer(false);
      await work.end();
    },
  };
}
