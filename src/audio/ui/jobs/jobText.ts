import { l10n } from 'vscode';
import { errorText } from '../../../editor/sentences/errorText.ts';
import { formatDuration, formatSize, timeText } from '../../../editor/sentences/formatUnits.ts';
import { type AudioJob, keptPieces } from '../../jobs/audioJob.ts';
import { fatalKinds } from '../../jobs/failures.ts';
import { timeLeft } from '../../jobs/pieces.ts';
import { formatTime } from '../../transcript/timestamps.ts';
import { missingText } from '../missingText.ts';

/** How far a job is, in a few words: `piece 3 of 12 · 4.1 MB of 24.8 MB · 5 min 10 s left`. @param now milliseconds since 1970 */
export function progressText({ progress, since = 0 }: AudioJob, now: number): string {
  if (progress === undefined) return l10n.t('sending');
  const { pieces, done, failedAt, bytes, bytesSent, waitsUntil = 0, isWaitAsked } = progress;
  const left = timeLeft(progress, now - since);
  return [
    ...(pieces > 1 ? [l10n.t('{0} of {1} pieces', done, pieces)] : []),
    ...(failedAt.length > 0 ? [l10n.t('{0} failed', failedAt.length)] : []),
    ...(waitsUntil > now ? [waitText(waitsUntil, isWaitAsked)] : []),
    // Once all of it is sent, the service is at work.
    ...(bytes > 0 && bytesSent < bytes ? [l10n.t('{0} of {1}', formatSize(bytesSent), formatSize(bytes))] : []),
    ...(bytes > 0 && bytesSent >= bytes && waitsUntil <= now ? [l10n.t('waiting for the service')] : []),
    ...(left === undefined || left < 1_000 ? [] : [l10n.t('{0} left', formatDuration(left / 1000))]),
  ].join(' · ');
}

const waitText = (until: number, isAsked = false): string =>
  isAsked
    ? l10n.t('the service asks to wait until {0}', timeText(until))
    : l10n.t('trying again at {0}', timeText(until));

/** The state of a job as the queue shows it. */
export function stateText(job: AudioJob, now: number): string {
  switch (job.state) {
    case 'waiting':
      return ofTask(job, l10n.t('waiting'));
    case 'cutting':
      return ofTask(job, l10n.t('finding pauses'));
    case 'sending':
      return ofTask(job, progressText(job, now));
    case 'paused': {
      const { progress } = job;
      if (progress === undefined) return ofTask(job, l10n.t('paused'));
      return ofTask(job, l10n.t('paused, {0} of {1} pieces', progress.done, progress.pieces));
    }
    case 'done':
      return [resultText(job), missingText(job.missing)].filter((part) => part !== '').join(' · ');
    case 'failed':
      return ofTask(job, [partText(job), failureText(job)].filter((part) => part !== '').join(' · '));
    case 'cancelled':
      return ofTask(job, [l10n.t('cancelled'), partText(job)].filter((part) => part !== '').join(' · '));
    case 'interrupted':
      return ofTask(job, [l10n.t('interrupted'), partText(job)].filter((part) => part !== '').join(' · '));
  }
}

/** A state with what is being made: without that, it is the translation. */
const ofTask = ({ task }: AudioJob, state: string): string =>
  task === 'transcribe' ? l10n.t('transcription: {0}', state) : state;

function resultText({ result, task }: AudioJob): string {
  if (result === 'no-speech') return l10n.t('no speech');
  if (task === 'transcribe') return l10n.t('transcribed');
  return result === 'untranslated' ? l10n.t('transcribed, not translated') : l10n.t('translated');
}

/** How much of a recording is there, where that is some of it. */
function partText(job: AudioJob): string {
  const kept = keptPieces(job);
  return kept === undefined ? '' : l10n.t('{0} of {1} pieces', kept.done, kept.pieces);
}

/** Places that a sentence has room for. */
const mostPlaces = 5;

/** Why a job failed, and which of its pieces, by the time at which they begin, where it is not for a reason that holds for all. */
export function failureText(job: Pick<AudioJob, 'error' | 'progress'>): string {
  const { error, progress } = job;
  if (error === undefined) return l10n.t('failed');
  const { sentence } = errorText(error);
  if (!isOfPieces(job)) return sentence;
  const { pieces = 0, done = 0, failedAt = [] } = progress ?? {};
  const places = failedAt.slice(0, mostPlaces).map((seconds) => formatTime(Math.max(0, Math.floor(seconds))));
  const more = failedAt.length - places.length;
  const named = [...places, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join(', ');
  const failed = l10n.t('{0} of {1} pieces failed, which begin at {2}.', failedAt.length, pieces, named);
  const unsent = pieces - done - failedAt.length;
  return [failed, ...(unsent > 0 ? [l10n.t('Not sent: {0}.', unsent)] : []), sentence].join(' ');
}

/** Whether some pieces failed, and others may have come back. */
export function isOfPieces({ error, progress }: Pick<AudioJob, 'error' | 'progress'>): boolean {
  return (
    error !== undefined &&
    !fatalKinds.has(error.kind) &&
    progress !== undefined &&
    progress.pieces > 1 &&
    progress.failedAt.length > 0
  );
}
