import { env, l10n, type QuickPickItem, ThemeIcon, workspace } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { chosenItem, untilAnswered } from '../../../editor/quickInput.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import { isEdited } from '../../transcript/editTranscript.ts';
import { textIdOf } from '../../transcript/textId.ts';
import type { Transcript } from '../../transcript/transcript.ts';
import { readUri } from './transcriptDocuments.ts';
import type { Transcripts } from './transcripts.ts';

interface VersionItem extends QuickPickItem {
  readonly version: Transcript;
}

/**
 * Lets the user pick which translation of a recording is in use; the bin on another one deletes it.
 * @returns the one that is in use now, where it is another
 */
export async function pickVersion(
  transcript: Transcript,
  transcripts: Transcripts,
  notices: Notices,
): Promise<Transcript | undefined> {
  const id = textIdOf(transcript);
  const others = await transcripts.versions(id);
  if (others.length === 0) {
    void notices.info(l10n.t('There is only this translation of {0}.', transcript.fileName));
    return undefined;
  }
  const all = [transcript, ...others].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const picked = await ask(all, transcript, (version) => transcripts.removeVersion(id, version.createdAt));
  if (picked === undefined || picked.createdAt === transcript.createdAt) return undefined;
  // What is written there belongs to the version that it was made from.
  if (workspace.textDocuments.some(({ uri, isDirty }) => isDirty && readUri(uri)?.id === id)) {
    void notices.warn(l10n.t('Save or revert the text of {0} first: it belongs to this version.', transcript.fileName));
    return undefined;
  }
  return transcripts.useVersion(id, picked.createdAt);
}

function ask(
  versions: readonly Transcript[],
  inUse: Transcript,
  remove: (version: Transcript) => Promise<void>,
): Promise<Transcript | undefined> {
  const quickPick = window.createQuickPick<VersionItem>();
  quickPick.title = plain(l10n.t('Versions of {0}', inUse.fileName));
  quickPick.placeholder = plain(l10n.t('Pick the translation to use'));
  quickPick.matchOnDescription = true;
  quickPick.matchOnDetail = true;
  quickPick.items = plainItems(versions.map((version) => toItem(version, version.createdAt === inUse.createdAt)));
  quickPick.onDidTriggerItemButton(async ({ item }) => {
    await remove(item.version);
    quickPick.items = quickPick.items.filter(({ version }) => version !== item.version);
  });
  return untilAnswered(quickPick, () => chosenItem(quickPick)?.version);
}

function toItem(version: Transcript, isInUse: boolean): VersionItem {
  const { createdAt, model, prompt, track, text } = version;
  const date = new Date(createdAt).toLocaleString(env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const parts = [
    model,
    track === undefined ? '' : l10n.t('Track {0}', track),
    prompt ?? '',
    isEdited(version) ? l10n.t('edited') : '',
    isInUse ? l10n.t('in use') : '',
  ];
  return {
    label: date,
    description: parts.filter((part) => part !== '').join(' · '),
    detail: text.replace(/\s+/g, ' ').slice(0, 120) || l10n.t('No speech was found.'),
    version,
    buttons: isInUse ? [] : [{ iconPath: new ThemeIcon('trash'), tooltip: l10n.t('Delete Version') }],
  };
}
