import {
  type Disposable,
  type Event,
  EventEmitter,
  RelativePattern,
  Uri,
  type WorkspaceFolder,
  workspace,
} from 'vscode';
import { createTaskQueue } from '../../base/taskQueue.ts';
import { fitInstructions, type InstructionFile, instructionPaths } from '../../base/workspaceInstructions.ts';
import { Disposables } from '../disposables.ts';
import { onSettingChange, readSetting } from '../settings.ts';
import { readTextFile } from './textFile.ts';

/** The instruction files of the workspace, which go along with every question: none in Restricted Mode. */
export interface InstructionFiles extends Disposable {
  /** The files as they were read last. */
  readonly list: readonly InstructionFile[];
  /** Reads them anew. */
  read(): Promise<readonly InstructionFile[]>;
  readonly onDidChange: Event<void>;
}

/** Bytes of a file that is read at all, of which the beginning is sent. */
const mostBytes = 16 * 1024 * 1024;

/** Reads the instruction files of the workspace, as far as they are sent: none in Restricted Mode, or where the setting is off. */
export async function readInstructions(): Promise<readonly InstructionFile[]> {
  const folders = workspace.isTrusted && readSetting('parley.chat.instructionFiles') ? openFolders() : [];
  const found = await Promise.all(folders.flatMap((folder) => instructionPaths.map((path) => readOne(folder, path))));
  return fitInstructions(found.filter((file) => file !== undefined));
}

export function createInstructionFiles(): InstructionFiles {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const queue = createTaskQueue();
  let list: readonly InstructionFile[] = [];
  let watchers = new Disposables();

  async function readAll(): Promise<readonly InstructionFile[]> {
    const next = await readInstructions();
    const isSame = JSON.stringify(next) === JSON.stringify(list);
    list = next;
    if (!isSame) changed.fire();
    return list;
  }

  const read = (): Promise<readonly InstructionFile[]> => queue(readAll);

  function watch(): void {
    watchers.dispose();
    watchers = new Disposables();
    for (const folder of openFolders()) {
      const pattern = new RelativePattern(folder, `{${instructionPaths.join(',')}}`);
      const watcher = watchers.add(workspace.createFileSystemWatcher(pattern));
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
        watchers.add(event(() => void read()));
      }
    }
    void read();
  }

  owned.add(workspace.onDidChangeWorkspaceFolders(watch));
  owned.add(workspace.onDidGrantWorkspaceTrust(() => void read()));
  owned.add(onSettingChange(['parley.chat.instructionFiles'], () => void read()));
  owned.add({ dispose: () => watchers.dispose() });
  watch();

  return {
    get list() {
      return list;
    },
    read,
    onDidChange: changed.event,
    dispose: () => owned.dispose(),
  };
}

const openFolders = (): readonly WorkspaceFolder[] => workspace.workspaceFolders ?? [];

async function readOne(folder: WorkspaceFolder, path: string): Promise<Omit<InstructionFile, 'isCut'> | undefined> {
  const uri = Uri.joinPath(folder.uri, path);
  const text = await readTextFile(uri, mostBytes, folder.uri);
  const name = openFolders().length > 1 ? `${folder.name}/${path}` : path;
  return text === undefined ? undefined : { uri: uri.toString(), name, text };
}
