import { ServiceError } from '../../base/errors.ts';
import type { Translation } from '../../service/audio/audio.ts';
import type { MergedTranslation, TranslatedPiece } from '../merge/mergePieces.ts';
import type { TranslationPrompt } from '../prompt/translationPrompt.ts';
import { isTaken } from '../recording/formats.ts';
import { type Recording, stampNow } from '../recording/recording.ts';
import type { MissingSound } from '../split/thread/splitMethods.ts';
import type { RunningJob } from './audioJob.ts';
import { type PieceRequest, wholeRecording } from './pieceStore.ts';
import type { PieceProgress, SplitRecording } from './pieces.ts';
import type { PieceWork } from './pieceWork.ts';
import type { SoundAlone } from './soundAlone.ts';
import { translatePieces } from './translatePieces.ts';
import { envelopeBytes, isCutOff, limitAfter, type UploadLimit } from './uploadLimit.ts';

/** How a recording is sent, whole or in pieces. */
export interface RecordingWork extends Omit<PieceWork, 'sha256' | 'split' | 'prompt' | 'isPaused' | 'report'> {
  /** What a recording is asked with. */
  promptFor(recording: Recording): Promise<TranslationPrompt>;
  /**
   * Opens a recording to be cut.
   * @param track the number of the track that is wanted; without it, the one that seems to be meant
   * @throws ServiceError where it cannot be
   */
  openSplit(recording: Recording, signal: AbortSignal, track?: number): Promise<SplitRecording>;
  /** The number of the track that the user chose; undefined where they did not. */
  chosenTrack?(recording: Recording): number | undefined;
  /**
   * Looks through a recording. Without its answer no file is sent as it is.
   * @throws ServiceError where it cannot be read
   */
  proveAlone(recording: Recording, signal: AbortSignal): Promise<SoundAlone | undefined>;
  /** Called when all of a recording is translated that there is, and some of it is not there. */
  onMissing?(recording: Recording, missing: MissingSound): void;
  merge(pieces: readonly TranslatedPiece[]): Promise<MergedTranslation>;
}

/**
 * Translates a recording: as it is, where the service takes it so, else in pieces.
 * @returns undefined when it was paused before all was sent: another call goes on with it
 * @throws ServiceError
 */
export async function translateRecording(
  recording: Recording,
  sha256: string,
  work: RecordingWork,
  job: RunningJob,
): Promise<MergedTranslation | undefined> {
  const { prompt } = await work.promptFor(recording);
  const request: PieceRequest = { ...work.request, ...wholeRecording, sha256, prompt };
  const kept = await work.store.get(request);
  if (kept !== undefined) return kept;
  let { limit } = work;
  const alone = isSentWhole(recording, limit.bytes) ? await work.proveAlone(recording, job.signal) : undefined;
  if (alone !== undefined) {
    let sent = 0;
    try {
      const answer = await sendWhole(alone, request, work, job, (bytes) => {
        sent = bytes;
      });
      if (answer !== undefined && answer !== 'changed') tellMissing(recording, alone.missing, work);
      if (answer !== 'changed') return answer;
    } catch (error) {
      const next = limitAfter(error, recording.size + envelopeBytes);
      if (next !== undefined) limit.learn(next);
      else if (isCutOff(error, sent, recording.size)) limit = atMost(limit, envelopeBytes + recording.size / 2);
      else throw error;
    }
  }
  if (job.isPaused()) return undefined;
  job.update({ state: 'cutting' });
  // One that was begun before goes on with the track that it was begun with.
  const track = work.chosenTrack?.(recording) ?? (await work.store.plan(sha256))?.track;
  const split = await work.openSplit(recording, job.signal, track);
  try {
    const since = work.now();
    const pieces = await translatePieces(
      {
        ...work,
        limit,
        sha256,
        split,
        prompt,
        isPaused: job.isPaused,
        report: (progress) => job.update({ state: 'sending', progress, since }),
      },
      job.signal,
    );
    if (pieces === undefined) return undefined;
    tellMissing(recording, split.missing, work);
    return await work.merge(pieces);
  } finally {
    await split.close();
  }
}

/** Whether a service takes a recording as it is, where there is nothing but sound in it; of any other it gets the sound alone. */
export function isSentWhole({ size, format }: Recording, limit: number): boolean {
  return isTaken(format) && size + envelopeBytes <= limit;
}

function tellMissing(recording: Recording, missing: MissingSound | undefined, { onMissing }: RecordingWork): void {
  if (missing?.promised !== undefined || (missing?.rest ?? 0) > 0) onMissing?.(recording, missing as MissingSound);
}

/** A limit of which nothing more is known, for one recording. */
function atMost(limit: UploadLimit, bytes: number): UploadLimit {
  return {
    get bytes() {
      return Math.min(limit.bytes, bytes);
    },
    learn: limit.learn,
  };
}

/** Sends a file as it is. `changed`: it is another one by now, of which nothing is known. */
async function sendWhole(
  { recording, stamp }: SoundAlone,
  request: PieceRequest,
  { send, store, wait, now }: RecordingWork,
  job: RunningJob,
  onSent: (bytes: number) => void,
): Promise<Translation | 'changed' | undefined> {
  const { path, format, size } = recording;
  const since = now();
  const none = { pieces: 1, done: 0, failedAt: [], secondsDone: 0, secondsSent: 0 };
  let progress: PieceProgress = { ...none, seconds: format.durationSeconds ?? 0, bytes: size, bytesSent: 0 };
  const report = (more: Partial<PieceProgress>): void => {
    progress = { ...progress, ...more };
    job.update({ state: 'sending', progress, since });
  };
  const file = { path, contentType: format.contentType, prompt: request.prompt };
  for (;;) {
    await wait.untilOver(job.signal, (waitsUntil) => report({ waitsUntil, isWaitAsked: true }));
    if (job.signal.aborted) throw new ServiceError('cancelled');
    if (job.isPaused()) return undefined;
    if (!isStill(path, stamp)) return 'changed';
    report({ bytesSent: 0 });
    onSent(0);
    try {
      const translation = await send(file, job.signal, {
        onSent(bytesSent) {
          onSent(bytesSent);
          report({ bytesSent });
        },
        onWait: (waitMs, failed) => report({ waitsUntil: now() + waitMs, isWaitAsked: failed === undefined }),
      });
      wait.passed();
      // Where the disk does not take it, this run still has it.
      if (isAsItWas(recording)) await store.save(request, translation).catch(() => undefined);
      return translation;
    } catch (error) {
      if (!wait.take(error)) throw error;
    }
  }
}

/** Whether a file that was sent is still the one that was hashed, or is gone. Told at once, as its answer is to be kept in this turn. */
const isAsItWas = ({ path, stamp }: Recording): boolean => isStill(path, stamp);

function isStill(path: string, stamp: string | undefined): boolean {
  try {
    return [stamp, undefined].includes(stampNow(path));
  } catch {
    return false;
  }
}
