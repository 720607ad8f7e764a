import { l10n, Uri } from 'vscode';
import type { Endpoint } from '../../../service/endpoint.ts';
import { jobKey } from '../../jobs/audioJob.ts';
import { type AudioParts, partsFor } from '../audioServices.ts';
import { chooseLanguage } from '../tasks/chooseLanguage.ts';
import { pickTranscript } from '../transcript/pickTranscript.ts';
import { askHow } from './askHow.ts';
import { findObstacle } from './obstacle.ts';
import { reportOutcomes } from './reportOutcomes.ts';
import { isConfirmed } from './translateCommand.ts';
import { prepareAll, translateAll } from './translateRecordings.ts';

/**
 * Translates a recording once more, with another prompt, model or track. The translation that there is stays as a version.
 * @param argument its address, or its row in the list; else the user picks one
 */
export async function translateAgain(argument: unknown, all: AudioParts): Promise<void> {
  const parts = isRow(argument) && argument.task === 'transcribe' ? partsFor('transcribe', all) : all;
  const { services, jobs, task } = parts;
  const path = await pathOf(argument, parts);
  if (path === undefined) return;
  const uri = Uri.file(path);
  const obstacle = findObstacle([uri]);
  if (obstacle !== undefined) return void services.notices.warn(obstacle.sentence, obstacle.action);
  const endpoint: Endpoint = await services.connection.endpoint('audio');
  if (task === 'transcribe' && !(await parts.transcribing.mayGoOn(endpoint))) return;
  const { ready, failed } = await prepareAll([uri], parts);
  const [candidate] = ready;
  if (candidate === undefined) return reportOutcomes(failed, false, parts);
  const { recording } = candidate;
  if (jobs.isRunning(jobKey(path, task)))
    return void services.notices.info(l10n.t('{0} is on its way already.', recording.fileName));
  const asking = await askHow(recording, endpoint, parts);
  const chosen = task === 'transcribe' ? asking && (await chooseLanguage()) : {};
  if (asking === undefined || chosen === undefined) return;
  const work = { ...parts, ...chosen };
  if (!(await isConfirmed([candidate], work, asking))) return;
  const { outcomes, stopped } = await translateAll([candidate], work, asking);
  reportOutcomes(outcomes, stopped, work);
}

/** A row of the list, or what a page says of its recording. */
const isRow = (argument: unknown): argument is { path: string; task?: unknown } =>
  typeof argument === 'object' && argument !== null && 'path' in argument && typeof argument.path === 'string';

async function pathOf(argument: unknown, { journal, services }: AudioParts): Promise<string | undefined> {
  if (argument instanceof Uri) return argument.fsPath;
  if (isRow(argument)) return argument.path;
  const all = await journal.list();
  if (all.length > 0) return (await pickTranscript(all))?.path;
  void services.notices.info(l10n.t('No recording is translated yet.'));
  return undefined;
}
