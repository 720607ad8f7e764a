import { l10n } from 'vscode';
import { isCancelled } from '../../../base/errors.ts';
import type { Notices } from '../../../editor/notices.ts';
import { manageNotOwned, notOwnedText } from '../../../editor/sentences/narrowingText.ts';
import type { GitDiff } from '../../../workspace/git/gitDiff.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import { styleOf } from '../../commit/commitPrompt.ts';
import { type StagedContent, stagedContent } from '../../commit/stagedContent.ts';
import type { GitRepository } from './gitExtension.ts';

/** What is staged, and the style of the last messages; undefined where there is nothing to send, which the user is told. */
export async function readStaged(
  files: WorkspaceFiles,
  repository: GitRepository,
  notices: Notices,
  signal: AbortSignal,
): Promise<(StagedContent & { readonly subjects: readonly string[] }) | undefined> {
  const root = repository.rootUri.fsPath;
  const found = await files.diffIn(root, 'staged', signal);
  if (found.kind === 'not-owned') return void notices.warn(notOwnedText(found.folder), manageNotOwned());
  if (found.kind !== 'diff') return void notices.warn(failureText(found));
  const content = await stagedContent(found, files.secretLine, signal);
  if (content.changes.length > 0) return { ...content, subjects: await readStyle(files, root, signal) };
  if (content.withheld > 0) {
    return void notices.warn(
      l10n.t('Nothing was sent: the files that are staged hold secrets, or their changes are too large.'),
    );
  }
  const stageAll = { title: l10n.t('Stage All Changes'), command: 'git.stageAll', arguments: [repository.rootUri] };
  return void notices.warn(l10n.t('No changes are staged to write a commit message for.'), stageAll);
}

function failureText({ kind }: Exclude<GitDiff, { kind: 'diff' }>): string {
  if (kind === 'missing') return l10n.t('Git is not installed here.');
  return l10n.t('Git could not say what changed.');
}

/** More commits than subjects are asked for: those that git writes itself show no style. */
const commitsRead = 15;
/** The message is written without them where git takes longer, in milliseconds. */
const longestRead = 5_000;

async function readStyle(files: WorkspaceFiles, root: string, signal: AbortSignal): Promise<string[]> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(longestRead)]);
  const subjects = await files.lastSubjects(root, commitsRead, soon).catch((error) => {
    if (isCancelled(error) && !signal.aborted) return [];
    throw error;
  });
  return styleOf(subjects).filter((subject) => files.secretLine(subject) === undefined);
}
