import { l10n } from 'vscode';
import { errorText } from '../../../editor/sentences/errorText.ts';
import { formatDuration, formatSize } from '../../../editor/sentences/formatUnits.ts';
import type { AudioJob } from '../../jobs/jobs.ts';
import { timeLeft } from '../../jobs/pieces.ts';

/** How far a job is, in a few words: `piece 3 of 12 · 4.1 MB of 24.8 MB · 5 min 10 s left`. @param now milliseconds since 1970 */
export function progressText({ progress, since = 0 }: AudioJob, now: number): string {
  if (progress === undefined) return l10n.t('sending');
  const { pieces, done, failed, bytes, bytesSent } = progress;
  const left = timeLeft(progress, now - since);
  return [
    ...(pieces > 1 ? [l10n.t('{0} of {1} pieces', done, pieces)] : []),
    ...(failed > 0 ? [l10n.t('{0} to be tried again', failed)] : []),
    // Once all of it is sent, the service is at work.
    ...(bytes > 0 && bytesSent < bytes ? [l10n.t('{0} of {1}', formatSize(bytesSent), formatSize(bytes))] : []),
    ...(bytes > 0 && bytesSent >= bytes ? [l10n.t('waiting for the service')] : []),
    ...(left === undefined || left < 1_000 ? [] : [l10n.t('{0} left', formatDuration(left / 1000))]),
  ].join(' · ');
}

/** The state of a job as the queue shows it. */
export function stateText(job: AudioJob, now: number): string {
  switch (job.state) {
    case 'waiting':
      return l10n.t('waiting');
    case 'cutting':
      return l10n.t('finding pauses');
    case 'sending':
      return progressText(job, now);
    case 'paused':
      return job.progress === undefined
        ? l10n.t('paused')
        : l10n.t('paused, {0} of {1} pieces', job.progress.done, job.progress.pieces);
    case 'done':
      return l10n.t('translated');
    case 'failed':
      return job.error === undefined ? l10n.t('failed') : errorText(job.error).sentence;
    case 'cancelled':
      return l10n.t('cancelled');
    case 'interrupted':
      return l10n.t('interrupted');
  }
}
