import type { DiffOf, GitDiff } from './git/gitDiff.ts';

/** A file of a folder of the workspace: the folder as the disk names it, the path within with `/`. */
export interface RootFile {
  readonly root: string;
  readonly path: string;
}

/** The changes in git of one folder of the workspace, with paths from there. */
export type FolderDiff = GitDiff & { readonly root: string };

/** The files of the workspace by the rules of the index, for every feature. In an untrusted workspace nothing is read. */
export interface WorkspaceFiles {
  /** The files that no ignore rule names. @throws ServiceError `cancelled` */
  list(signal: AbortSignal): Promise<readonly RootFile[]>;
  /** Whether files of this name hold secrets, as a rule. */
  isSecretName(path: string): boolean;
  /** The first line, from 1, that holds a key or a password. */
  secretLine(text: string): number | undefined;
  /** The changes in each folder, secrets left out. @throws ServiceError `cancelled` */
  diff(of: DiffOf, signal: AbortSignal): Promise<readonly FolderDiff[]>;
  /** The same below one folder, be it in the workspace or not: VS Code opens repositories around it, too. */
  diffIn(root: string, of: DiffOf, signal: AbortSignal): Promise<GitDiff>;
  /** Names of branches, the newest first. */
  branches(signal: AbortSignal): Promise<readonly string[]>;
  /** The first lines of the last commits in a folder's repository, the newest first. @throws ServiceError `cancelled` */
  lastSubjects(root: string, count: number, signal: AbortSignal): Promise<readonly string[]>;
}
