/** A file of a folder of the workspace: the folder as the disk names it, the path within with `/`. */
export interface OfferedFile {
  readonly root: string;
  readonly path: string;
}

/** Which changes in git: in its index, of the files since then, or of the files since a branch, tag or commit. */
export type WantedChanges = 'staged' | 'unstaged' | { readonly since: string };

/** The changes of one folder; without a repository, or such a branch, something else than a diff. */
export type FolderChanges =
  | {
      readonly kind: 'diff';
      readonly text: string;
      /** Files whose changes are not in the text. */
      readonly gaps: readonly { readonly path: string; readonly reason: string }[];
    }
  | { readonly kind: 'not-owned'; readonly folder: string }
  | { readonly kind: 'no-repository' | 'no-revision' | 'failed' | 'missing' | 'endless' };

/** The files of the workspace, as the chat is given them. Of an untrusted workspace there are none. */
export interface WorkspaceFiles {
  /** The files that no ignore rule names. */
  list(signal: AbortSignal): Promise<readonly OfferedFile[]>;
  /** Whether files of this name hold secrets, as a rule. */
  isSecretName(path: string): boolean;
  /** The first line, from 1, that holds a key or a password. */
  secretLine(text: string): number | undefined;
  diff(of: WantedChanges, signal: AbortSignal): Promise<readonly FolderChanges[]>;
  branches(signal: AbortSignal): Promise<readonly string[]>;
}
