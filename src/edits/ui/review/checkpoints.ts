import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExtensionContext, FileType, Uri, workspace } from 'vscode';
import { writeWhole } from '../../../base/privateFiles.ts';
import { describeForLog, type Log } from '../../../editor/log.ts';
import {
  type Checkpoint,
  type CheckpointFile,
  mostCharacters,
  readCheckpoint,
  writeCheckpoint,
} from '../../review/checkpoint.ts';
import type { ChangeSet } from './changeSet.ts';

/** Files as they were before each set of changes, kept on disk with the workspace. */
export interface Checkpoints {
  /**
   * Keeps the files of a set as they are now, the first time that it is called for the set.
   * @returns whether they are kept; not where they are too large, or cannot be written
   */
  keep(set: ChangeSet): Promise<boolean>;
  /** All that are kept, the newest first. */
  list(): Promise<Checkpoint[]>;
}

/** The checkpoints that are kept; older ones are deleted. */
const mostKept = 20;
/** A larger file is none that was written here, in bytes. */
const largestFile = 4 * mostCharacters;

export function createCheckpoints({ storageUri, globalStorageUri }: ExtensionContext, log: Log): Checkpoints {
  const folder = Uri.joinPath(storageUri ?? globalStorageUri, 'checkpoints').fsPath;
  /** Whether the files of each set are kept, by its id. */
  const kept = new Map<string, Promise<boolean>>();

  async function names(): Promise<string[]> {
    const found = await readdir(folder).catch((): string[] => []);
    // A name begins with the time, so that the newest is the last.
    return found.filter((name) => /^\d+-\d+\.json$/.test(name)).sort();
  }

  async function write({ id, title, documents }: ChangeSet): Promise<boolean> {
    const path = join(folder, `${id}.json`);
    // Files of a set that outlived a reload were kept before it, as they were when the set was new.
    if (await exists(Uri.file(path))) return true;
    const files = await Promise.all(documents.map(({ uri, isNew }) => readFileOf(uri, isNew)));
    if (files.reduce((sum, { text }) => sum + (text?.length ?? 0), 0) > mostCharacters) return false;
    await writeWhole(path, writeCheckpoint({ id, title, time: Date.now(), files }));
    for (const name of (await names()).slice(0, -mostKept)) await rm(join(folder, name), { force: true });
    return true;
  }

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
    async list() {
      const read = (await names()).reverse().map(async (name) => {
        const path = join(folder, name);
        const { size } = await stat(path);
        return size > largestFile ? undefined : readCheckpoint(await readFile(path, 'utf8'));
      });
      const found = await Promise.all(read.map((each) => each.catch(() => undefined)));
      return found.filter((each) => each !== undefined);
    },
  };
}

async function readFileOf(uri: Uri, isNew: boolean): Promise<CheckpointFile> {
  if (isNew && !(await exists(uri))) return { uri: uri.toString(), text: null };
  const document = await workspace.openTextDocument(uri);
  return { uri: uri.toString(), text: document.getText() };
}

/** Whether there is a file. */
export function exists(uri: Uri): Thenable<boolean> {
  return workspace.fs.stat(uri).then(
    ({ type }) => (type & FileType.File) !== 0,
    () => false,
  );
}
