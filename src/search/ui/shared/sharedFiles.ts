import { workspace } from 'vscode';
import { excludeByPath } from '../../files/exclusions.ts';
import { type DiffOf, type GitDiff, gitBranches, gitDiff, gitSubjects } from '../../files/git/gitDiff.ts';
import { findSecret } from '../../files/secrets.ts';
import { findObstacle, roots } from './workspace.ts';

/** A file of a folder of the workspace: the folder as the disk names it, the path within with `/`. */
export interface RootFile {
  readonly root: string;
  readonly path: string;
}

/** The files of the workspace for other parts of Parley, by the rules of the code search. In an untrusted folder nothing is read. */
export interface SharedFiles {
  /** The files that no ignore rule names. */
  list(signal: AbortSignal): Promise<RootFile[]>;
  /** Whether files of this name hold secrets, as a rule. */
  isSecretName(path: string): boolean;
  /** The first line, from 1, that holds a key or a password. */
  secretLine(text: string): number | undefined;
  /** The changes in git of each folder, with paths from there. */
  diff(of: DiffOf, signal: AbortSignal): Promise<(GitDiff & { readonly root: string })[]>;
  /** The changes below one folder on a disk, be it in the workspace or not: VS Code opens repositories around it, too. */
  diffIn(root: string, of: DiffOf, signal: AbortSignal): Promise<GitDiff>;
  branches(signal: AbortSignal): Promise<string[]>;
  /** The first lines of the last commits in the repository of a folder on a disk, the newest first. */
  lastSubjects(root: string, count: number, signal: AbortSignal): Promise<string[]>;
}

export function createSharedFiles(): SharedFiles {
  const readable = (): string[] => (findObstacle() === undefined ? roots() : []);
  return {
    async list(signal) {
      // The walk is loaded with its first use, and not with the extension.
      const { listOwnFiles } = await import('../../files/fileList.ts');
      const lists = await Promise.all(
        readable().map(async (root, _, all) => (await listOwnFiles(all, root, signal)).map((path) => ({ root, path }))),
      );
      return lists.flat();
    },
    isSecretName: (path) => excludeByPath(path) === 'secret-path',
    secretLine: (text) => findSecret(text)?.line,
    diff: (of, signal) => Promise.all(readable().map(async (root) => ({ root, ...(await gitDiff(root, of, signal)) }))),
    diffIn: async (root, of, signal) => (workspace.isTrusted ? gitDiff(root, of, signal) : { kind: 'no-repository' }),
    lastSubjects: async (root, count, signal) => (workspace.isTrusted ? gitSubjects(root, count, signal) : []),
    async branches(signal) {
      const lists = await Promise.all(readable().map((root) => gitBranches(root, signal)));
      return [...new Set(lists.flat())];
    },
  };
}
