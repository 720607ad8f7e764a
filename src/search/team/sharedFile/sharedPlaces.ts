import { basename, isAbsolute, join } from 'node:path';
import { isAddress } from './fetchSharedFile.ts';

/** The variable of VS Code for the name of a folder. */
const folderName = /\$\{workspaceFolderBasename\}/g;

/**
 * Where the shared files of some folders are: paths and addresses, each once.
 * @param named what the setting says: a path, relative to each of them, or an address; `${workspaceFolderBasename}` is the name of a folder
 */
export function sharedPlaces(named: string, folders: readonly string[]): string[] {
  const text = named.trim();
  if (text === '') return [];
  const isUrl = isAddress(text);
  const places = folders.map((folder) => {
    const name = isUrl ? encodeURIComponent(basename(folder)) : basename(folder);
    const filled = text.replaceAll(folderName, () => name);
    return isUrl || isAbsolute(filled) ? filled : join(folder, filled);
  });
  return [...new Set(places)];
}
