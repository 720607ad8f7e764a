import { basename } from 'node:path';
import { l10n, Uri } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import type { GitApi, GitRepository } from './gitExtension.ts';

/** The root that the argument of a command in the menu of a repository names; undefined for other arguments. */
export function rootOf(source: unknown): Uri | undefined {
  const isObject = typeof source === 'object' && source !== null;
  return isObject && 'rootUri' in source && source.rootUri instanceof Uri ? source.rootUri : undefined;
}

/** The repositories on a disk. */
const onDisk = (git: GitApi): GitRepository[] => git.repositories.filter(({ rootUri }) => rootUri.scheme === 'file');

/**
 * The repository that a command is for: the one whose button was pressed, the only one, the one of the active editor, or the one that
 * the user picks. `none` where there is none, undefined where the user picks none.
 */
export async function chooseRepository(git: GitApi, source: unknown): Promise<GitRepository | 'none' | undefined> {
  const repositories = onDisk(git);
  const at = (uri: Uri | undefined): GitRepository | undefined =>
    repositories.find(({ rootUri }) => rootUri.toString() === uri?.toString());
  const [first, ...others] = repositories;
  if (first === undefined) return 'none';
  const root = rootOf(source);
  if (root !== undefined) return at(root) ?? 'none';
  if (others.length === 0) return first;
  const document = window.activeTextEditor?.document.uri;
  const ofEditor = document && at(git.getRepository(document)?.rootUri);
  return ofEditor ?? pickRepository(repositories);
}

async function pickRepository(repositories: readonly GitRepository[]): Promise<GitRepository | undefined> {
  const items = repositories.map((repository) => {
    const path = repository.rootUri.fsPath;
    return { label: basename(path), description: path, repository };
  });
  const placeHolder = l10n.t('Repository to write a commit message for');
  return (await window.showQuickPick(items, { placeHolder }))?.repository;
}
