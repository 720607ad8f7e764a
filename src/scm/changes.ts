/** The changes that are staged below a folder; without a repository, or where git fails, something else than a diff. */
export type StagedChanges =
  | {
      readonly kind: 'diff';
      /** As `git diff` writes it. */
      readonly text: string;
      /** Files whose changes are not in the text. */
      readonly gaps: readonly { readonly path: string; readonly reason: string }[];
    }
  | { readonly kind: 'no-repository' | 'no-revision' | 'failed' | 'missing' | 'endless' };

/** Reads what git knows of a repository, secrets left out. Of an untrusted workspace nothing is read. */
export interface ChangeReader {
  /** @param root the folder as the disk names it. @throws ServiceError `cancelled` */
  diffIn(root: string, of: 'staged', signal: AbortSignal): Promise<StagedChanges>;
  /** The first line, from 1, that holds a key or a password. */
  secretLine(text: string): number | undefined;
}
