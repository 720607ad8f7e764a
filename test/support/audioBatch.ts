import { createJobs } from '../../src/audio/jobs/jobs.ts';
import { type Batch, type TranslationOutcome, translateBatch } from '../../src/audio/jobs/translate.ts';
import { createTaskQueue } from '../../src/base/taskQueue.ts';

/** Translates a batch in a queue of its own. */
export function runBatch(batch: Omit<Batch, 'jobs' | 'turns'>, signal: AbortSignal): Promise<TranslationOutcome[]> {
  return translateBatch({ ...batch, jobs: createJobs(() => {}), turns: createTaskQueue() }, signal);
}
