import { type ErrorKind, isCancelled, ServiceError } from '../../base/errors.ts';
import type { Translation } from '../../service/audio/audio.ts';
import { type OpenRecording, openRecording, type Recording, stampAt } from '../recording/recording.ts';
import type { Journal } from '../transcript/journal.ts';
import { createTranscript, type Transcript } from '../transcript/transcript.ts';
import type { RunningJob } from './jobs.ts';

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

/** Errors of the connection, not of the file: the files that follow would only meet them again. */
const fatalKinds: ReadonlySet<ErrorKind> = new Set([
  'auth',
  'permission',
  'quota',
  'not-found',
  'model-not-found',
  'dns',
  'refused',
  'tls',
  'proxy',
  'redirect',
  'login-page',
]);

export interface Batch {
  candidates: readonly Candidate[];
  model: string;
  /** The job of each candidate, which is ended here. */
  jobs: readonly RunningJob[];
  /** Sends one recording to the service. */
  send(recording: Recording, sha256: string, job: RunningJob): Promise<Translation>;
  journal: Pick<Journal, 'save' | 'get' | 'claim'>;
  /** Called when the translation of a file is on the disk. @param sha256 of the recording */
  onSaved(recording: Recording, sha256: string): void;
  /** Called before each file is sent; `index` counts from 0. */
  report(recording: Recording, index: number): void;
  /** Called now and then while another window translates the same recording, whose text is then taken. */
  reportWait(recording: Recording): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Translates recordings one after another. Each translation is on the disk before the next request starts. A file that
 * fails does not stop the others, unless they would all fail with it. After a cancel the outcomes so far are given.
 */
export async function translateBatch(batch: Batch): Promise<TranslationOutcome[]> {
  const outcomes: TranslationOutcome[] = [];
  let ended: ServiceError | undefined;
  for (const [index, candidate] of batch.candidates.entries()) {
    const job = batch.jobs[index];
    if (job === undefined) continue;
    const { path } = candidate.recording;
    const outcome = ended === undefined ? await translateOne(candidate, batch, job, index) : { path, error: ended };
    const error = 'error' in outcome ? outcome.error : undefined;
    job.end(error);
    if (isCancelled(error)) continue;
    if (error !== undefined && fatalKinds.has(error.kind)) ended = error;
    outcomes.push(outcome);
  }
  return outcomes;
}

async function translateOne(
  candidate: Candidate,
  batch: Batch,
  job: RunningJob,
  index: number,
): Promise<TranslationOutcome> {
  const { recording, sha256, saved } = candidate;
  const { path } = recording;
  const { signal } = job;
  if (signal.aborted) return { path, error: new ServiceError('cancelled') };
  batch.report(recording, index);
  const claim = await batch.journal.claim(sha256, signal, () => batch.reportWait(recording));
  if (claim === undefined) return { path, error: new ServiceError('cancelled') };
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
    const isSaved = 'transcript' in outcome && outcome.unsaved === undefined && outcome.changed === undefined;
    isKept = isSaved && outcome.transcript.sha256 === sha256;
    return outcome;
  } finally {
    claim.release(isKept);
  }
}

/** The recording stays open while it is sent by its path, so that its identity afterwards is that of the file from before. */
async function sendAndSave(candidate: Candidate, batch: Batch, job: RunningJob): Promise<TranslationOutcome> {
  const { path } = candidate.recording;
  let file: OpenRecording | undefined;
  try {
    file = await openRecording(path);
    // One that was changed since it was hashed is sent under its own name, by which its pieces are kept.
    const isSame = file.recording.stamp === candidate.recording.stamp;
    const sha = isSame ? candidate.sha256 : await file.hash(job.signal);
    const translation = await batch.send(file.recording, sha, job);
    const sent = await identifySent(candidate, file, job.signal);
    const { recording, sha256 } = sent ?? candidate;
    const transcript = createTranscript(recording, sha256, batch.model, translation, batch.now());
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
