import type { Disposable, Memento } from 'vscode';
import * as z from 'zod/mini';
import type { KeptPieces } from '../../jobs/audioJob.ts';
import type { AudioJobs } from '../../jobs/jobs.ts';

/** The recordings that were not done when their window was closed, or of which pieces are missing, kept with the workspace. */
export interface UnfinishedJobs extends Disposable {
  save(): void;
  /** Lists them, so that the user can go on with them. */
  restore(): void;
}

const key = 'audio.unfinished';

/** A recording; of older versions, its path alone. */
const savedSchema = z.union([
  z.string(),
  z.object({ path: z.string(), done: z.optional(z.number()), pieces: z.optional(z.number()) }),
]);

export function keepUnfinished(memory: Memento, jobs: AudioJobs): UnfinishedJobs {
  let saved = '';
  let isClosed = false;
  return {
    save() {
      const { open, partial } = jobs;
      const all = [...new Set([...open, ...partial.keys()])].map((path) => ({ path, ...partial.get(path) }));
      const now = JSON.stringify(all);
      if (now === saved || isClosed) return;
      saved = now;
      void memory.update(key, all.length === 0 ? undefined : all);
    },
    // What ends as the window is closed is interrupted, not over.
    dispose() {
      isClosed = true;
    },
    restore() {
      const list: unknown = memory.get(key);
      const read = (Array.isArray(list) ? list : []).flatMap((each) => savedSchema.safeParse(each).data ?? []);
      const kept = new Map<string, KeptPieces>();
      for (const each of read) {
        if (typeof each === 'string' || each.done === undefined || each.pieces === undefined) continue;
        kept.set(each.path, { done: each.done, pieces: each.pieces });
      }
      jobs.addInterrupted(
        read.map((each) => (typeof each === 'string' ? each : each.path)),
        kept,
      );
    },
  };
}
