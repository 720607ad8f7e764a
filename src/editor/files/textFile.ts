import { realpath } from 'node:fs/promises';
import { FileType, type Uri, workspace } from 'vscode';
import { decode } from '../../base/encoding/decode.ts';
import { isInside } from '../../base/paths.ts';
import { readEncodingSetting } from './readEncodingRules.ts';

/**
 * The text of a file; undefined where there is none. What is no regular file, no text, or too large, is none.
 * @param mostBytes of the file
 * @param folder of the workspace, where the file is of one: a link that leads out of it is no file. Nobody sees where it leads, and
 * what is read is sent
 */
export async function readTextFile(uri: Uri, mostBytes: number, folder?: Uri): Promise<string | undefined> {
  try {
    const { type, size } = await workspace.fs.stat(uri);
    if ((type & FileType.File) === 0 || size > mostBytes || !(await isWithin(uri, folder))) return undefined;
    return decode(await workspace.fs.readFile(uri), readEncodingSetting(uri));
  } catch {
    return undefined;
  }
}

async function isWithin(uri: Uri, folder: Uri | undefined): Promise<boolean> {
  if (uri.scheme !== 'file' || folder === undefined) return true;
  return isInside(await realpath(folder.fsPath), await realpath(uri.fsPath));
}
