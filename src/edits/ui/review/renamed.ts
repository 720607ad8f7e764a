import { Uri } from 'vscode';

/** Where a file is after it, or a folder that it is in, was renamed; undefined for another file. */
export function renamed(uri: Uri, from: Uri, to: Uri): Uri | undefined {
  if (uri.toString() === from.toString()) return to;
  if (!uri.toString().startsWith(`${from}/`)) return undefined;
  return Uri.joinPath(to, uri.path.slice(from.path.length));
}
