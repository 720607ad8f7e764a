import { l10n } from 'vscode';
import type { Report } from '../../../editor/progress.ts';
import { formatSize } from '../../../editor/sentences/formatUnits.ts';
import type { AudioTask } from '../../../service/audio/audio.ts';
import type { AudioJob, RunningJob } from '../../jobs/audioJob.ts';
import type { Candidate } from '../../jobs/translate.ts';
import type { Recording } from '../../recording/recording.ts';
import { taskText } from '../tasks/taskText.ts';
import { progressText } from './jobText.ts';

/** The notification of recordings that are translated one after another. */
export interface BatchReport {
  /** Call before each recording. @param index from 0 */
  begin(recording: Recording, index: number): void;
  /** The same job, whose progress the notification tells, too. */
  follow(recording: Recording, job: RunningJob): RunningJob;
}

export function createBatchReport(candidates: readonly Candidate[], report: Report, task: AudioTask): BatchReport {
  const text = taskText(task);
  const count = candidates.length;
  let index = 0;

  function tell({ fileName, size }: Recording, more: string): void {
    const about = more === '' ? formatSize(size) : more;
    if (count === 1) report(text.running(fileName, about));
    else report(text.runningOf(fileName, index + 1, count, about), index / count);
  }

  return {
    begin(recording, at) {
      index = at;
      tell(recording, '');
    },
    follow(recording, job) {
      const { path, fileName } = recording;
      return {
        ...job,
        update(next) {
          job.update(next);
          const now: AudioJob = { path, fileName, ...next };
          if (next.state === 'cutting') tell(recording, l10n.t('finding pauses'));
          else if (next.progress !== undefined) tell(recording, progressText(now, Date.now()));
        },
      };
    },
  };
}
