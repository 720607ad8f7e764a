import { ServiceError } from '../../../../base/errors.ts';
import { setContext } from '../../../../editor/contextKeys.ts';
import { type Report, withProgress } from '../../../../editor/progress.ts';
import { window } from '../../../../editor/text/window.ts';
import { ContextKey, View } from '../../../../ids/ids.ts';
import type { IndexProgress } from '../../../types.ts';
import type { Following } from '../../../worker/searchClient.ts';
import { progressText, stateText } from '../../shared/sentences.ts';
import { countedOn } from '../../shared/state.ts';
import type { SearchIndex } from '../searchIndex.ts';

/** Work on the index that the user can follow, and cancel, in a notification. */
export interface FollowedWork {
  /** Does the work; it becomes the one that `stop` and `end` stop. */
  follow<T>(title: string, task: (following: Following, report: Report) => Promise<T>): Promise<T>;
  stop(): void;
  /** Stops the work so that it rejects with `deleted`, and waits until it is over. */
  end(): Promise<void>;
}

/** The reason of work that ends without a message. */
export const deleted = new ServiceError('cancelled');

export function createFollowedWork(index: SearchIndex): FollowedWork {
  let stopping = new AbortController();
  let current: Promise<unknown> | undefined;
  /** The chunks that a run which was paused, stopped or failed had before it: the one that goes on counts them. */
  let unfinished = 0;

  return {
    follow(title, task) {
      stopping = new AbortController();
      const { signal: stopped } = stopping;
      // It may wait for an update of files that is under way, and says nothing of itself until then.
      index.setPhase({ kind: 'reading' });
      void setContext(ContextKey.searchIndexing, true);
      const inNotice = withProgress(title, async (cancelled, report) => {
        const signal = AbortSignal.any([cancelled, stopped]);
        const onEvent = (progress: IndexProgress): void => {
          const shown = countedOn(progress, unfinished);
          if (shown.phase === 'embedding') unfinished = shown.ofChunks;
          index.setPhase({ kind: shown.phase, progress: shown });
          report(progressText(shown), fractionOf(shown));
        };
        const listening = index.onDidChange(() => {
          if (index.state.kind === 'waiting') report(stateText(index) ?? '');
        });
        try {
          const result = await task({ signal, onEvent }, report);
          if (index.phase.kind === 'embedding' && index.sending.paused === undefined) unfinished = 0;
          return result;
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
      current = over;
      void window.withProgress({ location: { viewId: View.search } }, () => over);
      return inNotice;
    },
    stop: () => stopping.abort(),
    async end() {
      unfinished = 0;
      stopping.abort(deleted);
      await current;
    },
  };
}

function fractionOf(progress: IndexProgress): number | undefined {
  const [done, of] =
    progress.phase === 'embedding' ? [progress.chunks, progress.ofChunks] : [progress.files, progress.ofFiles];
  return of === 0 ? undefined : done / of;
}
