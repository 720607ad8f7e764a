import { l10n, Uri } from 'vscode';
import { isCancelled, ServiceError } from '../../base/errors.ts';
import { describeForLog } from '../../editor/log.ts';
import { withLateProgress, withProgress } from '../../editor/progress.ts';
import { adjustmentText } from '../../editor/sentences/adjustmentText.ts';
import { formatSize } from '../../editor/sentences/formatUnits.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import type { AudioUpload } from '../../service/audio/audio.ts';
import type { Adjustment } from '../../service/compat/fieldMemory.ts';
import type { Endpoint } from '../../service/endpoint.ts';
import { type Batch, type Candidate, prepare, type TranslationOutcome, translateBatch } from '../translate.ts';
import type { AudioParts } from './audioServices.ts';

/**
 * Looks at all files; hashing long ones takes a moment.
 * @throws ServiceError `cancelled` when the user stopped it
 */
export async function prepareAll(uris: readonly Uri[], { journal, decorations }: AudioParts) {
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
      }
    }
  });
  const known = ready.filter(({ saved }) => saved !== undefined);
  if (known.length > 0) decorations.refresh(known.map(({ recording }) => Uri.file(recording.path)));
  return { ready, failed };
}

interface Translated {
  outcomes: TranslationOutcome[];
  stopped: boolean;
}

/** Sends recordings one after another, with a notification that has a Cancel button. */
export async function translateAll(candidates: readonly Candidate[], parts: AudioParts): Promise<Translated> {
  if (candidates.length === 0) return { outcomes: [], stopped: false };
  const { services, journal, decorations } = parts;
  const endpoint = await services.connection.endpoint('audio');
  const send = sender(endpoint, services);
  return withProgress('', async (signal, report) => {
    const batch: Batch = {
      candidates,
      model: endpoint.model,
      send,
      journal,
      onSaved: ({ path }) => decorations.refresh([Uri.file(path)]),
      report: ({ fileName, size }, index) =>
        candidates.length === 1
          ? report(l10n.t('Translating {0} ({1})…', fileName, formatSize(size)))
          : report(
              l10n.t('Translating {0} ({1} of {2})… {3}', fileName, index + 1, candidates.length, formatSize(size)),
              index / candidates.length,
            ),
      reportWait: ({ fileName }) => report(l10n.t('Another window translates {0}; its text is taken…', fileName)),
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

/** Sends recordings as the settings say now, and tells the user what the service refused. */
function sender(endpoint: Endpoint, { client, notices }: Services): Batch['send'] {
  const options = readOptions();
  const onAdjusted = (adjustment: Adjustment): void => void notices.info(adjustmentText(adjustment));
  return ({ path, format }, signal) => {
    const upload = { ...options, path, contentType: format.contentType };
    return client.translate(endpoint, upload, signal, { onAdjusted });
  };
}

function readOptions(): Omit<AudioUpload, 'path' | 'contentType'> {
  return {
    prompt: readSetting('parley.audio.prompt'),
    responseFormat: readSetting('parley.audio.responseFormat'),
    temperature: readSetting('parley.audio.temperature'),
    fileField: readSetting('parley.audio.fileField').trim() || 'file',
    extraFields: readSetting('parley.audio.extraFields'),
  };
}
