import { basename, dirname } from 'node:path';
import { l10n, type QuickPickItem, QuickPickItemKind, type Uri, workspace } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import type { AudioTask } from '../../../service/audio/audio.ts';
import { recordingExtensions } from '../../recording/formats.ts';
import { audioGlob } from '../decorations.ts';
import { taskText } from '../tasks/taskText.ts';

/** The most recordings that are listed; others can still be chosen in the file dialog. */
const mostListed = 1000;

interface RecordingItem extends QuickPickItem {
  uri?: Uri;
}

/** Lets the user pick recordings of the workspace, or files from anywhere. Undefined when they changed their mind. */
export async function pickRecordings(task: AudioTask): Promise<Uri[] | undefined> {
  const found = await workspace.findFiles(audioGlob, undefined, mostListed);
  const files = found.filter((uri) => uri.scheme === 'file');
  if (files.length === 0) return chooseFiles(task);
  const chooseItem: RecordingItem = { label: l10n.t('Choose Files…'), alwaysShow: true };
  const picked = await window.showQuickPick<RecordingItem>(
    [
      ...files.map(toItem).sort((a, b) => a.label.localeCompare(b.label)),
      { label: '', kind: QuickPickItemKind.Separator },
      chooseItem,
    ],
    {
      title: taskText(task).title,
      placeHolder: taskText(task).pick,
      canPickMany: true,
      matchOnDescription: true,
    },
  );
  if (picked === undefined || picked.length === 0) return undefined;
  const chosen = picked.includes(chooseItem) ? ((await chooseFiles(task)) ?? []) : [];
  const all = [...picked.flatMap(({ uri }) => uri ?? []), ...chosen];
  return all.length === 0 ? undefined : all;
}

function toItem(uri: Uri): RecordingItem {
  const folder = dirname(workspace.asRelativePath(uri));
  return { label: basename(uri.path), description: folder === '.' ? '' : folder, uri };
}

async function chooseFiles(task: AudioTask): Promise<Uri[] | undefined> {
  return window.showOpenDialog({
    title: taskText(task).title,
    openLabel: taskText(task).verb,
    canSelectMany: true,
    filters: { [l10n.t('Recordings')]: [...recordingExtensions] },
  });
}
