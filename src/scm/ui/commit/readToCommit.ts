import { l10n, type Uri, workspace } from 'vscode';
import { isCancelled } from '../../../base/errors.ts';
import type { Notices } from '../../../editor/notices.ts';
import { manageNotOwned, notOwnedText } from '../../../editor/sentences/narrowingText.ts';
import { Command } from '../../../ids/ids.ts';
import type { GitDiff } from '../../../workspace/git/gitDiff.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import { styleOf } from '../../commit/commitPrompt.ts';
import { type StagedContent, stagedContent } from '../../commit/stagedContent.ts';
import type { GitRepository } from './gitExtension.ts';

/**
 * What a commit would hold, and the style of the last messages; undefined where there is nothing to send, which the user is told.
 * That is what is staged; where nothing is, all changes, as VS Code commits them then, if its settings or the user say so.
 * @param isAll whether the user said so
 */
export async function readToCommit(
  files: WorkspaceFiles,
  repository: GitRepository,
  { notices, isAll }: { readonly notices: Notices; readonly isAll: boolean },
  signal: AbortSignal,
): Promise<(StagedContent & { readonly subjects: readonly string[] }) | undefined> {
  const { rootUri } = repository;
  const root = rootUri.fsPath;
  const staged = await files.diffIn(root, 'staged', signal);
  const isNothing = staged.kind === 'diff' && staged.text === '' && staged.gaps.length === 0;
  const found = isNothing ? await files.diffIn(root, 'unstaged', signal) : staged;
  if (found.kind === 'not-owned') return void notices.warn(notOwnedText(found.folder), manageNotOwned());
  if (found.kind !== 'diff') return void notices.warn(failureText(found));
  if (isNothing) {
    if (found.text === '' && found.gaps.length === 0) {
      return void notices.warn(l10n.t('There are no changes to write a commit message for.'));
    }
    if (!isAll && workspace.getConfiguration('git', rootUri).get('enableSmartCommit') !== true) {
      const forAll = { title: l10n.t('Write for All Changes'), command: Command.scmCommitMessage };
      return void notices.info(
        l10n.t('Nothing is staged. VS Code can commit all changes then, and Parley write a message for them.'),
        {
          ...forAll,
          arguments: [repository, { isAll: true }],
        },
      );
    }
  }
  const content = await stagedContent(isNothing ? smartCommit(found, rootUri) : found, files.secretLine, signal);
  if (content.changes.length > 0) return { ...content, subjects: await readStyle(files, root, signal) };
  if (content.withheld > 0) {
    return void notices.warn(
      isNothing
        ? l10n.t('Nothing was sent: the changed files hold secrets, or their changes are too large.')
        : l10n.t('Nothing was sent: the files that are staged hold secrets, or their changes are too large.'),
    );
  }
  return void notices.warn(l10n.t('There are no changes to write a commit message for.'));
}

type Diff = Extract<GitDiff, { kind: 'diff' }>;

/** Without the files that git does not track, where VS Code commits only those that it does. */
function smartCommit(diff: Diff, rootUri: Uri): Diff {
  const git = workspace.getConfiguration('git', rootUri);
  const isTracked = git.get('smartCommitChanges') === 'tracked' || git.get('untrackedChanges') !== 'mixed';
  if (!isTracked) return diff;
  const patches = diff.text.split(/(?<=^|\n)(?=diff --git )/);
  return { ...diff, text: patches.filter((patch) => !/^diff --git .*\n--- \/dev\/null\n/.test(patch)).join('') };
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
