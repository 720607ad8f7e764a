import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Flags under which a link is not followed and a pipe does not block, whatever a path has become since it was examined. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The bytes of a regular file; nothing of a file larger than `most`, nor of anything else. */
export async function readRegular(path: string, most: number): Promise<Buffer | 'no-file' | 'too-large'> {
  const file = await open(path, flags);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return 'no-file';
    if (stat.size > most) return 'too-large';
    const bytes = Buffer.allocUnsafe(stat.size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    // Bytes added meanwhile are for the next scan: the stamp will differ.
    return bytes.subarray(0, Math.min(length, stat.size));
  } finally {
    await file.close();
  }
}
