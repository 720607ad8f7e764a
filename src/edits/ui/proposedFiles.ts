import { l10n, Uri, workspace } from 'vscode';
import type { FileEdit } from '../answer/resolution.ts';
import { reviewFile } from '../review/reviewedFile.ts';
import { exists } from './review/checkpoints.ts';
import type { ProposedFile } from './review/reviewedDocument.ts';

/** A file that an answer is about, as it was when the answer was asked for. */
export interface KnownFile {
  readonly uri: Uri;
  readonly lines: readonly string[];
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
  for (const { path, isNew, edits: lineEdits } of edits) {
    const file = known.get(path);
    if (file !== undefined && !isNew) {
      if (lineEdits.length > 0) files.push({ uri: file.uri, isNew: false, review: reviewFile(file.lines, lineEdits) });
      continue;
    }
    const uri = newFileAt(path);
    if (uri === undefined) return l10n.t('The model names a file outside the workspace: {0}', path);
    if (await exists(uri)) return l10n.t('The model wants to make {0}, which is there already.', path);
    files.push({ uri, isNew: true, review: reviewFile([''], lineEdits) });
  }
  return files;
}

/** Where a new file goes: below the workspace, and nowhere else. */
function newFileAt(path: string): Uri | undefined {
  const parts = path.split(/[/\\]/);
  const [folder] = workspace.workspaceFolders ?? [];
  if (folder === undefined || !workspace.isTrusted) return undefined;
  if (/^(?:[/\\]|[a-z]+:)/i.test(path) || parts.some((part) => part === '..' || part === '.git')) return undefined;
  const [first = '', ...rest] = parts;
  // With several folders a path begins with the name of one.
  const named = (workspace.workspaceFolders ?? []).find(({ name }) => name === first);
  const several = (workspace.workspaceFolders ?? []).length > 1;
  return several && named !== undefined ? Uri.joinPath(named.uri, ...rest) : Uri.joinPath(folder.uri, ...parts);
}
