import type { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { textHash } from '../../chunker/chunker.ts';
import { inSlices } from '../inSlices.ts';
import { query } from '../rows.ts';
import { storageReason } from '../storageError.ts';

/** A chunk with its text, and columns of its row and its file's row. */
export interface SoundChunk {
  file: number;
  root: string;
  path: string;
  start_line: number;
  end_line: number;
  /** Names of the enclosing blocks, one a line. */
  enclosing: string;
  hash: Uint8Array;
  text: string;
}

/** Chunks whose text fits their hash. A corrupted one is removed, and its file read again at the next scan. */
export interface SoundChunks {
  read(id: number): SoundChunk | undefined;
  /** Number of files that have lost a corrupted chunk. */
  damagedFiles(): number;
  /** Whether the check of all chunks found the database corrupted: its indexes contradict each other. */
  isCorrupted(): boolean;
  /** Stops the check of all chunks that begins when the index is opened. */
  close(): void;
}

/**
 * Reads chunks, and checks all of them in the background.
 * @param inTransaction does work that writes, all of it or nothing
 * @param canWrite false: corrupted chunks are skipped and not removed
 */
export function readSoundChunks(
  database: DatabaseSync,
  inTransaction: (work: () => void) => void,
  canWrite: boolean,
): SoundChunks {
  const readChunk = query(
    database,
    `SELECT c.file, c.start_line, c.end_line, c.enclosing, c.hash, c.text, f.root, f.path
     FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?`,
    {
      ...{ file: 'number', start_line: 'number', end_line: 'number', enclosing: 'text', root: 'text', path: 'text' },
      // `textOf` checks these two against each other.
      ...{ hash: 'any', text: 'any' },
    },
  );
  const remove = createRemoval(database, inTransaction);
  // The size -1 marks a file that the next scan must read.
  const distrusted = query(database, 'SELECT count(*) AS files FROM files WHERE size = -1', { files: 'number' });

  function read(id: number): SoundChunk | undefined {
    const row = readChunk.get(id);
    if (row === undefined) return undefined;
    const sound = textOf(row);
    if (sound === undefined && canWrite) remove(id, row.file);
    return sound && { ...row, ...sound };
  }

  const check = checkAll(database, read);
  return {
    read,
    isCorrupted: check.isCorrupted,
    damagedFiles: () => distrusted.one().files,
    close: check.stop,
  };
}

/** A function that removes a corrupted chunk and marks its file for the next scan. */
function createRemoval(database: DatabaseSync, inTransaction: (work: () => void) => void) {
  // The size -1 fits no file, so the next scan reads it.
  const distrustFile = database.prepare('UPDATE files SET size = -1, hash = NULL WHERE id = ?');
  const dropWords = database.prepare('DELETE FROM words WHERE rowid = ?');
  const dropChunk = database.prepare('DELETE FROM chunks WHERE id = ?');
  return (id: number, file: number): void => {
    try {
      inTransaction(() => {
        distrustFile.run(file);
        dropWords.run(id);
        dropChunk.run(id);
      });
    } catch (error) {
      const reason = storageReason(error);
      // A chunk that cannot be removed now is found again later.
      if (reason === undefined || reason === 'damaged') throw error;
    }
  };
}

/** Checks all chunks in small steps, and whether the indexes of chunks and files agree. */
function checkAll(database: DatabaseSync, read: SoundChunks['read']): { isCorrupted(): boolean; stop(): void } {
  const nextChunk = query(database, 'SELECT id FROM chunks WHERE id > ? ORDER BY id LIMIT 1', { id: 'number' });
  const lists = ['chunks_file', 'chunks_hash'].map((name) =>
    database.prepare(`SELECT id FROM chunks INDEXED BY ${name} WHERE file = ? AND hash = ? AND id = ?`),
  );
  // The unique index has root and path of its own: with the path corrupted in the row alone, a scan finds the file there
  // unchanged, while its hits name a file that does not exist.
  const fileAt = query(database, 'SELECT id FROM files WHERE root = ? AND path = ?', { id: 'number' });
  let last = 0;
  let corrupted = false;

  function inspectNext(): boolean {
    const id = nextChunk.get(last)?.id;
    if (id === undefined) return false;
    last = id;
    const chunk = read(id);
    corrupted =
      chunk === undefined
        ? // A corrupted chunk that is still there was not removed: its row belongs to no file.
          nextChunk.get(id - 1)?.id === id
        : lists.some((list) => list.get(chunk.file, chunk.hash, id) === undefined) ||
          fileAt.get(chunk.root, chunk.path)?.id !== chunk.file;
    return !corrupted;
  }

  const stop = inSlices(() => {
    try {
      return inspectNext();
    } catch (error) {
      corrupted = storageReason(error) === 'damaged';
      return false;
    }
  });
  return { isCorrupted: () => corrupted, stop };
}

/** The text and hash of a row; undefined when the text is corrupted. */
function textOf({ text, hash }: { text: unknown; hash: unknown }): { text: string; hash: Uint8Array } | undefined {
  try {
    const bytes = inflateRawSync(text as Uint8Array);
    const isSound = Buffer.compare(textHash(bytes), hash as Uint8Array) === 0;
    return isSound ? { text: bytes.toString(), hash: hash as Uint8Array } : undefined;
  } catch {
    return undefined;
  }
}
