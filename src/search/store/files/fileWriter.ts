import type { DatabaseSync } from 'node:sqlite';
import type { ExclusionReason } from '../../../workspace/exclusions.ts';
import type { FileStamp } from '../../../workspace/fileList.ts';
import { type Chunk, coveredLines } from '../../chunker/chunker.ts';
import { query } from '../rows.ts';
import { createChunkWriter } from './chunkWriter.ts';

/** Result of examining a file: its chunks, the reason it has none, or (undefined) only a new date. */
export interface FileChange {
  path: string;
  stamp: FileStamp;
  content: { hash: string; chunks: Chunk[]; lines: number } | ExclusionReason | undefined;
}

/** Writes the rows of files, and of their chunks. Both run in a transaction. */
export interface FileWriter {
  /** Writes only the differences: for a line added to a long file, a chunk, and the line numbers of the chunks below. */
  put(root: string, change: FileChange): void;
  forget(root: string, path: string): void;
}

/** A writer for the file rows of an index. */
export function createFileWriter(database: DatabaseSync): FileWriter {
  const chunkWriter = createChunkWriter(database);
  const findFile = query(database, 'SELECT id FROM files WHERE root = ? AND path = ?', { id: 'number' });
  // Without RETURNING: that needs a savepoint, at which FTS5 writes its pending words to disk, a segment for each file.
  const addFile = database.prepare('INSERT INTO files (root, path, size, mtime) VALUES (?, ?, ?, ?)');
  const setFile = database.prepare(
    'UPDATE files SET size = ?, mtime = ?, hash = ?, excluded = ?, lines = ?, covered = ?, chunks = ?, tokens = ? WHERE id = ?',
  );
  const touchFile = database.prepare('UPDATE files SET size = ?, mtime = ? WHERE root = ? AND path = ?');
  const dropFile = database.prepare('DELETE FROM files WHERE id = ?');

  return {
    put(root, { path, stamp, content }) {
      if (content === undefined) {
        touchFile.run(stamp.size, stamp.mtimeMs, root, path);
        return;
      }
      const id =
        findFile.get(root, path)?.id ?? Number(addFile.run(root, path, stamp.size, stamp.mtimeMs).lastInsertRowid);
      const [hash, reason] = typeof content === 'string' ? [null, content] : [content.hash, null];
      const { chunks, lines } = typeof content === 'string' ? { chunks: [], lines: 0 } : content;
      const tokens = chunkWriter.put(id, path, chunks);
      setFile.run(stamp.size, stamp.mtimeMs, hash, reason, lines, coveredLines(chunks), chunks.length, tokens, id);
    },
    forget(root, path) {
      const id = findFile.get(root, path)?.id;
      if (id === undefined) return;
      chunkWriter.forgetWords(id);
      dropFile.run(id);
    },
  };
}
