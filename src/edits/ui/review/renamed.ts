import { Uri } from 'vscode';
import { sharedPath } from '../documentNames.ts';

/** Where a file is after it, or a folder that it is in, was renamed; undefined for another file. */
export function renamed(uri: Uri, from: Uri, to: Uri): Uri | undefined {
  if (uri.toString() === from.toString()) return to;
  if (!uri.toString().startsWith(`${from}/`)) return undefined;
  return Uri.joinPath(to, uri.path.slice(from.path.length));
}

export function lastName({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The new name of a file; its path where it goes to another folder. */
export function newName(from: Uri, to: Uri): string {
  const isBeside = Uri.joinPath(from, '..').toString() === Uri.joinPath(to, '..').toString();
  return isBeside ? lastName(to) : sharedPath(to);
}
