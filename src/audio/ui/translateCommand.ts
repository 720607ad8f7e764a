import { l10n, ProgressLocation, Uri, window, workspace } from 'vscode';
import type { TranslatedFile } from '../../editor/api.ts';
import { describeForLog } from '../../editor/log.ts';
import { withProgress } from '../../editor/progress.ts';
import { readSetting } from '../../editor/settings.ts';
import { formatSize } from '../../editor/units.ts';
import { ServiceError } from '../../service/errors.ts';
import { type AudioOptions, type Batch, type Candidate, type Outcome, prepare, translateBatch } from '../translate.ts';
import type { AudioParts } from './parts.ts';
import { reportOutcomes } from './reportOutcomes.ts';

/** Why recordings are not translated, before any of them is looked at. */
export type Obstacle = 'untrusted' | 'not-a-file';

export function findObstacle(uris: readonly Uri[]): Obstacle | undefined {
  if (!workspace.isTrusted) return 'untrusted';
  return uris.some((uri) => uri.scheme !== 'file') ? 'not-a-file' : undefined;
}

/** Translates what the user picked: asks about what is translated already, shows the results and what failed. */
export async function translatePicked(uris: readonly Uri[], parts: AudioParts): Promise<void> {
  const { ready, failed } = await prepareAll(uris, parts);
  const wanted = await chooseWanted(ready, parts);
  if (wanted === undefined) return;
  const { outcomes, stopped } = await translateAll(wanted, parts);
  reportOutcomes([...failed, ...outcomes], stopped, parts);
}

/**
 * Translates for another extension, which asked without a person: saved translations are given as they are, nothing is
 * asked or opened.
 * @throws ServiceError of the first file that failed; `cancelled` when the user stopped it
 */
export async function translateForCaller(uris: readonly Uri[], parts: AudioParts): Promise<TranslatedFile[]> {
  const { ready, failed } = await prepareAll(uris, parts);
  if (failed[0] !== undefined && 'error' in failed[0]) throw failed[0].error;
  const missing = ready.filter(({ saved }) => saved === undefined);
  const { outcomes, stopped } = await translateAll(missing, parts);
  const byPath = new Map(ready.map(({ recording, saved }) => [recording.path, saved]));
  for (const outcome of outcomes) {
    if ('error' in outcome) throw outcome.error;
    byPath.set(outcome.path, outcome.transcript);
  }
  if (stopped) throw new ServiceError('cancelled');
  return uris.flatMap((uri) => {
    const transcript = byPath.get(uri.fsPath);
    if (transcript === undefined) return [];
    const { text, segments } = transcript;
    return [{ uri, text, ...(segments === undefined ? {} : { segments }) }];
  });
}

/** Looks at all files; hashing long ones takes a moment, which the status bar shows. */
async function prepareAll(uris: readonly Uri[], { journal, decorations }: AudioParts) {
  const ready: Candidate[] = [];
  const failed: Outcome[] = [];
  const paths = [...new Set(uris.map((uri) => uri.fsPath))];
  await window.withProgress({ location: ProgressLocation.Window, title: l10n.t('Reading recordings…') }, async () => {
    for (const path of paths) {
      try {
        ready.push(await prepare(path, journal));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        failed.push({ path, error });
      }
    }
  });
  const known = ready.filter(({ saved }) => saved !== undefined);
  if (known.length > 0) decorations.refresh(known.map(({ recording }) => Uri.file(recording.path)));
  return { ready, failed };
}

/** What to send: nothing is sent twice unless the user says so. Undefined: nothing at all, by their choice. */
async function chooseWanted(ready: readonly Candidate[], { panels }: AudioParts): Promise<Candidate[] | undefined> {
  const done = ready.filter(({ saved }) => saved !== undefined);
  const rest = ready.filter(({ saved }) => saved === undefined);
  const first = done[0];
  if (first?.saved === undefined) return rest;
  const other = { label: rest.length > 0 ? l10n.t('Translate the Others') : l10n.t('Show Translation') };
  const again = { label: l10n.t('Translate Again'), detail: l10n.t('Sends what was sent before once more.') };
  const title =
    ready.length === 1
      ? l10n.t('This recording is already translated.')
      : l10n.t('{0} of {1} recordings are already translated.', done.length, ready.length);
  const chosen = await window.showQuickPick([other, again], { title, ignoreFocusOut: true });
  if (chosen === again) return [...ready];
  if (chosen === other && rest.length > 0) return rest;
  if (chosen === other) panels.show(first.saved, first.recording.path);
  return undefined;
}

interface Translated {
  outcomes: Outcome[];
  stopped: boolean;
}

async function translateAll(candidates: readonly Candidate[], parts: AudioParts): Promise<Translated> {
  if (candidates.length === 0) return { outcomes: [], stopped: false };
  const { services, journal, decorations } = parts;
  const endpoint = await services.connection.endpoint('audio');
  const options = readOptions();
  return withProgress('', async (signal, report) => {
    const batch: Batch = {
      candidates,
      model: endpoint.model,
      send: (recording, inner) => parts.translator(endpoint, recording, options, inner),
      journal,
      onSaved: ({ path }) => decorations.refresh([Uri.file(path)]),
      report: ({ fileName, size }, index) =>
        candidates.length === 1
          ? report(l10n.t('Translating {0} ({1})…', fileName, formatSize(size)))
          : report(
              l10n.t('Translating {0} ({1} of {2})… {3}', fileName, index + 1, candidates.length, formatSize(size)),
              index / candidates.length,
            ),
      now: Date.now,
    };
    const outcomes = await parts.turns(
      () => translateBatch(batch, signal),
      signal,
      () => report(l10n.t('Waiting for other recordings…')),
    );
    for (const outcome of outcomes) {
      if ('unsaved' in outcome) services.log.error(`Translation not saved: ${describeForLog(outcome.unsaved)}`);
    }
    return { outcomes, stopped: signal.aborted };
  });
}

function readOptions(): AudioOptions {
  return {
    prompt: readSetting('parley.audio.prompt'),
    responseFormat: readSetting('parley.audio.responseFormat'),
    temperature: readSetting('parley.audio.temperature'),
    fileField: readSetting('parley.audio.fileField').trim() || 'file',
  };
}
