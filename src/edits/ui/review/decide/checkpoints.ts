import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, type FileRenameEvent, FileType, Uri, workspace } from 'vscode';
import { writeWhole } from '../../../../base/privateFiles.ts';
import { createTaskQueue } from '../../../../base/taskQueue.ts';
import { openDocument } from '../../../../editor/files/openDocument.ts';
import type { WorkspaceFolderOfFiles } from '../../../../editor/files/workspaceFolder.ts';
import { describeForLog, type Log } from '../../../../editor/log.ts';
import {
  type Checkpoint,
  type CheckpointFile,
  mostCharacters,
  readCheckpoint,
  writeCheckpoint,
} from '../../../review/checkpoint.ts';
import { renamedTo } from '../../../review/reviewedFile.ts';
import { cellScheme } from '../../target.ts';
import { type ChangeSet, isSetFile } from '../changeSet.ts';
import { renamed } from '../renamed.ts';
import type { ReviewedDocument } from '../reviewedDocument.ts';

/** Files as they were before each set of changes, kept on disk for the workspace. They are followed when they are renamed. */
export interface Checkpoints extends Disposable {
  /**
   * Keeps the files of a set as they are now, the first time that it is called for the set.
   * @returns whether they are kept; not where they are too large, or cannot be written
   */
  keep(set: ChangeSet): Promise<boolean>;
  /** Changes of the set were written into its files. */
  wrote(set: ChangeSet): Promise<void>;
  /** Whether the files of a set were looked at since the window was loaded: its cells of notebooks are those still. */
  isOfThisWindow(id: string): boolean;
  /** All that are kept, the newest first. */
  list(): Promise<Checkpoint[]>;
}

/** The checkpoints that are kept; older ones are deleted. */
const mostKept = 20;
/** A larger file is none that was written here, in bytes. */
const largestFile = 4 * mostCharacters;

/** @param folder where they are; every window on the workspace has the same */
export function createCheckpoints({ path: folder, ready }: WorkspaceFolderOfFiles, log: Log): Checkpoints {
  /** Whether the files of each set are kept, by its id. */
  const kept = new Map<string, Promise<boolean>>();
  /** Checkpoints that are there are changed one after the other. */
  const queue = createTaskQueue();
  const inTurn = (run: () => Promise<void>): Promise<void> =>
    queue(run).catch((error: unknown) => log.warn(describeForLog(error)));
  const pathOf = (id: string): string => join(folder, `${id}.json`);

  async function names(): Promise<string[]> {
    await ready;
    const found = await readdir(folder).catch((): string[] => []);
    // A name begins with the time, so that the newest is the last.
    return found.filter(isSetFile).sort();
  }

  async function write({ id, title, documents }: ChangeSet): Promise<boolean> {
    const path = pathOf(id);
    await ready;
    // Files of a set that outlived a reload were kept before it, as they were when the set was new.
    if (await exists(Uri.file(path))) return true;
    const files = await Promise.all(documents.map(readFileOf));
    if (files.reduce((sum, { text }) => sum + (text?.length ?? 0), 0) > mostCharacters) return false;
    await writeWhole(path, writeCheckpoint({ id, title, time: Date.now(), files }));
    for (const name of (await names()).slice(0, -mostKept)) await rm(join(folder, name), { force: true });
    return true;
  }

  async function list(): Promise<Checkpoint[]> {
    const read = (await names()).reverse().map(async (name) => {
      const path = join(folder, name);
      const { size } = await stat(path);
      return size > largestFile ? undefined : readCheckpoint(await readFile(path, 'utf8'));
    });
    const found = await Promise.all(read.map((each) => each.catch(() => undefined)));
    return found.filter((each) => each !== undefined);
  }

  async function change(wanted: readonly Checkpoint[], to: (file: CheckpointFile) => CheckpointFile): Promise<void> {
    for (const checkpoint of wanted) {
      const files = checkpoint.files.map(to);
      if (files.every((file, at) => file === checkpoint.files[at])) continue;
      await writeWhole(pathOf(checkpoint.id), writeCheckpoint({ ...checkpoint, files }));
    }
  }

  async function follow({ files }: FileRenameEvent): Promise<void> {
    await change(await list(), (file) => {
      const uri = files.reduce(
        (each, { oldUri, newUri }) => renamed(each, oldUri, newUri) ?? each,
        Uri.parse(file.uri, true),
      );
      return uri.toString() === file.uri ? file : { ...file, uri: uri.toString() };
    });
  }

  const listening = workspace.onDidRenameFiles((event) => void inTurn(() => follow(event)));

  return {
    keep(set) {
      const keeping =
        kept.get(set.id) ??
        write(set).catch((error: unknown) => {
          log.warn(describeForLog(error));
          return false;
        });
      kept.set(set.id, keeping);
      return keeping;
    },
    async wrote({ id, documents }) {
      const cells = documents.filter(({ uri }) => uri.scheme === cellScheme);
      if (cells.length === 0) return;
      const after = new Map(cells.map(({ uri, file }) => [uri.toString(), file.lines.join('\n')]));
      const isIt = (checkpoint: Checkpoint): boolean => checkpoint.id === id;
      await inTurn(async () =>
        change((await list()).filter(isIt), (file) =>
          after.has(file.uri) ? { ...file, after: after.get(file.uri) } : file,
        ),
      );
    },
    isOfThisWindow: (id) => kept.has(id),
    list: () => queue(list),
    dispose: () => listening.dispose(),
  };
}

async function readFileOf({ uri, isNew, file }: ReviewedDocument): Promise<CheckpointFile> {
  if (isNew && !(await exists(uri))) return { uri: uri.toString(), text: null };
  const document = await openDocument(uri);
  const was = renamedTo(file) === undefined ? {} : { was: uri.toString() };
  const isGone = file.hunks.some(({ whole }) => whole?.kind === 'delete') ? { isDeleted: true } : {};
  return { uri: uri.toString(), text: document.getText(), ...was, ...isGone };
}

/** Whether there is a file. */
export function exists(uri: Uri): Thenable<boolean> {
  return workspace.fs.stat(uri).then(
    ({ type }) => (type & FileType.File) !== 0,
    () => false,
  );
}
