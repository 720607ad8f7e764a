import { FileType, l10n, Uri, workspace } from 'vscode';
import { builtInPrompts, type Task } from '../../prompts/builtIn.ts';
import { mergePrompts } from '../../prompts/findPrompt.ts';
import { type Prompt, parsePrompt, promptName } from '../../prompts/promptFile.ts';
import { readTextFile } from '../context/textFile.ts';

/** A prompt with where it comes from: Parley, the user, or a folder of the workspace. */
export interface SourcedPrompt extends Prompt {
  readonly source: 'built-in' | 'user' | 'workspace';
  /** The name of the workspace's folder that has it. */
  readonly folder?: string;
}

/** The folder of a workspace's prompts. */
export const workspacePromptFolder = ['.parley', 'prompts'] as const;

/** Files of one folder that are read, and bytes of a file. */
const mostFiles = 200;
const mostBytes = 1024 * 1024;

/**
 * All prompts as they are now, by name: one of the workspace stands in for the user's of the same name, and that for Parley's own.
 * In Restricted Mode those of the workspace do not count.
 */
export async function readPrompts(userFolder: Uri): Promise<SourcedPrompt[]> {
  const folders = workspace.isTrusted ? (workspace.workspaceFolders ?? []) : [];
  const ofWorkspace = folders.map(async ({ uri, name }) => {
    const prompts = await readFolder(Uri.joinPath(uri, ...workspacePromptFolder), uri);
    return prompts.map((prompt): SourcedPrompt => ({ ...prompt, source: 'workspace', folder: name }));
  });
  const ofUser = (await readFolder(userFolder, userFolder)).map((prompt) => ({ ...prompt, source: 'user' }) as const);
  const builtIn = builtInPrompts(taskDescriptions()).map((prompt) => ({ ...prompt, source: 'built-in' }) as const);
  return mergePrompts<SourcedPrompt>(...(await Promise.all(ofWorkspace)), ofUser, builtIn);
}

/** @param root what links must not lead out of */
async function readFolder(folder: Uri, root: Uri): Promise<Prompt[]> {
  const entries = await workspace.fs.readDirectory(folder).then(
    (all) => all.filter(([, type]) => (type & FileType.File) !== 0).sort(([one], [other]) => (one < other ? -1 : 1)),
    () => [],
  );
  const named = entries.flatMap(([file]) => {
    const name = promptName(file);
    return name === undefined ? [] : [{ name, uri: Uri.joinPath(folder, file) }];
  });
  const read = await Promise.all(
    named.slice(0, mostFiles).map(async ({ name, uri }) => {
      const text = await readTextFile(uri, root, mostBytes);
      return text === undefined || text.trim() === '' ? [] : [parsePrompt(name, text)];
    }),
  );
  return read.flat();
}

function taskDescriptions(): Record<Task, string> {
  return {
    explain: l10n.t('Explain the selection'),
    fix: l10n.t('Find what is wrong with the selection and fix it'),
    document: l10n.t('Document the selection'),
    'write-tests': l10n.t('Write tests for the selection'),
  };
}
