import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { l10n, Uri, workspace } from 'vscode';
import { isInside } from '../../base/paths.ts';
import type { FileEdit } from '../answer/resolution.ts';
import { reviewFile } from '../review/reviewedFile.ts';
import { exists } from './review/decide/checkpoints.ts';
import type { ProposedFile } from './review/reviewedDocument.ts';

/** A file that an answer is about, as it was when the answer was asked for. */
export interface KnownFile {
  readonly uri: Uri;
  readonly lines: readonly string[];
  /** The user chose it, and no model named it: it may be anywhere. */
  readonly isChosen?: boolean;
}

/**
 * Files with what is proposed for them; those that would stay as they are left out. A sentence where a new file has no place.
 * @param edits refined: one for each run of lines that changes
 */
export async function proposedFiles(
  edits: readonly FileEdit[],
  known: ReadonlyMap<string, KnownFile>,
): Promise<readonly ProposedFile[] | string> {
  const files: ProposedFile[] = [];
  for (const { path, isNew, edits: lineEdits, isDeleted = false, renamedTo } of edits) {
    const file = known.get(path);
    if (file !== undefined && !isNew) {
      if (!file.isChosen && !(await isOwn(file.uri))) return outside(path);
      const to = renamedTo === undefined ? undefined : await freePlace(renamedTo);
      if (typeof to === 'string') return to;
      const whole = { ...(isDeleted ? { isDeleted } : {}), ...(to === undefined ? {} : { renamedTo: to }) };
      if (lineEdits.length > 0 || isDeleted || to !== undefined)
        files.push({ uri: file.uri, isNew: false, review: reviewFile(file.lines, lineEdits), ...whole });
      continue;
    }
    const uri = await freePlace(path);
    if (typeof uri === 'string') return uri;
    files.push({ uri, isNew: true, review: reviewFile([''], lineEdits) });
  }
  return files;
}

/** Where a file can be made, or a sentence where it cannot. */
async function freePlace(path: string): Promise<Uri | string> {
  const uri = newFileAt(path);
  if (uri === undefined || !(await isOwn(uri))) return outside(path);
  if (await exists(uri)) return l10n.t('The model wants to make {0}, which is there already.', path);
  return uri;
}

const outside = (path: string): string => l10n.t('The model names a file outside the workspace: {0}', path);

/** Whether a file is one of the workspace and none of git's: on the disk, a link may lead elsewhere. */
async function isOwn(uri: Uri): Promise<boolean> {
  const folder = workspace.getWorkspaceFolder(uri);
  // Systems that ignore case, or dots at the end, have the folder under more names.
  if (folder === undefined || uri.path.split('/').some((part) => /^\.git[. ]*$/i.test(part))) return false;
  if (uri.scheme !== 'file') return true;
  return isInside(await realpath(folder.uri.fsPath), await placeOf(uri.fsPath));
}

/** Where a file is, or would be, on the disk. */
async function placeOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // A link to what is not there yet would be followed by whoever writes.
    const target = await readlink(path).catch(() => undefined);
    if (target !== undefined) return placeOf(resolve(dirname(path), target));
    return dirname(path) === path ? path : join(await placeOf(dirname(path)), basename(path));
  }
}

/** Where a new file goes: below the workspace, and nowhere else. */
function newFileAt(path: string): Uri | undefined {
  const parts = path.split(/[/\\]/);
  const [folder] = workspace.workspaceFolders ?? [];
  if (folder === undefined || !workspace.isTrusted) return undefined;
  if (/^(?:[/\\]|[a-z]+:)/i.test(path) || parts.includes('..')) return undefined;
  const [first = '', ...rest] = parts;
  // With several folders a path begins with the name of one.
  const named = (workspace.workspaceFolders ?? []).find(({ name }) => name === first);
  const several = (workspace.workspaceFolders ?? []).length > 1;
  return several && named !== undefined ? Uri.joinPath(named.uri, ...rest) : Uri.joinPath(folder.uri, ...parts);
}
