import { basename } from 'node:path';
import { type Disposable, l10n, Uri, workspace } from 'vscode';
import { ServiceError } from '../../../base/errors.ts';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { withProgress } from '../../../editor/progress.ts';
import { formatSize } from '../../../editor/sentences/formatUnits.ts';
import type { Services } from '../../../editor/services.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids/ids.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import { sharedFileEnding } from '../../team/sharedFile/sharedLayout.ts';
import type { IndexCommand } from '../index/indexCommand.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { chunksText } from '../shared/sentences.ts';
import { setTeamStore } from './setTeamStore.ts';

const filters = () => ({ [l10n.t('Shared Index')]: [sharedFileEnding.slice(1)], [l10n.t('All Files')]: ['*'] });

/** The commands by which a team shares its vectors: by a file, and by a database. */
export function registerSharing(
  services: Services,
  index: SearchIndex,
  indexing: Pick<IndexCommand, 'withShared'>,
): Disposable {
  const { notices } = services;
  const owned = new Disposables();
  owned.add(registerCommand(Command.searchExport, notices, () => exportIndex(services, index)));
  owned.add(registerCommand(Command.searchImport, notices, () => importIndex(services, index, indexing)));
  owned.add(registerCommand(Command.searchSetTeamStore, notices, () => setTeamStore(services, index)));
  return owned;
}

/** `Export Index…`: writes the vectors of this workspace into a file for others who have the same code. */
async function exportIndex({ notices }: Services, index: SearchIndex): Promise<void> {
  const obstacle = findObstacle();
  if (obstacle !== undefined) return notices.warn(obstacle.sentence, obstacle.action);
  const endpoint = await index.endpoint();
  if (endpoint === undefined) return notices.error(new ServiceError('no-address'));
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const target = await window.showSaveDialog({
    title: l10n.t('Export Index'),
    defaultUri: Uri.joinPath(folder ?? Uri.file('/'), `${basename(folder?.path ?? 'vectors')}${sharedFileEnding}`),
    filters: filters(),
  });
  if (target === undefined) return;
  const signing = await pickSigning();
  if (signing === undefined) return;
  const source = index.sending.forQuestions(endpoint);
  const { vectors, without, bytes } = await withProgress(l10n.t('Parley: Exporting the Index'), (signal) =>
    index.client.exportVectors(source, target.fsPath, { signal }, signing.keyPath),
  );
  const saved = l10n.t(
    'The vectors of {0} are in {1} ({2}).',
    chunksText(vectors),
    basename(target.path),
    formatSize(bytes),
  );
  const left = without === 0 ? '' : ` ${l10n.t('{0} have none yet.', chunksText(without))}`;
  void notices.info(`${saved}${left}`, { title: l10n.t('Show File'), command: 'revealFileInOS', arguments: [target] });
}

/** Whether the file is signed, and with which key. @returns undefined where nothing was chosen */
async function pickSigning(): Promise<{ keyPath?: string } | undefined> {
  const [none, withKey] = plainItems([
    {
      label: l10n.t('Without a Signature'),
      detail: l10n.t('Whoever has the file can see that it is whole, not who made it'),
    },
    {
      label: l10n.t('Sign with a Key…'),
      detail: l10n.t('A private Ed25519 key (PEM); others check it with the public one'),
    },
  ]);
  if (none === undefined || withKey === undefined) return undefined;
  const chosen = await window.showQuickPick([none, withKey], { title: l10n.t('Sign the File?') });
  if (chosen === undefined) return undefined;
  if (chosen === none) return {};
  const [key] = (await window.showOpenDialog({ title: l10n.t('Private Key'), openLabel: l10n.t('Sign') })) ?? [];
  return key && { keyPath: key.fsPath };
}

/** `Import Index…`: an index run that takes vectors from a shared file first. */
async function importIndex(
  { notices }: Services,
  index: SearchIndex,
  indexing: Pick<IndexCommand, 'withShared'>,
): Promise<void> {
  const obstacle = findObstacle();
  if (obstacle !== undefined) return notices.warn(obstacle.sentence, obstacle.action);
  if ((await index.endpoint()) === undefined) return notices.error(new ServiceError('no-address'));
  const from = await pickShared();
  if (from !== undefined) await indexing.withShared(from);
}

/** The path or address of a shared file. */
async function pickShared(): Promise<string | undefined> {
  const [ofFile, ofAddress] = plainItems([
    { label: l10n.t('From a File…') },
    { label: l10n.t('From an Address…'), detail: l10n.t('An https address that needs no login; your key is not sent') },
  ]);
  if (ofFile === undefined || ofAddress === undefined) return undefined;
  const chosen = await window.showQuickPick([ofFile, ofAddress], { title: l10n.t('Take Shared Vectors') });
  if (chosen === ofAddress) {
    const address = await window.showInputBox({
      title: l10n.t('Import Index'),
      prompt: l10n.t('The https address of a file that “Export Index…” wrote'),
      placeHolder: `https://example.com/vectors${sharedFileEnding}`,
      ignoreFocusOut: true,
      validateInput: (text) => (/^https?:\/\/\S+$/i.test(text.trim()) ? undefined : l10n.t('It begins with https://')),
    });
    return address?.trim();
  }
  if (chosen !== ofFile) return undefined;
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const [file] =
    (await window.showOpenDialog({
      title: l10n.t('Import Index'),
      openLabel: l10n.t('Import'),
      ...(folder && { defaultUri: folder }),
      filters: filters(),
    })) ?? [];
  return file?.fsPath;
}
