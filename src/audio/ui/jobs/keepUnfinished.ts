import type { Disposable, Memento } from 'vscode';
import type { AudioJobs } from '../../jobs/jobs.ts';

/** The recordings that were not done when their window was closed, kept with the workspace. */
export interface UnfinishedJobs extends Disposable {
  save(): void;
  /** Lists them, so that the user can go on with them. */
  restore(): void;
}

const key = 'audio.unfinished';

export function keepUnfinished(memory: Memento, jobs: AudioJobs): UnfinishedJobs {
  let saved = '';
  let isClosed = false;
  return {
    save() {
      const open = jobs.open;
      const now = JSON.stringify(open);
      if (now === saved || isClosed) return;
      saved = now;
      void memory.update(key, open.length === 0 ? undefined : open);
    },
    // What ends as the window is closed is interrupted, not over.
    dispose() {
      isClosed = true;
    },
    restore() {
      const paths: unknown = memory.get(key);
      if (Array.isArray(paths)) jobs.addInterrupted(paths.filter((path) => typeof path === 'string'));
    },
  };
}
