import { l10n, type QuickPickItem } from 'vscode';
import { withLateProgress } from '../../../editor/progress.ts';
import { window } from '../../../editor/text/window.ts';
import type { AudioTask } from '../../../service/audio/audio.ts';
import type { Endpoint } from '../../../service/endpoint.ts';
import { sortForPurpose } from '../../../service/models/models.ts';
import { openSplit } from '../../jobs/openSplit.ts';
import type { Recording } from '../../recording/recording.ts';
import type { TrackInfo } from '../../recording/trackInfo.ts';
import type { AudioParts } from '../audioServices.ts';
import { taskText } from '../tasks/taskText.ts';
import { readOptions, type TranslationAsking } from './recordingWork.ts';
import { trackText } from './trackText.ts';

/** A choice of the menu, which comes again after all but the first. */
interface Choice extends QuickPickItem {
  readonly run: 'send' | (() => Promise<void>);
}

/**
 * Asks how a recording is to be translated this time; it begins with what the settings say.
 * @returns undefined when the user left it
 */
export async function askHow(
  recording: Recording,
  endpoint: Endpoint,
  parts: AudioParts,
): Promise<TranslationAsking | undefined> {
  const { tracks, task } = parts;
  const { verb, again } = taskText(task);
  const all = await tracksOf(recording, parts);
  let asking: TranslationAsking = { model: endpoint.model, prompt: readOptions(parts).prompt };
  for (;;) {
    const track = all.tracks.find(({ number }) => number === (tracks.get(recording) ?? all.chosen));
    const choices: Choice[] = [
      { label: verb, description: asking.model, run: 'send' },
      {
        label: l10n.t('Prompt…'),
        description: asking.prompt || l10n.t('none'),
        run: async () => {
          const prompt = await askPrompt(asking.prompt, task);
          if (prompt !== undefined) asking = { ...asking, prompt };
        },
      },
      {
        label: l10n.t('Model…'),
        description: asking.model,
        run: async () => {
          const model = await askModel(asking.model, endpoint, parts);
          if (model !== undefined) asking = { ...asking, model };
        },
      },
      ...(track === undefined || all.tracks.length < 2
        ? []
        : [
            {
              label: l10n.t('Track…'),
              description: trackText(track),
              run: () => askTrack(recording, all.tracks, parts),
            },
          ]),
    ];
    const chosen = await window.showQuickPick(choices, {
      title: `${again}: ${recording.fileName}`,
      placeHolder: l10n.t('The text that is there stays as a version'),
      ignoreFocusOut: true,
    });
    if (chosen === undefined) return undefined;
    if (chosen.run === 'send') return asking;
    await chosen.run();
  }
}

const askPrompt = (value: string, task: AudioTask): Thenable<string | undefined> =>
  window.showInputBox({
    title: l10n.t('Prompt'),
    prompt:
      task === 'transcribe'
        ? l10n.t('Names and terms, in the language that is spoken')
        : l10n.t('Names, terms and the style of the translation, in English'),
    value,
    ignoreFocusOut: true,
  });

/** The models of the service, those for audio first; one that is not listed can be typed. */
async function askModel(model: string, endpoint: Endpoint, { services }: AudioParts): Promise<string | undefined> {
  const type = (): Thenable<string | undefined> =>
    window.showInputBox({ title: l10n.t('Model'), value: model, ignoreFocusOut: true });
  const listed = await withLateProgress(l10n.t('Reading models…'), (signal) =>
    services.client.listModels(endpoint, signal),
  ).catch(() => []);
  if (listed.length === 0) return (await type())?.trim() || undefined;
  const other = { label: l10n.t('Another Model…') };
  const items = [...sortForPurpose(listed, 'audio').map(({ id }) => ({ label: id, id })), other];
  const chosen = await window.showQuickPick<QuickPickItem & { readonly id?: string }>(items, {
    title: l10n.t('Model'),
    ignoreFocusOut: true,
  });
  return chosen === other ? (await type())?.trim() || undefined : chosen?.id;
}

async function askTrack(recording: Recording, all: readonly TrackInfo[], { tracks }: AudioParts): Promise<void> {
  const chosen = await window.showQuickPick(
    all.map((track) => ({ label: trackText(track), track })),
    { title: l10n.t('Track of {0}', recording.fileName), ignoreFocusOut: true },
  );
  if (chosen !== undefined) tracks.choose(recording, chosen.track.number);
}

/** The tracks of a recording, and the one that seems to be meant; none where they cannot be read. */
async function tracksOf(
  recording: Recording,
  { splitter }: AudioParts,
): Promise<{ readonly tracks: readonly TrackInfo[]; readonly chosen?: number | undefined }> {
  try {
    return await withLateProgress(l10n.t('Reading recordings…'), async (signal) => {
      const split = await openSplit(splitter, recording, signal);
      await split.close();
      return { tracks: split.tracks ?? [], chosen: split.track };
    });
  } catch {
    return { tracks: [] };
  }
}
