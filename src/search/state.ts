import type { IndexProgress, Status } from './protocol.ts';

/** What the search is doing. */
export type Phase =
  | { kind: 'idle' }
  | { kind: 'reading' | 'embedding'; progress?: IndexProgress }
  /** The user is asked whether something may be sent. */
  | { kind: 'consent' }
  | { kind: 'failed'; error: unknown };

export type PausedBy = 'user' | 'budget';

/** What the state is made of. */
export interface Facts {
  phase: Phase;
  /** What the index holds; undefined before first use. */
  status: Status | undefined;
  paused: PausedBy | undefined;
  /** Until when the service has requests wait, in milliseconds since the epoch. */
  waitUntil: number | undefined;
}

/** The one state that is shown. `done` of `of` are files while they are read, chunks while they are sent, then files. */
export type State =
  | { kind: 'unused' }
  | { kind: 'listing' }
  | { kind: 'reading'; done: number; of: number }
  | { kind: 'consent' }
  | { kind: 'embedding'; done: number; of: number }
  | { kind: 'waiting'; until: number; done: number; of: number }
  | { kind: 'paused'; by: PausedBy; done: number; of: number }
  | { kind: 'failed'; error: unknown }
  /** Found by words; there are no vectors of the model, or no model. */
  | { kind: 'words'; files: number }
  /** Some files are not found by meaning yet. */
  | { kind: 'stale'; done: number; of: number }
  | { kind: 'ready'; files: number };

/** The state that follows from the facts: what is going on comes first, then what went wrong, then what there is. */
export function stateOf({ phase, status, paused, waitUntil }: Facts, now: number): State {
  switch (phase.kind) {
    case 'consent':
    case 'failed':
      return phase;
    case 'reading':
    case 'embedding':
      // Requests on their way come home; no other follows them.
      if (paused !== undefined && phase.progress?.phase === 'embedding') {
        return { kind: 'paused', by: paused, done: phase.progress.chunks, of: phase.progress.ofChunks };
      }
      return stateOfRun(phase.progress, waitUntil !== undefined && waitUntil > now ? waitUntil : undefined);
    case 'idle': {
      if (status === undefined) return { kind: 'unused' };
      const of = status.indexed.files;
      const done = status.filesDone ?? 0;
      if (paused !== undefined) return { kind: 'paused', by: paused, done, of };
      if (status.filesDone === undefined) return { kind: 'words', files: of };
      return done < of ? { kind: 'stale', done, of } : { kind: 'ready', files: of };
    }
  }
}

function stateOfRun(progress: IndexProgress | undefined, until: number | undefined): State {
  if (progress === undefined) return { kind: 'listing' };
  if (progress.phase === 'reading') {
    const { files, ofFiles } = progress;
    return ofFiles === 0 ? { kind: 'listing' } : { kind: 'reading', done: files, of: ofFiles };
  }
  const { chunks: done, ofChunks: of } = progress;
  return until === undefined ? { kind: 'embedding', done, of } : { kind: 'waiting', until, done, of };
}
