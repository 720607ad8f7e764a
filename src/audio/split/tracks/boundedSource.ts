import { CustomSource } from 'mediabunny';
import type { SourceFile } from '../sourceFile.ts';

/** Bytes of the file that are kept for the next read. */
const cacheSize = 1024 * 1024;

/** A file as mediabunny reads it. Unlike its own source, this one has bounds, and says when the file is shorter by now. */
export function boundedSource(file: SourceFile): CustomSource {
  return new CustomSource({
    getSize: () => file.size,
    read: (start, end) => file.read(start, end - start),
    maxCacheSize: cacheSize,
    prefetchProfile: 'fileSystem',
    // A read ahead that failed: the one that needs those bytes fails, too.
    handleUnhandledError: () => undefined,
  });
}
