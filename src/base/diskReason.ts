/** Why the disk did not do what it was asked for. */
export type DiskReason = 'full' | 'read-only' | 'failed';

const byCode: ReadonlyMap<string, DiskReason> = new Map(
  Object.entries({
    ENOSPC: 'full',
    EDQUOT: 'full',
    EFBIG: 'full',
    EROFS: 'read-only',
    EACCES: 'read-only',
    EPERM: 'read-only',
    // A file stands where a folder has to be.
    EEXIST: 'read-only',
    ENOTDIR: 'read-only',
    EIO: 'failed',
  } as const),
);

/** The reason that an error of Node's file system names; undefined for an error of another kind. */
export function diskReason(error: unknown): DiskReason | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? byCode.get(error.code)
    : undefined;
}

/** Whether there is no file of that name. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
