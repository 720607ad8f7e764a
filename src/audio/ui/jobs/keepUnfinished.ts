import type { Disposable, Memento } from 'vscode';
import * as z from 'zod/mini';
import { type ErrorKind, errorKinds, ServiceError } from '../../../base/errors.ts';
import { type AudioJob, type EndedJob, isEnded, keptPieces, keyOf, readJobKey } from '../../jobs/audioJob.ts';
import type { AudioJobs } from '../../jobs/jobs.ts';
import { missingSchema } from '../../transcript/transcript.ts';

/** The list of translations, kept with the workspace: recordings that were not done when their window was closed, and how others ended. */
export interface UnfinishedJobs extends Disposable {
  save(): void;
  /** Lists them, so that the user can go on with them. */
  restore(): void;
}

const key = 'audio.unfinished';

/** Those that are kept, the newest; a job that is kept is some hundred bytes. */
const mostKept = 200;
/** Characters of what a service said that are kept. */
const longest = 500;

/** A recording by the name of its job; of older versions, its path alone. Without a state it was not over. */
const savedSchema = z.union([
  z.string(),
  z.object({
    path: z.string(),
    done: z.optional(z.number()),
    pieces: z.optional(z.number()),
    state: z.optional(z.enum(['done', 'failed', 'cancelled', 'interrupted'])),
    result: z.optional(z.enum(['text', 'no-speech', 'untranslated'])),
    missing: z.optional(missingSchema),
    error: z.optional(
      z.object({
        kind: z.enum(errorKinds),
        status: z.optional(z.number()),
        message: z.optional(z.string()),
        param: z.optional(z.string()),
        hint: z.optional(z.string()),
      }),
    ),
  }),
]);

type Saved = z.infer<typeof savedSchema>;

export function keepUnfinished(memory: Memento, jobs: AudioJobs): UnfinishedJobs {
  let saved = '';
  let isClosed = false;
  return {
    save() {
      const all = jobs.all.slice(-mostKept).map(toSaved);
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
      const read = (Array.isArray(list) ? list : []).slice(-mostKept);
      jobs.addEnded(read.flatMap((each) => toJob(savedSchema.safeParse(each).data)));
    },
  };
}

function toSaved(job: AudioJob): Saved {
  const { state, result, error, missing } = job;
  const known = { path: keyOf(job), ...keptPieces(job), ...(missing && { missing }) };
  if (!isEnded(job) || state === 'interrupted') return known;
  const said = error && {
    kind: error.kind,
    ...(error.status !== undefined && { status: error.status }),
    ...(error.message !== '' && { message: error.message.slice(0, longest) }),
    ...(error.param !== undefined && { param: error.param.slice(0, longest) }),
    ...(error.hint !== undefined && { hint: error.hint.slice(0, longest) }),
  };
  return { ...known, state: state as 'done', ...(result && { result }), ...(said && { error: said }) };
}

function toJob(saved: Saved | undefined): EndedJob[] {
  if (saved === undefined) return [];
  if (typeof saved === 'string') return [{ ...readJobKey(saved), state: 'interrupted' }];
  const { path, state = 'interrupted', result, missing, error, done, pieces } = saved;
  return [
    {
      ...readJobKey(path),
      state,
      ...(result && { result }),
      ...(missing && { missing }),
      ...(error && { error: new ServiceError(error.kind as ErrorKind, error) }),
      ...(done !== undefined && pieces !== undefined && { kept: { done, pieces } }),
    },
  ];
}
