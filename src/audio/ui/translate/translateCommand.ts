import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { commands, l10n, Uri } from 'vscode';
import { ServiceError } from '../../../base/errors.ts';
import type { ParleyCommands, TranslatedFile } from '../../../editor/api.ts';
import { CommandFailure, checkArgument, forCaller } from '../../../editor/commandError.ts';
import { withLateProgress } from '../../../editor/progress.ts';
import { errorText } from '../../../editor/sentences/errorText.ts';
import { window } from '../../../editor/text/window.ts';
import { jobKey } from '../../jobs/audioJob.ts';
import { estimateSending } from '../../jobs/sending/estimateSending.ts';
import type { Candidate, TranslationOutcome } from '../../jobs/translate.ts';
import { findRecordings } from '../../recording/findRecordings.ts';
import { isEdited } from '../../transcript/editTranscript.ts';
import { timedSegments } from '../../transcript/transcriptBlocks.ts';
import type { AudioParts } from '../audioServices.ts';
import { chooseLanguage } from '../tasks/chooseLanguage.ts';
import { taskText } from '../tasks/taskText.ts';
import { transcriptNote } from '../transcript/transcriptNote.ts';
import { chooseTracks } from './chooseTracks.ts';
import { confirmSending } from './confirmSending.ts';
import { findObstacle } from './obstacle.ts';
import { pickRecordings } from './pickRecordings.ts';
import { type TranslationAsking, workFor } from './recordingWork.ts';
import { reportOutcomes } from './reportOutcomes.ts';
import { prepareAll, translateAll } from './translateRecordings.ts';

/**
 * The command that translates, or transcribes.
 * @param args `()` from the palette, `(uri, uris)` from the explorer, `(uri | uris)` from another extension (editor/api.ts)
 */
export async function translate(args: readonly unknown[], parts: AudioParts): Promise<TranslatedFile[] | undefined> {
  if (parts.task === 'translate' && args.length === 1 && args[0] !== undefined && args[0] !== null) {
    return translateForOthers(parts)(args[0] as Uri | readonly Uri[]);
  }
  const selected = toUris(args[1]);
  try {
    const given = selected.length > 0 ? selected : toUris(args[0]);
    const obstacle = findObstacle(given);
    if (obstacle !== undefined) {
      void parts.services.notices.warn(obstacle.sentence, obstacle.action);
      return undefined;
    }
    // The connection is checked first: without a service there is nothing to pick for.
    const endpoint = await parts.services.connection.endpoint('audio');
    if (parts.task === 'transcribe' && !(await parts.transcribing.mayGoOn(endpoint))) return undefined;
    const uris = given.length > 0 ? await withFoldersOpened(given, parts) : await pickRecordings(parts.task);
    if (uris?.length === 0) void parts.services.notices.info(l10n.t('There is no recording in this folder.'));
    else if (uris !== undefined) await translatePicked(uris, parts);
  } catch (error) {
    // The notice is not awaited: it stays until the user closes it.
    void parts.services.notices.error(error, () => commands.executeCommand(taskText(parts.task).command, ...args));
  }
  return undefined;
}

function translateForOthers(parts: AudioParts): ParleyCommands['parley.audio.translate'] {
  return (recordings) =>
    forCaller(parts.services.log, async () => {
      const uris = toUris(recordings);
      const count = Array.isArray(recordings) ? recordings.length : 1;
      checkArgument(uris.length === count && count > 0, 'recordings', l10n.t('one or more URIs'));
      const obstacle = findObstacle(uris);
      if (obstacle !== undefined) throw new CommandFailure(obstacle.code, obstacle.sentence);
      return translateForCaller(uris, parts);
    });
}

/** Translates the recordings that the user picked: asks about those translated already, shows the results and the failures. */
async function translatePicked(uris: readonly Uri[], parts: AudioParts): Promise<void> {
  const { ready, failed } = await prepareAll(uris, parts);
  const { wanted, asksLanguage } = (await chooseWanted(ready, parts)) ?? {};
  if (wanted === undefined) return;
  const chosen = parts.task === 'transcribe' && wanted.length > 0 ? await chooseLanguage(asksLanguage) : {};
  if (chosen === undefined) return;
  const work = { ...parts, ...chosen };
  if (!(await isConfirmed(wanted, work))) return;
  const { outcomes, stopped } = await translateAll(wanted, work);
  reportOutcomes([...failed, ...outcomes], stopped, parts);
}

/**
 * Translates for another extension, which asked without a person: saved translations are given as they are, nothing is
 * asked or opened.
 * @throws the error of the first file that failed, with its name where there are many; `cancelled` when the user stopped it
 */
