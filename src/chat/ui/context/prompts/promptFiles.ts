import { posix } from 'node:path';
import { FileType, l10n, Uri, workspace } from 'vscode';
import { readTextFile } from '../../../../editor/files/textFile.ts';
import { builtInPrompts, type Task } from '../../../prompts/builtIn.ts';
import { mergePrompts } from '../../../prompts/findPrompt.ts';
import { type Prompt, parsePrompt, promptName } from '../../../prompts/promptFile.ts';

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
const mostBytes = 100 * 1024;

/** Reads all prompts as they are now. A file that has not changed is not read again. */
export type ReadPrompts = () => Promise<readonly SourcedPrompt[]>;

/** A file as it was read last. */
interface ReadFile {
  readonly stamp: string;
  readonly prompt: Prompt | undefined;
}

export function createPromptReader(userFolder: Uri): ReadPrompts {
  let known: ReadonlyMap<string, ReadFile> = new Map();
  return async () => {
    const read = new Map<string, ReadFile>();
    const prompts = await readAll(userFolder, known, read);
    known = read;
    return prompts;
  };
}

/**
 * All prompts by name: one of the workspace stands in for the user's of the same name, and that for Parley's own. In Restricted
 * Mode those of the workspace do not count.
 */
async function readAll(userFolder: Uri, known: ReadonlyMap<string, ReadFile>, read: Map<string, ReadFile>) {
  async function readFolder(folder: Uri, root?: Uri): Promise<Prompt[]> {
    const files = await listFolder(folder);
    const found = await Promise.all(files.map((uri) => readOne(uri, root, known, read)));
    return found.filter((prompt) => prompt !== undefined);
  }
  const folders = workspace.isTrusted ? (workspace.workspaceFolders ?? []) : [];
  const ofWorkspace = folders.map(async ({ uri, name }) => {
    const prompts = await readFolder(Uri.joinPath(uri, ...workspacePromptFolder), uri);
    return prompts.map((prompt): SourcedPrompt => ({ ...prompt, source: 'workspace', folder: name }));
  });
  const ofUser = (await readFolder(userFolder)).map((prompt) => ({ ...prompt, source: 'user' }) as const);
  const builtIn = builtInPrompts(taskDescriptions()).map((prompt) => ({ ...prompt, source: 'built-in' }) as const);
  return mergePrompts<SourcedPrompt>(...(await Promise.all(ofWorkspace)), ofUser, builtIn);
}

/** The files of a folder that may be prompts. */
async function listFolder(folder: Uri): Promise<Uri[]> {
  const entries = await workspace.fs.readDirectory(folder).then(
    (all) => all,
    () => [],
  );
  const names = entries.flatMap(([name, type]) => ((type & FileType.File) !== 0 && promptName(name) ? [name] : []));
  return names
    .sort()
    .slice(0, mostFiles)
    .map((name) => Uri.joinPath(folder, name));
}

/** @param root the folder of the workspace that it is in, if it is in one */
async function readOne(
  uri: Uri,
  root: Uri | undefined,
  known: ReadonlyMap<string, ReadFile>,
  read: Map<string, ReadFile>,
): Promise<Prompt | undefined> {
  const key = uri.toString();
  const stamp = await workspace.fs.stat(uri).then(
    ({ mtime, size }) => `${mtime} ${size}`,
    () => '',
  );
  const before = known.get(key);
  if (before?.stamp === stamp) {
    read.set(key, before);
    return before.prompt;
  }
  const text = await readTextFile(uri, mostBytes, root);
  const name = promptName(posix.basename(uri.path));
  const prompt = name === undefined || !text?.trim() ? undefined : parsePrompt(name, text);
  read.set(key, { stamp, prompt });
  return prompt;
}

function taskDescriptions(): Record<Task, string> {
  return {
    explain: l10n.t('Explain the selection'),
    fix: l10n.t('Find what is wrong with the selection and fix it'),
    document: l10n.t('Document the selection'),
    'write-tests': l10n.t('Write tests for the selection'),
  };
}
