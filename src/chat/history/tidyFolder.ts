import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { claimedEnding } from './claimQuestion.ts';
import { removedEnding } from './conversationLog.ts';
import { temporaryName } from './writeNew.ts';

const keepRemovedMs = 24 * 3600 * 1000;

/** Deletes what was removed from the folder of conversations a day ago, what was claimed then, and what a killed process left there. */
export async function tidyFolder(folder: string, ending: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const isEmptyOnly = name.endsWith(ending);
    // A file that a killed process left; one that is not old may be another window's, which is at it now.
    const isOver = name.endsWith(removedEnding) || name.endsWith(claimedEnding);
    if (isEmptyOnly || isOver || temporaryName.test(name)) {
      await removeOld(join(folder, name), isEmptyOnly).catch(() => {});
    }
  }
}

async function removeOld(file: string, isEmptyOnly: boolean): Promise<void> {
  const { mtimeMs, size } = await stat(file);
  if (isEmptyOnly && size > 0) return;
  if (Date.now() - mtimeMs > keepRemovedMs) await rm(file, { force: true });
}
