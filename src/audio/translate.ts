import { type AudioUpload, type Translation, translateAudio } from '../service/audio.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Endpoint } from '../service/endpoint.ts';
import { type ErrorKind, isCancelled, ServiceError } from '../service/errors.ts';
import type { Adjustment } from '../service/fieldMemory.ts';
import { hashFile, type Journal } from './journal.ts';
import { probeRecording, type Recording } from './probe.ts';
import { createTranscript, type Transcript } from './transcript.ts';

/** A recording that is ready to be sent, with the translation its bytes already have, if any. */
export interface Candidate {
  recording: Recording;
  sha256: string;
  saved: Transcript | undefined;
}

/** What became of one file. */
export type Outcome =
  | { path: string; transcript: Transcript /** The disk did not take it. */; unsaved?: unknown }
  | { path: string; error: ServiceError };

/** Looks at one file before anything is sent. Throws what `probeRecording` throws. */
export async function prepare(path: string, journal: Journal): Promise<Candidate> {
  const recording = await probeRecording(path);
  const known = await journal.find(recording);
  if (known !== undefined) return { recording, sha256: known.sha256, saved: known };
  const sha256 = await hashFile(path);
  const saved = await journal.get(sha256);
  // The same bytes under another name: remembered, so that this file is marked too.
  if (saved !== undefined) await remember(saved, recording, journal);
  return { recording, sha256, saved };
}

/** Without it the file is only not marked in the explorer, so a full disk is no reason to fail. */
async function remember(saved: Transcript, recording: Recording, journal: Pick<Journal, 'save'>): Promise<void> {
  await journal.save(saved, recording).catch(() => undefined);
}

/** How to ask for a translation; the user's settings. */
export type AudioOptions = Pick<AudioUpload, 'prompt' | 'responseFormat' | 'temperature' | 'fileField'>;

/** Sends one recording to the service. */
export type Translator = (
  endpoint: Endpoint,
  recording: Recording,
  options: AudioOptions,
  signal: AbortSignal,
) => Promise<Translation>;

/** Makes the translator of a session, which tells what a service refused. */
export function createTranslator(
  { transport, memory }: Pick<ServiceClient, 'transport' | 'memory'>,
  onAdjusted: (adjustment: Adjustment) => void,
): Translator {
  return (endpoint, recording, options, signal) => {
    const upload = { ...options, path: recording.path, contentType: recording.format.contentType };
    return translateAudio(transport, endpoint, upload, signal, { memory, onAdjusted });
  };
}

/** Errors of the connection, not of the file: the files that follow would only meet them again. */
const endsAll: ReadonlySet<ErrorKind> = new Set([
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
  /** Asks the service. */
  send(recording: Recording, signal: AbortSignal): Promise<Translation>;
  journal: Pick<Journal, 'save' | 'get'>;
  /** Called when the translation of a file is on the disk. */
  onSaved(recording: Recording): void;
  /** Called before each file is sent; `index` counts from 0. */
  report(recording: Recording, index: number): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Translates recordings one after another. Each translation is on the disk before the next request starts. A file that
 * fails does not stop the others, unless they would all fail with it. After a cancel the outcomes so far are given.
 */
export async function translateBatch(batch: Batch, signal: AbortSignal): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let ended: ServiceError | undefined;
  for (const [index, candidate] of batch.candidates.entries()) {
    if (signal.aborted) break;
    const { path } = candidate.recording;
    if (ended !== undefined) {
      outcomes.push({ path, error: ended });
      continue;
    }
    batch.report(candidate.recording, index);
    const outcome = await translateOne(candidate, batch, signal);
    if ('error' in outcome && isCancelled(outcome.error)) break;
    if ('error' in outcome && endsAll.has(outcome.error.kind)) ended = outcome.error;
    outcomes.push(outcome);
  }
  return outcomes;
}

async function translateOne(candidate: Candidate, batch: Batch, signal: AbortSignal): Promise<Outcome> {
  const { recording, sha256 } = candidate;
  const { path } = recording;
  // The same bytes may have come earlier in this batch, or in another window.
  const meanwhile = candidate.saved === undefined ? await batch.journal.get(sha256) : undefined;
  if (meanwhile !== undefined) {
    await remember(meanwhile, recording, batch.journal);
    batch.onSaved(recording);
    return { path, transcript: meanwhile };
  }
  let transcript: Transcript;
  try {
    const translation = await batch.send(recording, signal);
    transcript = createTranscript(recording, sha256, batch.model, translation, batch.now());
  } catch (error) {
    if (error instanceof ServiceError) return { path, error };
    throw error;
  }
  try {
    await batch.journal.save(transcript, recording);
    batch.onSaved(recording);
    return { path, transcript };
  } catch (unsaved) {
    return { path, transcript, unsaved };
  }
}
