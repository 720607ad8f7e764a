import { basename, dirname } from 'node:path';
import { l10n, type QuickPickItem, QuickPickItemKind, type Uri, workspace } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import { recordingExtensions } from '../../recording/formats.ts';
import { audioGlob } from '../decorations.ts';

/** The most recordings that are listed; others can still be chosen in the file dialog. */
const mostListed = 1000;

interface RecordingItem extends QuickPickItem {
  uri?: Uri;
}

/** Lets the user pick recordings of the workspace, or files from anywhere. Undefined when they changed their mind. */
export async function pickRecordings(): Promise<Uri[] | undefined> {
  const found = await workspace.findFiles(audioGlob, undefined, mostListed);
  const files = found.filter((uri) => uri.scheme === 'file');
  if (files.length === 0) return chooseFiles();
  const chooseItem: RecordingItem = { label: l10n.t('Choose Files…'), alwaysShow: true };
  const picked = await window.showQuickPick<RecordingItem>(
    [
      ...files.map(toItem).sort((a, b) => a.label.localeCompare(b.label)),
      { label: '', kind: QuickPickItemKind.Separator },
      chooseItem,
    ],
    {
      title: l10n.t('Translate to English'),
      placeHolder: l10n.t('Pick the recordings to translate'),
      canPickMany: true,
      matchOnDescription: true,
    },
  );
  if (picked === undefined || picked.length === 0) return undefined;
  const chosen = picked.includes(chooseItem) ? ((await chooseFiles()) ?? []) : [];
  const all = [...picked.flatMap(({ uri }) => uri ?? []), ...chosen];
  return all.length === 0 ? undefined : all;
}

function toItem(uri: Uri): RecordingItem {
  const folder = dirname(workspace.asRelativePath(uri));
  return { label: basename(uri.path), description: folder === '.' ? '' : folder, uri };
}

async function chooseFiles(): Promise<Uri[] | undefined> {
  return window.showOpenDialog({
    title: l10n.t('Translate to English'),
    openLabel: l10n.t('Translate'),
    canSelectMany: true,
    filters: { [l10n.t('Recordings')]: [...recordingExtensions] },
  });
}
