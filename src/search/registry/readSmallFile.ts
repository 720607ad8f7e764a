import { readRegular } from '../../workspace/readRegular.ts';

/** The longest record or announcement that is read, in bytes: a few paths and settings. */
const longest = 1024 * 1024;

/** The text of a small file; empty for what is none: a folder, a link, a pipe that would be waited for, a file of any length. */
export async function readSmallFile(path: string): Promise<string> {
  const bytes = await readRegular(path, longest).catch(() => 'no-file' as const);
  return typeof bytes === 'string' ? '' : bytes.toString('utf8');
}
