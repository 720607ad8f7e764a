import { l10n, type QuickPickItem, ThemeIcon, window } from 'vscode';
import { formatDuration } from '../../editor/units.ts';
import type { Journal } from '../journal.ts';
import type { Transcript } from '../transcript.ts';

interface TranscriptItem extends QuickPickItem {
  transcript: Transcript;
}

/** Lets the user pick a translation. The bin on an item deletes it, where `remove` is given. */
export function pickTranscript(
  transcripts: readonly Transcript[],
  remove?: (transcript: Transcript) => Promise<void>,
): Promise<Transcript | undefined> {
  const quickPick = window.createQuickPick<TranscriptItem>();
  quickPick.title = l10n.t('Show Translation');
  quickPick.placeholder = l10n.t('Pick a translated recording');
  quickPick.matchOnDescription = true;
  quickPick.matchOnDetail = true;
  quickPick.items = transcripts.map((transcript) => toItem(transcript, remove !== undefined));
  return new Promise((resolve) => {
    quickPick.onDidAccept(() => {
      resolve(quickPick.selectedItems[0]?.transcript);
      quickPick.hide();
    });
    quickPick.onDidTriggerItemButton(async ({ item }) => {
      await remove?.(item.transcript);
      quickPick.items = quickPick.items.filter((other) => other.transcript !== item.transcript);
      if (quickPick.items.length === 0) quickPick.hide();
    });
    quickPick.onDidHide(() => {
      resolve(undefined);
      quickPick.dispose();
    });
    quickPick.show();
  });
}

function toItem(transcript: Transcript, removable: boolean): TranscriptItem {
  const { fileName, durationSeconds, text } = transcript;
  const firstWords = text.replace(/\s+/g, ' ').slice(0, 120);
  return {
    label: fileName,
    description: durationSeconds === undefined ? '' : formatDuration(durationSeconds),
    detail: firstWords || l10n.t('No speech was found.'),
    transcript,
    buttons: removable ? [{ iconPath: new ThemeIcon('trash'), tooltip: l10n.t('Delete Translation') }] : [],
  };
}

/** All saved translations to pick from; says so when there are none. */
export async function pickSaved(journal: Journal, remove: (transcript: Transcript) => Promise<void>) {
  return pickTranscript(await journal.list(), remove);
}
