import { createJobs } from '../../src/audio/jobs/jobs.ts';
import { type Batch, type TranslationOutcome, translateBatch } from '../../src/audio/jobs/translate.ts';

/** Translates a batch with jobs that one signal cancels. */
export function runBatch(batch: Omit<Batch, 'jobs'>, signal: AbortSignal): Promise<TranslationOutcome[]> {
  const jobs = createJobs(() => {});
  return translateBatch({ ...batch, jobs: batch.candidates.map(({ recording }) => jobs.add(recording.path, signal)) });
}
