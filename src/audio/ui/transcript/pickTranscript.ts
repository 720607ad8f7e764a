import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import { chosenItem, untilAnswered } from '../../../editor/quickInput.ts';
import { formatDuration } from '../../../editor/sentences/formatUnits.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import type { Transcript } from '../../transcript/transcript.ts';
import { transcriptKind } from './aboutTranscript.ts';

interface TranscriptItem extends QuickPickItem {
  transcript: Transcript;
}

/** Lets the user pick a translation. The bin on an item deletes it, where `remove` is given. */
export function pickTranscript(
  transcripts: readonly Transcript[],
  remove?: (transcript: Transcript) => Promise<void>,
): Promise<Transcript | undefined> {
  const quickPick = window.createQuickPick<TranscriptItem>();
  quickPick.title = plain(l10n.t('Show Translation'));
  quickPick.placeholder = plain(l10n.t('Pick a translated recording'));
  quickPick.matchOnDescription = true;
  quickPick.matchOnDetail = true;
  quickPick.items = plainItems(transcripts.map((transcript) => toItem(transcript, remove !== undefined)));
  quickPick.onDidTriggerItemButton(async ({ item }) => {
    await remove?.(item.transcript);
    quickPick.items = quickPick.items.filter((other) => other.transcript !== item.transcript);
    if (quickPick.items.length === 0) quickPick.hide();
  });
  return untilAnswered(quickPick, () => chosenItem(quickPick)?.transcript);
}

function toItem(transcript: Transcript, removable: boolean): TranscriptItem {
  const { fileName, durationSeconds, text, task } = transcript;
  const firstWords = text.replace(/\s+/g, ' ').slice(0, 120);
  return {
    label: fileName,
    description: [
      ...(task === undefined ? [] : [transcriptKind(transcript)]),
      ...(durationSeconds === undefined ? [] : [formatDuration(durationSeconds)]),
    ].join(' · '),
    detail: firstWords || l10n.t('No speech was found.'),
    transcript,
    buttons: removable ? [{ iconPath: new ThemeIcon('trash'), tooltip: l10n.t('Delete Translation') }] : [],
  };
}
