import { ServiceError } from '../../base/errors.ts';
import type { Translation } from '../../service/audio/audio.ts';
import type { MergedTranslation } from '../merge/mergePieces.ts';
import { type Recording, stampNow } from '../recording/recording.ts';
import type { MissingSound } from '../split/thread/splitMethods.ts';
import type { RunningJob } from './audioJob.ts';
import type { PieceRequest } from './pieceStore.ts';
import type { PieceProgress } from './pieces.ts';
import type { PieceWork } from './pieceWork.ts';
import { type SendingWay, wayOf, wholeRequest } from './sending/sendingWay.ts';
import type { RecordingWork } from './sending/sendingWork.ts';
import type { SoundAlone } from './soundAlone.ts';
import { translatePieces } from './translatePieces.ts';
import { envelopeBytes, isCutOff, limitAfter, type UploadLimit } from './uploadLimit.ts';

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
  const request = wholeRequest(work, sha256, prompt);
  // One that was sent as it is was not asked for a track.
  const kept = work.chosenTrack?.(recording) === undefined ? await work.store.get(request) : undefined;
  if (kept !== undefined) return kept;
  let { limit } = work;
  const way = await wayOf(recording, sha256, prompt, work, job.signal);
  const { alone } = way;
  const asItIs = async (): Promise<Translation | 'changed' | 'smaller' | undefined> => {
    if (alone === undefined) return 'smaller';
    let sent = 0;
    try {
      const answer = await sendWhole(alone, request, work, job, (bytes) => {
        sent = bytes;
      });
      if (answer !== undefined && answer !== 'changed') tellMissing(recording, alone.missing, work, job);
      return answer;
    } catch (error) {
      const next = limitAfter(error, recording.size + envelopeBytes);
      if (next !== undefined) limit.learn(next);
      else if (isCutOff(error, sent, recording.size)) limit = atMost(limit, envelopeBytes + recording.size / 2);
      else throw error;
      return 'smaller';
    }
  };
  if (way.kind === 'whole') {
    const answer = await asItIs();
    if (answer !== 'changed' && answer !== 'smaller') return answer;
  }
  if (job.isPaused()) return undefined;
  try {
    return await inPieces(recording, { sha256, prompt, limit }, way, work, job);
  } catch (error) {
    if (way.kind === 'whole' || alone === undefined || !isTypeRefused(error)) throw error;
    const answer = await asItIs();
    if (answer === 'changed' || answer === 'smaller') throw error;
    if (answer !== undefined) work.encodedRefusal?.learn();
    return answer;
  }
}

/** Whether a service refused what a request is, and not how much of it, or that it came now. */
const isTypeRefused = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'bad-request';

/** Sends the sound alone, in as many pieces as its bytes need. */
async function inPieces(
  recording: Recording,
  given: Pick<PieceWork, 'sha256' | 'prompt' | 'limit'>,
  way: SendingWay,
  work: RecordingWork,
  job: RunningJob,
): Promise<MergedTranslation | undefined> {
  job.update({ state: 'cutting' });
  const track = way.kind === 'pieces' ? way.track : work.chosenTrack?.(recording);
  const split = await work.openSplit(recording, job.signal, track);
  try {
    const since = work.now();
    const pieces = await translatePieces(
      {
        ...work,
        ...given,
        split,
        isPaused: job.isPaused,
        report: (progress) => job.update({ state: 'sending', progress, since }),
      },
      job.signal,
    );
    if (pieces === undefined) return undefined;
    tellMissing(recording, split.missing, work, job);
    return await work.merge(pieces);
  } finally {
    await split.close();
  }
}

function tellMissing(
  recording: Recording,
  missing: MissingSound | undefined,
  { onMissing }: RecordingWork,
  job: RunningJob,
): void {
  if (missing === undefined || (missing.promised === undefined && (missing.rest ?? 0) === 0)) return;
  job.update({ state: 'sending', missing });
  onMissing?.(recording, missing);
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
