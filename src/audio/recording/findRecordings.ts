import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import { isRecordingName } from './formats.ts';

/** Recordings of one folder beyond these are left out. */
const mostFound = 1_000;
/** Folders and files that are looked at. */
const mostSeen = 200_000;
/** Folders of programs: recordings in them are none of the user's. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

/** The recordings of a folder. */
export interface FoundRecordings {
  /** In their order. */
  readonly paths: readonly string[];
  /** Whether there are more of them, or may be. */
  readonly isCut: boolean;
}

/**
 * The recordings in a folder and those below it. Links are not followed.
 * @throws ServiceError `cancelled`
 */
export async function findRecordings(folder: string, signal: AbortSignal): Promise<FoundRecordings> {
  const found: string[] = [];
  const folders = [folder];
  let seen = 0;
  for (let path = folders.pop(); path !== undefined && seen < mostSeen; path = folders.pop()) {
    const entries = await opendir(path).catch(() => undefined);
    if (entries === undefined) continue;
    for await (const entry of entries) {
      if (signal.aborted) throw new ServiceError('cancelled');
      if (seen++ >= mostSeen) break;
      if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(join(path, entry.name));
      else if (entry.isFile() && isRecordingName(entry.name)) found.push(join(path, entry.name));
    }
  }
  return { paths: found.sort().slice(0, mostFound), isCut: found.length > mostFound || seen >= mostSeen };
}
