import { ServiceError } from '../../base/errors.ts';
import { nextTurn, turnSize } from '../../base/nextTurn.ts';
import type { GitDiff } from '../../workspace/git/gitDiff.ts';
import type { WorkspaceFiles } from '../../workspace/workspaceFiles.ts';
import { changedLines, type DiffFile, splitDiff } from './diffFiles.ts';

/** What is staged, as far as it may be sent. */
export interface StagedContent {
  readonly changes: readonly DiffFile[];
  /** How many more files are staged, that hold secrets or that git does not show. */
  readonly withheld: number;
}

/**
 * Takes apart what git says, and leaves out each file in whose changed lines, or near them, there is a secret.
 * @throws ServiceError `cancelled`
 */
export async function stagedContent(
  { text, gaps }: Extract<GitDiff, { kind: 'diff' }>,
  secretLine: WorkspaceFiles['secretLine'],
  signal: AbortSignal,
): Promise<StagedContent> {
  const all = splitDiff(text);
  const changes: DiffFile[] = [];
  for (const change of all) if (!(await hasSecret(changedLines(change), secretLine, signal))) changes.push(change);
  return { changes, withheld: gaps.length + all.length - changes.length };
}

/** Characters of a piece that are read with the next one, too: a secret may lie on the border. */
const overlap = 1_000;

/** Looks for a secret in pieces, with a turn between them: a diff may be a megabyte. */
async function hasSecret(
  text: string,
  secretLine: WorkspaceFiles['secretLine'],
  signal: AbortSignal,
): Promise<boolean> {
  for (let at = 0; at < text.length; at += turnSize) {
    if (secretLine(text.slice(Math.max(0, at - overlap), at + turnSize)) !== undefined) return true;
    await nextTurn();
    if (signal.aborted) throw new ServiceError('cancelled');
  }
  return false;
}
