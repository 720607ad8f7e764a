import { posix } from 'node:path';
import { FileType, l10n, Uri, workspace } from 'vscode';
import { readTextFile } from '../../../editor/files/textFile.ts';
import { askFolder, type FilePlaces, foldersOf, isThere, writeFile } from '../../../editor/files/userOrWorkspace.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { type Configuration, type ConfigurationChange, longestModel } from '../../parameters/configuration.ts';
import { longestParameter } from '../../parameters/parameterForms.ts';
import { presetName, readRequest, writeRequest } from '../../parameters/requestJson.ts';
import { requestProblemText } from './documentKinds.ts';

/** The folder of a workspace's presets. */
const workspacePath = ['.parley', 'presets'] as const;

/** Files of one folder that are listed. */
const mostFiles = 200;
const mostBytes = 4 * (longestParameter + longestModel);

/** What presets are taken from, and set in. */
export interface PresetParts {
  readonly notices: Notices;
  readonly userFolder: Uri;
  /** What the conversation has by now, also where another one is shown. */
  configuration(): Promise<Configuration>;
  /** The one that is asked without one of the conversation's own. */
  model(): string;
  change(change: ConfigurationChange): Promise<void>;
}

/** Lists the presets, each a file with a request, takes one over, or keeps what the conversation has as one more. */
export async function pickPreset(parts: PresetParts): Promise<void> {
  const places = { userFolder: parts.userFolder, workspacePath };
  const presets = await listPresets(parts.userFolder);
  const items = [
    ...presets.map((preset) => ({
      label: preset.name,
      description: preset.folderName,
      run: () => applyPreset(preset, parts),
    })),
    { label: l10n.t('Save as a New Preset…'), description: '', run: () => savePreset(places, parts) },
  ];
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Presets of Parameters'),
    placeHolder: l10n.t('What this conversation is asked with from now on'),
  });
  await chosen?.run();
}

/** A preset that is there: it may be none when it is read. */
export interface PresetFile {
  readonly name: string;
  readonly uri: Uri;
  /** The folder of the workspace that it is in; undefined for the user's own. */
  readonly root: Uri | undefined;
  readonly folderName: string;
}

/** The presets of the user and of the folders that are trusted. */
export async function listPresets(userFolder: Uri): Promise<PresetFile[]> {
  const places = { userFolder, workspacePath };
  const lists = await Promise.all(
    foldersOf(places).map(async ({ folder, root }) => {
      const entries = await workspace.fs.readDirectory(folder).then(
        (all) => all,
        () => [],
      );
      const names = entries.flatMap(([file, type]) => {
        const name = presetName(file);
        return (type & FileType.File) === 0 || name === undefined ? [] : [{ name, file }];
      });
      const folderName = root === undefined ? l10n.t('mine') : (workspace.getWorkspaceFolder(root)?.name ?? '');
      return names
        .sort((a, b) => a.name.localeCompare(b.name))
        .slice(0, mostFiles)
        .map(({ name, file }) => ({ name, uri: Uri.joinPath(folder, file), root, folderName }));
    }),
  );
  return lists.flat();
}

async function applyPreset(preset: PresetFile, parts: PresetParts): Promise<void> {
  const change = await readPreset(preset, await parts.configuration(), parts.model(), parts.notices);
  if (change !== undefined) await parts.change(change);
}

/**
 * Reads what a preset changes; what it does not have is as in the settings. One that cannot be read is told of.
 * @param configuration what it changes
 * @param model the one of the settings
 */
export async function readPreset(
  { uri, root }: PresetFile,
  configuration: Pick<Configuration, 'parameters' | 'model'>,
  model: string,
  notices: Notices,
): Promise<ConfigurationChange | undefined> {
  const text = await readTextFile(uri, mostBytes, root);
  const read = text === undefined ? undefined : readRequest(text, configuration, model);
  if (read !== undefined && 'change' in read) return read.change;
  const name = posix.basename(uri.path);
  const why = read === undefined ? l10n.t('It cannot be read.') : requestProblemText(read.problem);
  void notices.warn(l10n.t('The preset {0} is not taken over: {1}', name, why), {
    title: l10n.t('Open File'),
    command: 'vscode.open',
    arguments: [uri],
  });
  return undefined;
}

async function savePreset(places: FilePlaces, parts: PresetParts): Promise<void> {
  const title = l10n.t('Save as a New Preset…');
  const folder = await askFolder(places, { title, placeHolder: l10n.t('Who the preset is for') });
  if (folder === undefined) return;
  const typed = await window.showInputBox({
    title,
    prompt: l10n.t('The name of the preset'),
    validateInput: (text) =>
      presetName(`${text.trim()}.json`) === undefined ? l10n.t('Letters or digits, at most 64') : undefined,
  });
  const name = typed === undefined ? undefined : presetName(`${typed.trim()}.json`);
  if (name === undefined) return;
  const uri = Uri.joinPath(folder, `${name}.json`);
  const replace = l10n.t('Replace');
  const question = l10n.t('There is a preset “{0}” already.', name);
  if ((await isThere(uri)) && (await window.showWarningMessage(question, { modal: true }, replace)) !== replace) return;
  const configuration = await parts.configuration();
  await writeFile(uri, places, writeRequest(configuration, configuration.model ?? parts.model()));
  void parts.notices.info(l10n.t('The preset “{0}” is saved.', name));
}
