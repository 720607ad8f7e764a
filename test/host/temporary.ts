/** Where tests keep their temporary files. */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const memory = '/dev/shm';
/** The largest test writes less than 2 GB at a time, and several run at once. */
const needed = 8 * 1024 ** 3;

/**
 * Puts the temporary files of this process, and of all that it starts, into memory, where the machine has a folder and room
 * for that: a database opens there in 2 ms and not in 30. They are gone with the process.
 */
export function keepTemporaryFilesInMemory(): void {
  // Whoever started this process has done so already.
  if (process.env.TMPDIR?.startsWith(memory) || !hasRoom()) return;
  const folder = mkdtempSync(`${memory}/parley-tests-`);
  // For everybody, as /tmp is: a proxy that is tested with gives up its rights.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem()) >= needed;
  } catch {
    return false;
  }
}
