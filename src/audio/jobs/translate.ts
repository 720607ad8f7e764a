import { isCancelled, ServiceError } from '../../base/errors.ts';
import type { TaskQueue } from '../../base/taskQueue.ts';
import type { AudioTask } from '../../service/audio/audio.ts';
import type { MergedTranslation } from '../merge/mergePieces.ts';
import { type OpenRecording, openRecording, type Recording, stampAt } from '../recording/recording.ts';
import type { Journal } from '../transcript/journal.ts';
import { createTranscript, type Transcript } from '../transcript/transcript.ts';
import type { RunningJob } from './audioJob.ts';
import { jobKey } from './audioJob.ts';
import { fatalKinds } from './failures.ts';
import type { AudioJobs } from './jobs.ts';

/** A recording that is ready to be sent, with the translation its bytes already have, if any. */
export interface Candidate {
  recording: Recording;
  sha256: string;
  saved: Transcript | undefined;
}

/** The outcome for one file. */
export type TranslationOutcome = Translated | { path: string; error: ServiceError };

interface Translated {
  path: string;
  transcript: Transcript;
  /** The reason why the disk did not take it. */
  unsaved?: unknown;
  /** The recording was changed while it was sent: the bytes that this text belongs to are unknown, so it is not kept. */
  changed?: true;
}

/**
 * Looks at one file before anything is sent.
 * @throws what `openRecording` and `hash` throw
 */
export async function prepare(path: string, journal: Journal, signal: AbortSignal): Promise<Candidate> {
  const file = await openRecording(path);
  try {
    const { recording } = file;
    const known = await journal.find(recording);
    if (known !== undefined) return { recording, sha256: known.sha256, saved: known };
    const sha256 = await file.hash(signal);
    const saved = await journal.get(sha256);
    // A known translation of the same bytes is saved for this path, so that this file is marked too.
    if (saved !== undefined) await remember(saved, recording, journal);
    return { recording, sha256, saved };
  } finally {
    await file.close();
  }
}

/** Saves a translation for another file. A failure is ignored: the file is only not marked in the explorer. */
async function remember(saved: Transcript, recording: Recording, journal: Pick<Journal, 'save'>): Promise<void> {
  await journal.save(saved, recording).catch(() => undefined);
}

