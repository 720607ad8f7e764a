import { Disposable, type ExtensionContext, type Memento } from 'vscode';
import { closeFolder, makePrivate } from '../../base/privateFiles.ts';

/** The key that says that old files were put right: later ones are written with the right modes. */
const doneKey = 'storage.private';
/** The delay is long after activation, and before much is read or written. */
const delayMs = 3_000;

/**
 * Makes files that older versions of Parley left on this machine readable for its user alone: in the folders that VS Code gives
 * Parley for itself, never those above them. The log is VS Code's to write, at any time, so its folder is closed to others before.
 */
export function keepStoragePrivate(context: ExtensionContext): Disposable {
  const { globalStorageUri, storageUri, logUri, globalState, workspaceState } = context;
  async function once(folder: string | undefined, memory: Memento): Promise<void> {
    if (folder === undefined || memory.get(doneKey) === true) return;
    if (await makePrivate(folder)) await memory.update(doneKey, true);
  }
  async function run(): Promise<void> {
    await makePrivate(logUri.fsPath);
    await once(globalStorageUri.fsPath, globalState);
    await once(storageUri?.fsPath, workspaceState);
  }
  closeFolder(logUri.fsPath);
  const timer = setTimeout(() => void run(), delayMs);
  return new Disposable(() => clearTimeout(timer));
}
