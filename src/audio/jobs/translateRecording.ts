import type { Translation } from '../../service/audio/audio.ts';
import type { TranslatedPiece } from '../merge/mergePieces.ts';
import { isTaken } from '../recording/formats.ts';
import type { Recording } from '../recording/recording.ts';
import type { RunningJob } from './jobs.ts';
import type { SplitRecording } from './pieces.ts';
import { type PieceWork, translatePieces } from './translatePieces.ts';
import { envelopeBytes, limitAfter } from './uploadLimit.ts';

/** How a recording is sent, whole or in pieces. */
export interface RecordingWork extends Omit<PieceWork, 'sha256' | 'split' | 'untilGoing' | 'report'> {
  /** Opens a recording to be cut. @throws ServiceError where it cannot be */
  openSplit(recording: Recording, signal: AbortSignal): Promise<SplitRecording>;
  merge(pieces: readonly TranslatedPiece[]): Promise<Translation>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Translates a recording: as it is, where the service takes it so, else in pieces. @throws ServiceError */
export async function translateRecording(
  recording: Recording,
  sha256: string,
  work: RecordingWork,
  job: RunningJob,
): Promise<Translation> {
  if (isSentWhole(recording, work.limit.bytes) && !(await hasPictures(recording, work, job))) {
    try {
      return await sendWhole(recording, work, job);
    } catch (error) {
      const next = limitAfter(error, recording.size + envelopeBytes);
      if (next === undefined) throw error;
      work.limit.learn(next);
    }
  }
  job.update({ state: 'cutting' });
  const split = await work.openSplit(recording, job.signal);
  try {
    const since = work.now();
    const pieces = await translatePieces(
      {
        ...work,
        sha256,
        split,
        untilGoing: job.untilGoing,
        report: (progress) => job.update({ state: 'sending', progress, since }),
      },
      job.signal,
    );
    return await work.merge(pieces);
  } finally {
    await split.close();
  }
}

/** Whether a service takes a recording as it is; of one with pictures it gets the sound alone. */
export function isSentWhole({ size, format }: Recording, limit: number): boolean {
  return isTaken(format) && size + envelopeBytes <= limit;
}

/** Whether there are pictures beside the sound. Where that cannot be told, the service is to say what it takes. */
async function hasPictures(
  recording: Recording,
  { openSplit }: RecordingWork,
  { signal }: RunningJob,
): Promise<boolean> {
  if (recording.format.mayHavePictures === undefined) return false;
  try {
    const split = await openSplit(recording, signal);
    await split.close();
    return split.hasPictures;
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  }
}

async function sendWhole(recording: Recording, work: RecordingWork, job: RunningJob): Promise<Translation> {
  const { path, format, size } = recording;
  const since = work.now();
  const seconds = format.durationSeconds ?? 0;
  const report = (bytesSent: number): void => {
    const progress = { pieces: 1, done: 0, failed: 0, seconds, secondsDone: 0, secondsSent: 0, bytes: size, bytesSent };
    job.update({ state: 'sending', progress, since });
  };
  await job.untilGoing(job.signal);
  report(0);
  return work.send({ path, contentType: format.contentType, prompt: work.promptFor([]) }, job.signal, report);
}