async function translateForCaller(uris: readonly Uri[], parts: AudioParts): Promise<TranslatedFile[]> {
  const { ready, failed } = await prepareAll(uris, parts);
  const fail = (outcome: TranslationOutcome): void => {
    if ('error' in outcome) throw uris.length > 1 ? failureOf(outcome.path, outcome.error) : outcome.error;
  };
  failed.forEach(fail);
  const missing = ready.filter(({ saved }) => saved === undefined);
  const { outcomes, stopped } = await translateAll(missing, parts);
  const unsaved = new Set(outcomes.flatMap((each) => ('unsaved' in each ? [each.path] : [])));
  const byPath = new Map(ready.map(({ recording, saved }) => [recording.path, saved]));
  for (const outcome of outcomes) {
    fail(outcome);
    if ('transcript' in outcome) byPath.set(outcome.path, outcome.transcript);
  }
  if (stopped) throw new ServiceError('cancelled');
  return uris.flatMap((uri) => {
    const transcript = byPath.get(uri.fsPath);
    if (transcript === undefined) return [];
    const { text } = transcript;
    const segments = timedSegments(transcript);
    const notKept = unsaved.has(uri.fsPath) ? l10n.t('The text could not be kept on this disk.') : undefined;
    const note = [transcriptNote(transcript), notKept].filter(Boolean).join(' ');
    return [{ uri, text, ...(segments && { segments }), ...(note && { note }) }];
  });
}

/** An error about one of many recordings names it. */
function failureOf(path: string, error: ServiceError): ServiceError | CommandFailure {
  if (error.kind === 'cancelled') return error;
  return new CommandFailure(error.kind, `${basename(path)}: ${errorText(error).sentence}`);
}

/** The recordings to send, and whether the language that is spoken is to be asked for. */
interface Wanted {
  readonly wanted: Candidate[];
  readonly asksLanguage?: boolean;
}

/** None is sent twice unless the user says so. Undefined: none at all, by their choice. */
async function chooseWanted(ready: readonly Candidate[], { panels, task }: AudioParts): Promise<Wanted | undefined> {
  const text = taskText(task);
  const done = ready.filter(({ saved }) => saved !== undefined);
  const rest = ready.filter(({ saved }) => saved === undefined);
  const first = done[0];
  if (first?.saved === undefined) return { wanted: rest };
  const other = { label: rest.length > 0 ? text.others : text.show };
  const detail = done.some(({ saved }) => saved !== undefined && isEdited(saved))
    ? l10n.t('Sends what was sent before once more. Your corrections stay in the version that is there.')
    : l10n.t('Sends what was sent before once more.');
  const again = { label: text.again, detail };
  const inLanguage = { label: l10n.t('Transcribe Again in Another Language…'), detail };
  const title = ready.length === 1 ? text.savedText(first.saved) : text.someSaved(done.length, ready.length);
  const items = task === 'transcribe' ? [other, again, inLanguage] : [other, again];
  const chosen = await window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (chosen === again || chosen === inLanguage) return { wanted: [...ready], asksLanguage: chosen === inLanguage };
  if (chosen === other && rest.length > 0) return { wanted: rest };
  if (chosen === other) panels.show(first.saved, first.recording.path);
  return undefined;
}

/** Asks before much is sent. @param asking how it is asked for, where not as the settings say */
export async function isConfirmed(
  wanted: readonly Candidate[],
  parts: AudioParts,
  asking?: TranslationAsking,
): Promise<boolean> {
  if (wanted.length === 0) return true;
  const endpoint = await parts.services.connection.endpoint('audio');
  // Those that are on their way are joined, and not sent again.
  const sent = wanted.filter(({ recording }) => !parts.jobs.isRunning(jobKey(recording.path, parts.task)));
  if (sent.length === 0) return true;
  const work = workFor(endpoint, parts, asking);
  for (;;) {
    const estimate = await withLateProgress(l10n.t('Reading recordings…'), (signal, report) =>
      estimateSending(sent, work, signal, (share) => {
        if (sent.length > 1) report(l10n.t('{0} of {1}', Math.round(share * sent.length) + 1, sent.length), share);
      }),
    );
    const answer = await confirmSending(
      estimate,
      { ...endpoint, model: work.request.model },
      work.limit,
      parts.services.notices,
      parts.task,
    );
    if (answer !== 'tracks') return answer;
    await chooseTracks(estimate.several, parts.tracks);
  }
}

/** Recordings, those of folders among them. Where a folder has more than are taken, that is said. */
async function withFoldersOpened(uris: readonly Uri[], { services: { notices } }: AudioParts): Promise<Uri[]> {
  return withLateProgress(l10n.t('Looking for recordings…'), async (signal) => {
    const all = await Promise.all(
      uris.map(async (uri) => {
        const stats = await stat(uri.fsPath).catch(() => undefined);
        if (stats?.isDirectory() !== true) return [uri];
        const { paths, isCut } = await findRecordings(uri.fsPath, signal);
        const name = basename(uri.fsPath);
        if (isCut) void notices.warn(l10n.t('{0} has more recordings; the first {1} are taken.', name, paths.length));
        return paths.map((path) => Uri.file(path));
      }),
    );
    return all.flat();
  });
}

/** The URIs among what a command was called with. */
export function toUris(value: unknown): Uri[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((each) => each instanceof Uri);
}
