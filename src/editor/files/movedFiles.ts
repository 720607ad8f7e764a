import { copyFile, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../base/privateFiles.ts';

/** The most folders that VS Code gives for one workspace: each window more has the next number. */
const mostNumbered = 16;

/**
 * The folders that VS Code may have given for a workspace: its own, and those that it gives a window while an earlier one still has that,
 * such as after a quick reload (`…/ab12`, `…/ab12-1`, `…/ab12-2`).
 * @param storage the path that this window was given: a folder of the extension, in that of the workspace
 */
export function storagesOf(storage: string): string[] {
  const [own, name] = [basename(dirname(storage)), basename(storage)];
  const first = own.replace(/-\d{1,2}$/, '');
  const all = [first, ...Array.from({ length: mostNumbered }, (_, at) => `${first}-${at + 1}`)];
  return all.map((each) => join(dirname(dirname(storage)), each, name));
}

/**
 * Moves files from folders in which they are no longer looked for, and removes the folders that are empty then. A file whose name is
 * taken stays where it is. Windows may do so at the same time: each file is moved by one of them.
 * @param isMeant whether a name is that of such a file
 */
export async function moveFiles(
  from: readonly string[],
  to: string,
  isMeant: (name: string) => boolean,
): Promise<void> {
  for (const folder of from) {
    const names = (await readdir(folder).catch((): string[] => [])).filter(isMeant);
    if (names.length > 0) await makeFolder(to);
    const taken = new Set(await readdir(to).catch((): string[] => []));
    for (const name of names) if (!taken.has(name)) await moveFile(join(folder, name), join(to, name));
    // One that has other files stays, and so does one that is not there.
    await rmdir(folder).catch(() => undefined);
  }
}

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Another window was faster.
    if (code === 'ENOENT') return;
    if (code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from, { force: true });
  }
}
