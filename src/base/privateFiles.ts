import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Files that Parley keeps on the disk are for its user alone: transcripts, conversations, the text of a workspace. They are 0600
 * and folders 0700, whatever the umask. Windows has no such modes; there the folder of the profile keeps others out.
 */
export const fileMode = 0o600;
const folderMode = 0o700;

/** Makes a folder, and those above it that are missing. Folders that are there stay as they are. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: folderMode });
}

export function makeFolderSync(path: string): void {
  mkdirSync(path, { recursive: true, mode: folderMode });
}

/** Closes a folder to others, and makes it where it is missing: what another program makes in it, nobody else can reach. */
export function closeFolder(path: string): void {
  try {
    makeFolderSync(path);
    // A link is not followed: what it leads to is not ours.
    if (lstatSync(path).isDirectory()) chmodSync(path, folderMode);
  } catch {
    // The disk is full, or can only be read: then there is nothing to close.
  }
}

/**
 * Writes a whole file, in a folder that is made where it is missing: to a file beside it first, to the disk, and then
 * renamed. A reader, also one after a crash, sees the old file or the new one.
 * @param content a text or bytes, or the pieces of a text, each of which is made when the one before it is written
 */
export async function writeWhole(path: string, content: string | Uint8Array | Iterable<string>): Promise<void> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}`;
  try {
    const file = await open(temporary, 'wx', fileMode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Makes the file of a database before SQLite does, which would let others read it; the files that SQLite puts beside it
 * take their modes from it. A file that is there is not opened: closing it would end the locks that this process holds
 * on it (https://sqlite.org/howtocorrupt.html, 2.2).
 */
export function prepareDatabaseFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', fileMode));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    for (const suffix of ['', '-wal', '-shm', '-journal']) makePrivateSync(path + suffix);
  }
}

/** Puts the mode of one file right, if it is ours; a link is left alone, and so is what it leads to. */
function makePrivateSync(path: string): void {
  try {
    const stats = lstatSync(path);
    if (stats.isFile() && (stats.mode & 0o777) !== fileMode) chmodSync(path, fileMode);
  } catch {
    // The file is not there, or belongs to another user.
  }
}
