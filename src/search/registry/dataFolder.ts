import { homedir } from 'node:os';
import { join } from 'node:path';

/** The vector cache of the commands, for all of their indexes: another clone, and an index that was deleted, send nothing again. */
export const commandCache = (data: string): string => join(data, 'vectorCache.db');

/**
 * The folder in which the indexes of this user are recorded, whichever editor made them: the place that each system has for the data of
 * programs (https://specifications.freedesktop.org/basedir-spec/latest/). `PARLEY_DATA_DIR` names another one, as a CI cache needs.
 */
export function dataFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { PARLEY_DATA_DIR, XDG_DATA_HOME, LOCALAPPDATA } = environment;
  if (PARLEY_DATA_DIR) return PARLEY_DATA_DIR;
  if (platform === 'win32') return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'Parley');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Parley');
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'parley');
}
