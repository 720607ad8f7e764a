import type { Status } from '../../engine/engineApi.ts';
import type { Peek } from '../../store/peek.ts';
import type { IndexProgress } from '../../types.ts';

/** The current activity of the search. */
export type IndexPhase =
  | { kind: 'idle' }
  | { kind: 'reading' | 'embedding'; progress?: IndexProgress }
  /** Many files changed at once, as with another branch, and are being taken in. */
  | { kind: 'updating'; files: number }
  /** The question before an upload waits for an answer. */
  | { kind: 'consent' }
  | { kind: 'failed'; error: unknown };

export type PausedBy = 'user' | 'budget';

/** The facts the state is computed from. */
export interface StateFacts {
  phase: IndexPhase;
  /** Counts of the index; undefined before first use. */
  status: Status | undefined;
  /** The index was deleted in this window. */
  isDeleted?: boolean;
  /** Counts from the disk, used until the status is known. */
  peeked?: Peek | undefined;
  paused: PausedBy | undefined;
  /** End of the requests' wait, in milliseconds since the epoch. */
  waitUntil: number | undefined;
  /** Error that is retried; undefined where the service asked for the wait. */
  waitFor?: unknown;
}

/** The one state that is shown. `done` of `of` are files while they are read, chunks while they are sent, then files. */
export type State =
  | { kind: 'unused' }
  | { kind: 'deleted' }
  | { kind: 'listing' }
  | { kind: 'reading'; done: number; of: number }
  | { kind: 'updating'; files: number }
  | { kind: 'consent' }
  | { kind: 'embedding'; done: number; of: number }
  /** `error`: the error that is retried; undefined where the service asks for the wait. */
  | { kind: 'waiting'; until: number; done: number; of: number; error?: unknown }
  | { kind: 'paused'; by: PausedBy; done: number; of: number }
  | { kind: 'failed'; error: unknown }
  /** Only keywords find files; there are no vectors of the model, or no model. */
  | { kind: 'words'; files: number }
  /** Some files have no vectors yet. */
  | { kind: 'stale'; done: number; of: number }
  | { kind: 'ready'; files: number };

/** Computes the state from the facts: current activity comes first, then errors, then the counts. */
export function stateOf(
  { phase, status, peeked, isDeleted = false, paused, waitUntil, waitFor }: StateFacts,
  now: number,
): State {
  switch (phase.kind) {
    case 'consent':
    case 'updating':
    case 'failed':
      return phase;
    case 'reading':
    case 'embedding':
      // Running requests finish; no other follows them.
      if (paused !== undefined && phase.progress?.phase === 'embedding') {
        return { kind: 'paused', by: paused, done: phase.progress.chunks, of: phase.progress.ofChunks };
      }
      return stateOfRun(phase.progress, waitUntil !== undefined && waitUntil > now ? waitUntil : undefined, waitFor);
    case 'idle': {
      const { files: of, filesDone } = status ? { ...status.indexed, filesDone: status.filesDone } : (peeked ?? {});
      if (of === undefined) return { kind: isDeleted ? 'deleted' : 'unused' };
      const done = filesDone ?? 0;
      // A complete index has nothing left to pause, even if it was paused on the way.
      if (paused !== undefined && done < of) return { kind: 'paused', by: paused, done, of };
      if (filesDone === undefined) return { kind: 'words', files: of };
      return done < of ? { kind: 'stale', done, of } : { kind: 'ready', files: of };
    }
  }
}

function stateOfRun(progress: IndexProgress | undefined, until: number | undefined, error: unknown): State {
  if (progress === undefined) return { kind: 'listing' };
  if (progress.phase === 'reading') {
    const { files, ofFiles } = progress;
    return ofFiles === 0 ? { kind: 'listing' } : { kind: 'reading', done: files, of: ofFiles };
  }
  const { chunks: done, ofChunks: of } = progress;
  if (until === undefined) return { kind: 'embedding', done, of };
  return { kind: 'waiting', until, done, of, ...(error === undefined ? {} : { error }) };
}

/** The progress of a run that goes on with another: what that had sent counts as well. @param before the chunks of the other */
export function countedOn(progress: IndexProgress, before: number): IndexProgress {
  if (progress.phase !== 'embedding' || before <= progress.ofChunks) return progress;
  const had = before - progress.ofChunks;
  return { phase: 'embedding', chunks: progress.chunks + had, ofChunks: before };
}