export interface Batch {
  candidates: readonly Candidate[];
  /** What is made of them; `translate` where it is absent. The journal is the one for such texts. */
  task?: AudioTask | undefined;
  model: string;
  /** What is kept of how a recording was asked about. */
  askedWith?(recording: Recording): Pick<Transcript, 'prompt' | 'track'>;
  jobs: AudioJobs<TranslationOutcome>;
  /** One recording of a window at a time is sent; one that is paused gives its turn to the next. */
  turns: TaskQueue;
  /** Sends one recording to the service. Undefined: it was paused before all was sent. */
  send(recording: Recording, sha256: string, job: RunningJob): Promise<MergedTranslation | undefined>;
  journal: Pick<Journal, 'save' | 'get' | 'claim'>;
  /** Called when the translation of a file is on the disk. @param sha256 of the recording */
  onSaved(recording: Recording, sha256: string): void;
  /** Called before each file is sent; `index` counts from 0. */
  report(recording: Recording, index: number): void;
  /**
   * Called when there is a wait for others: a job of the same recording, whose text is then taken; now and then another window that
   * translates it; or the recordings that were there before this batch.
   */
  reportWait(recording: Recording, of: 'same' | 'window' | 'others'): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Translates recordings one after another. Each translation is on the disk before the next request starts. A file that
 * fails does not stop the others, unless they would all fail with it. After a cancel the outcomes so far are given.
 */
export async function translateBatch(batch: Batch, signal: AbortSignal): Promise<TranslationOutcome[]> {
  let ended: ServiceError | undefined;

  async function inTurn(candidate: Candidate, job: RunningJob, index: number): Promise<TranslationOutcome> {
    const { recording } = candidate;
    for (;;) {
      const outcome = await batch.turns(
        () => (ended === undefined ? translateOne(candidate, batch, job, index) : fail(recording, ended)),
        job.signal,
        index === 0 ? () => batch.reportWait(recording, 'others') : undefined,
      );
      if (outcome !== undefined) {
        if ('error' in outcome && isForAll(outcome.error)) ended = outcome.error;
        return outcome;
      }
      await job.untilGoing();
      job.update({ state: 'waiting' });
    }
  }

  const outcomes = batch.candidates.map(async (candidate, index) => {
    const { recording } = candidate;
    const key = jobKey(recording.path, batch.task);
    if (batch.jobs.isRunning(key)) batch.reportWait(recording, 'same');
    try {
      return await batch.jobs.run(key, signal, (job) => inTurn(candidate, job, index));
    } catch (error) {
      if (isCancelled(error)) return fail(recording, error as ServiceError);
      throw error;
    }
  });
  const all = await Promise.all(outcomes);
  return all.filter((outcome) => !('error' in outcome) || !isCancelled(outcome.error));
}

const fail = async ({ path }: Recording, error: ServiceError): Promise<TranslationOutcome> => ({ path, error });

/** Whether the files that follow would only meet an error again. A service that asks to wait asks that of all. */
const isForAll = ({ kind, retryAfterMs }: ServiceError): boolean => fatalKinds.has(kind) || retryAfterMs !== undefined;

/** Undefined: it was paused before it was done, and another call goes on with it. */
async function translateOne(
  given: Candidate,
  batch: Batch,
  job: RunningJob,
  index: number,
): Promise<TranslationOutcome | undefined> {
  const { path } = given.recording;
  const { signal } = job;
  if (signal.aborted) return fail(given.recording, new ServiceError('cancelled'));
  if (job.isPaused()) return undefined;
  batch.report(given.recording, index);
  const candidate = given.saved === undefined ? given : await hashAgain(given, signal);
  if ('error' in candidate) return candidate;
  const { recording, sha256, saved } = candidate;
  const claim = await batch.journal.claim(sha256, signal, () => batch.reportWait(recording, 'window'));
  if (claim === undefined) return fail(recording, new ServiceError('cancelled'));
  // A text that is kept is found by all who come later, so its lock is needed no more.
  let isKept = false;
  try {
    // The same bytes may have been translated earlier in this batch, or in another window, since this file was looked at.
    const meanwhile = await batch.journal.get(sha256);
    if (meanwhile !== undefined && meanwhile.createdAt !== saved?.createdAt) {
      await remember(meanwhile, recording, batch.journal);
      batch.onSaved(recording, sha256);
      isKept = true;
      return { path, transcript: meanwhile };
    }
    const outcome = await sendAndSave(candidate, batch, job);
    if (outcome === undefined) return undefined;
    const isSaved = 'transcript' in outcome && outcome.unsaved === undefined && outcome.changed === undefined;
    isKept = isSaved && outcome.transcript.sha256 === sha256;
    return outcome;
  } finally {
    claim.release(isKept);
  }
}

/** One that was known by its size and time: its bytes may be others by now, and their text is kept under their hash. */
async function hashAgain(
  { recording: { path }, sha256, saved }: Candidate,
  signal: AbortSignal,
): Promise<Candidate | Extract<TranslationOutcome, { error: unknown }>> {
  try {
    const file = await openRecording(path);
    try {
      const hash = await file.hash(signal);
      return { recording: file.recording, sha256: hash, saved: hash === sha256 ? saved : undefined };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ServiceError) return { path, error };
    throw error;
  }
}

/** The recording stays open while it is sent by its path, so that its identity afterwards is that of the file from before. */
async function sendAndSave(
  candidate: Candidate,
  batch: Batch,
  job: RunningJob,
): Promise<TranslationOutcome | undefined> {
  const { path } = candidate.recording;
  let file: OpenRecording | undefined;
  try {
    file = await openRecording(path);
    // One that was changed since it was hashed is sent under its own name, by which its pieces are kept.
    const isSame = file.recording.stamp === candidate.recording.stamp;
    const sha = isSame ? candidate.sha256 : await file.hash(job.signal);
    const translation = await batch.send(file.recording, sha, job);
    if (translation === undefined) return undefined;
    const sent = await identifySent(candidate, file, job.signal);
    const { recording, sha256 } = sent ?? candidate;
    const made = createTranscript(recording, sha256, batch.model, translation, batch.now(), batch.task);
    const { missing } = job;
    const transcript = { ...made, ...(missing && { missing }), ...batch.askedWith?.(recording) };
    return sent === undefined ? { path, transcript, changed: true } : await save(transcript, recording, batch);
  } catch (error) {
    if (error instanceof ServiceError) return { path, error };
    throw error;
  } finally {
    await file?.close();
  }
}

async function save(transcript: Transcript, recording: Recording, batch: Batch): Promise<Translated> {
  const { path } = recording;
  try {
    await batch.journal.save(transcript, recording);
    batch.onSaved(recording, transcript.sha256);
    return { path, transcript };
  } catch (unsaved) {
    return { path, transcript, unsaved };
  }
}

/**
 * Finds out which bytes were sent: a text is kept under the hash of its recording, for every copy of it. One that was overwritten
 * after it was hashed is hashed again. Undefined when it changed on the way.
 * @param file as it was opened when sending began
 */
async function identifySent(
  { recording, sha256 }: Candidate,
  file: OpenRecording,
  signal: AbortSignal,
): Promise<Pick<Candidate, 'recording' | 'sha256'> | undefined> {
  const { path, stamp } = recording;
  const before = file.recording.stamp;
  const after = await stampAt(path);
  // A file that was moved or deleted by now was still sent as it was.
  if (before === stamp && (after === stamp || after === undefined)) return { recording, sha256 };
  let now: OpenRecording | undefined;
  try {
    now = after === before ? file : await openRecording(path);
    const hash = await now.hash(signal);
    if ((await stampAt(path)) !== now.recording.stamp) return undefined;
    // The file was only touched, or overwritten before the first byte went out.
    return hash === sha256 || now === file ? { recording: now.recording, sha256: hash } : undefined;
  } catch {
    return undefined;
  } finally {
    if (now !== file) await now?.close();
  }
}
