import { l10n, Uri } from 'vscode';
import { isCancelled, ServiceError } from '../../../base/errors.ts';
import { describeForLog } from '../../../editor/log.ts';
import { withLateProgress, withProgress } from '../../../editor/progress.ts';
import type { AudioTask } from '../../../service/audio/audio.ts';
import { jobKey } from '../../jobs/audioJob.ts';
import { type Batch, type Candidate, prepare, type TranslationOutcome, translateBatch } from '../../jobs/translate.ts';
import { translateRecording } from '../../jobs/translateRecording.ts';
import type { AudioParts } from '../audioServices.ts';
import { createBatchReport } from '../jobs/batchReport.ts';
import { taskText } from '../tasks/taskText.ts';
import { askedWith, type TranslationAsking, workFor } from './recordingWork.ts';

/**
 * Looks at all files; hashing long ones takes a moment.
 * @throws ServiceError `cancelled` when the user stopped it
 */
export async function prepareAll(uris: readonly Uri[], { journal, decorations, jobs, task }: AudioParts) {
  const ready: Candidate[] = [];
  const failed: TranslationOutcome[] = [];
  const paths = [...new Set(uris.map((uri) => uri.fsPath))];
  await withLateProgress(l10n.t('Reading recordings…'), async (signal) => {
    for (const path of paths) {
      try {
        ready.push(await prepare(path, journal, signal));
      } catch (error) {
        if (!(error instanceof ServiceError) || isCancelled(error)) throw error;
        failed.push({ path, error });
        jobs.addFailed(jobKey(path, task), error);
      }
    }
  });
  const known = ready.filter(({ saved }) => saved !== undefined);
  if (known.length > 0 && task === 'translate')
    decorations.refresh(known.map(({ recording }) => Uri.file(recording.path)));
  return { ready, failed };
}

interface Translated {
  outcomes: TranslationOutcome[];
  stopped: boolean;
}

/** Sends recordings one after another, with a notification that has a Cancel button. */
export async function translateAll(
  candidates: readonly Candidate[],
  parts: AudioParts,
  asking?: TranslationAsking,
): Promise<Translated> {
  if (candidates.length === 0) return { outcomes: [], stopped: false };
  const { services, journal, decorations, pieces, panels, task } = parts;
  const endpoint = await services.connection.endpoint('audio');
  const work = workFor(endpoint, parts, asking);
  return withProgress('', async (signal, report) => {
    const notification = createBatchReport(candidates, report, task);
    const batch: Batch = {
      candidates,
      task,
      model: work.request.model,
      askedWith: (recording) => askedWith(work, parts.tracks.get(recording)),
      jobs: parts.jobs,
      turns: parts.turns,
      send: (recording, sha256, job) =>
        translateRecording(recording, sha256, work, notification.follow(recording, job)),
      journal,
      onSaved({ path }, sha256) {
        decorations.refresh([Uri.file(path)]);
        panels.textSaved({ sha256, task: task === 'transcribe' ? task : undefined });
        // The text of the whole is on the disk, which the answers for its pieces were kept for.
        void pieces.remove(sha256).catch(() => undefined);
      },
      report: notification.begin,
      reportWait: ({ fileName }, of) => report(waitText(fileName, of, task)),
      now: Date.now,
    };
    const outcomes = await translateBatch(batch, signal);
    for (const outcome of outcomes) {
      if ('unsaved' in outcome) services.log.error(`Translation not saved: ${describeForLog(outcome.unsaved)}`);
    }
    return { outcomes, stopped: signal.aborted };
  });
}

function waitText(fileName: string, of: Parameters<Batch['reportWait']>[1], task: AudioTask): string {
  switch (of) {
    case 'same':
      return l10n.t('{0} is on its way already; its text is taken…', fileName);
    case 'window':
      return taskText(task).inOtherWindow(fileName);
    case 'others':
      return l10n.t('Waiting for other recordings…');
  }
}
