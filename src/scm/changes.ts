/** Which changes in git: in its index, of the files since then, or of the files since a branch, tag or commit. */
export type ScmChanges = 'staged' | 'unstaged' | { readonly since: string };

/** The changes below a folder as a unified diff with paths from there; without a repository, or such a branch, something else. */
export type Changes =
  | {
      readonly kind: 'diff';
      readonly text: string;
      /** Files whose changes are not in the text. */
      readonly gaps: readonly { readonly path: string; readonly reason: string }[];
    }
  | { readonly kind: 'not-owned'; readonly folder: string }
  | { readonly kind: 'no-repository' | 'no-revision' | 'failed' | 'missing' | 'endless' };

/** The changes of one folder of the workspace. */
export type ScmDiff = { readonly root: string } & Changes;

/** What changed, secrets left out, as this room is given it. Of an untrusted workspace there is nothing. */
export interface ScmFiles {
  /** In each folder of the workspace. @throws ServiceError `cancelled` */
  diff(of: ScmChanges, signal: AbortSignal): Promise<readonly ScmDiff[]>;
  /** Below one folder, be it in the workspace or not. @throws ServiceError `cancelled` */
  diffIn(root: string, of: ScmChanges, signal: AbortSignal): Promise<Changes>;
  /** Names of branches, the newest first. */
  branches(signal: AbortSignal): Promise<readonly string[]>;
  /** The first lines of the last commits in a folder's repository, the newest first. @throws ServiceError `cancelled` */
  lastSubjects(root: string, count: number, signal: AbortSignal): Promise<readonly string[]>;
  /** The first line, from 1, that holds a key or a password. */
  secretLine(text: string): number | undefined;
}
