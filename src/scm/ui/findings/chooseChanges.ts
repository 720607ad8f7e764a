import { l10n } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { withLateProgress } from '../../../editor/progress.ts';
import { manageNotOwned, notOwnedText } from '../../../editor/sentences/narrowingText.ts';
import { window } from '../../../editor/text/window.ts';
import type { FolderDiff, WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import { readChangedFiles } from '../../findings/changedFiles.ts';
import { followUnsaved, type UnsavedEdits } from './unsavedEdits.ts';

/** Changes that are to be reviewed. */
export interface ChosenChanges {
  readonly diffs: readonly FolderDiff[];
  /** What changed after these changes, up to the files of the working tree. */
  readonly later: readonly FolderDiff[];
  /** Of documents, since the changes were read. */
  readonly edits: UnsavedEdits;
}

/** Asks which changes are meant, where there are several. Undefined when the user leaves, or there are none, which was said. */
export function chooseChanges(files: WorkspaceFiles, notices: Notices): Promise<ChosenChanges | undefined> {
  return following((edits) => chooseBetween(files, notices, edits));
}

/** Edits are followed from before the changes are read: the user may type while the list is open. */
async function following(
  choose: (edits: UnsavedEdits) => Promise<ChosenChanges | undefined>,
): Promise<ChosenChanges | undefined> {
  const edits = await followUnsaved();
  let chosen: ChosenChanges | undefined;
  try {
    chosen = await choose(edits);
    return chosen;
  } finally {
    if (chosen?.edits !== edits) edits.dispose();
  }
}

async function chooseBetween(
  files: WorkspaceFiles,
  notices: Notices,
  edits: UnsavedEdits,
): Promise<ChosenChanges | undefined> {
  const [unstaged, staged, branches] = await whileReading((signal) =>
    Promise.all([files.diff('unstaged', signal), files.diff('staged', signal), files.branches(signal)]),
  );
  const choices = [
    ...choice(l10n.t('Unstaged Changes'), { diffs: unstaged, later: [], edits }),
    ...choice(l10n.t('Staged Changes'), { diffs: staged, later: unstaged, edits }),
  ];
  // With one branch alone, nothing else than these can have changed since.
  const since = branches.length > 1 ? [{ label: l10n.t('Since a Branch…'), chosen: undefined }] : [];
  const all = [...choices, ...since];
  const placeHolder = l10n.t('Which changes to review');
  const picked = all.length > 1 ? await window.showQuickPick(all, { placeHolder }) : all[0];
  if (picked === undefined) {
    if (all.length === 0) sayNothing(notices, [...unstaged, ...staged]);
    return undefined;
  }
  return picked.chosen ?? sinceBranch(files, branches, notices);
}

async function sinceBranch(
  files: WorkspaceFiles,
  branches: readonly string[],
  notices: Notices,
): Promise<ChosenChanges | undefined> {
  const items = branches.map((label) => ({ label }));
  const picked = await window.showQuickPick(items, { placeHolder: l10n.t('The branch to compare with') });
  if (picked === undefined) return undefined;
  return following(async (edits) => {
    const diffs = await whileReading((signal) => files.diff({ since: picked.label }, signal));
    if (countFiles(diffs) > 0) return { diffs, later: [], edits };
    sayNothing(notices, diffs);
    return undefined;
  });
}

const whileReading = <T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  withLateProgress(l10n.t('Reading the changes'), read);

/** A row of the list; none for changes without a file. */
function choice(label: string, chosen: ChosenChanges): { label: string; description: string; chosen: ChosenChanges }[] {
  const count = countFiles(chosen.diffs);
  const description = count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
  return count === 0 ? [] : [{ label, description, chosen }];
}

const countFiles = (diffs: readonly FolderDiff[]): number =>
  diffs.reduce((sum, each) => sum + (each.kind === 'diff' ? readChangedFiles(each.text).length : 0), 0);

/** Says why there is nothing to review. */
function sayNothing(notices: Notices, diffs: readonly FolderDiff[]): void {
  const foreign = diffs.find((each) => each.kind === 'not-owned');
  if (foreign === undefined) void notices.warn(nothingText(diffs));
  else void notices.warn(notOwnedText(foreign.folder), manageNotOwned());
}

function nothingText(diffs: readonly FolderDiff[]): string {
  const has = (...kinds: FolderDiff['kind'][]): boolean => diffs.some(({ kind }) => kinds.includes(kind));
  if (diffs.some((each) => each.kind === 'diff' && each.gaps.length > 0)) return leftOutText();
  if (has('diff')) return l10n.t('There are no changes to review.');
  if (has('missing')) return l10n.t('Git is not installed here.');
  if (has('no-revision')) return l10n.t('Git knows no branch of this name.');
  if (has('failed', 'endless')) return l10n.t('Git could not say what changed.');
  return l10n.t('No folder here that you trust is in a git repository.');
}

/** All that changed is in files that stay here. */
export const leftOutText = (): string =>
  l10n.t('Nothing was reviewed: the changes are in files that hold secrets, are no text, or are too large.');
