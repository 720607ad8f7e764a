import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileMode, makeFolderSync } from '../../base/privateFiles.ts';

/** The end of a file's name that says that a question which waited was taken. */
export const claimedEnding = '.asked';

/**
 * Takes a question that waits, to be asked or to be changed. Of several windows that have it waiting, one is given true: windows on
 * the same folder begin with the same questions.
 * @param folder of conversations
 */
export function claimQuestion(folder: string, question: string): boolean {
  try {
    makeFolderSync(folder);
    closeSync(openSync(join(folder, question + claimedEnding), 'wx', fileMode));
    return true;
  } catch (error) {
    // What the disk refuses else is no reason not to ask.
    return (error as NodeJS.ErrnoException).code !== 'EEXIST';
  }
}
