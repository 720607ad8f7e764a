import type { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { textHash } from './chunks.ts';
import { inSlices } from './inspection.ts';
import { storageReason } from './storage.ts';

/** A chunk with its text, and the columns of its row and of its file. */
export type SoundChunk = Record<string, unknown> & { hash: Uint8Array; text: string };

/** Chunks whose text is what its hash says. Another is damaged: it is removed, and its file read again at the next scan. */
export interface SoundChunks {
  read(id: number): SoundChunk | undefined;
  /** How many files have lost a chunk that way. */
  damagedFiles(): number;
  /** Whether the look at all chunks found the database torn: its lists do not fit one another. */
  isTorn(): boolean;
  /** Stops the look at all chunks that begins when the index is opened. */
  close(): void;
}

export function readSoundChunks(
  database: DatabaseSync,
  inTransaction: (work: () => void) => void,
  canWrite: boolean,
): SoundChunks {
  const readChunk = database.prepare(
    'SELECT c.*, f.root, f.path FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?',
  );
  const nextChunk = database.prepare('SELECT id FROM chunks WHERE id > ? ORDER BY id LIMIT 1');
  const lists = ['chunks_file', 'chunks_hash'].map((name) =>
    database.prepare(`SELECT id FROM chunks INDEXED BY ${name} WHERE file = ? AND hash = ? AND id = ?`),
  );
  // No file has this size, so that the next scan reads it.
  const distrustFile = database.prepare('UPDATE files SET size = -1, hash = NULL WHERE id = ?');
  const dropWords = database.prepare('DELETE FROM words WHERE rowid = ?');
  const dropChunk = database.prepare('DELETE FROM chunks WHERE id = ?');
  const countDistrusted = database.prepare('SELECT count(*) AS files FROM files WHERE size = -1');

  function remove(id: number, file: unknown): void {
    if (!canWrite) return;
    try {
      inTransaction(() => {
        distrustFile.run(Number(file));
        dropWords.run(id);
        dropChunk.run(id);
      });
    } catch (error) {
      const reason = storageReason(error);
      // What cannot be written now is found again.
      if (reason === undefined || reason === 'damaged') throw error;
    }
  }

  function read(id: number): SoundChunk | undefined {
    const row = readChunk.get(id);
    if (row === undefined) return undefined;
    const text = textOf(row);
    if (text !== undefined) return { ...row, hash: row['hash'] as Uint8Array, text };
    remove(id, row['file']);
    return undefined;
  }

  let last = 0;
  let torn = false;
  function inspectNext(): boolean {
    const id = nextChunk.get(last)?.['id'];
    if (id === undefined) return false;
    last = Number(id);
    const chunk = read(last);
    torn =
      chunk === undefined
        ? // Not removed, and not read: it is of no file.
          nextChunk.get(last - 1)?.['id'] === id
        : lists.some((list) => list.get(Number(chunk['file']), chunk.hash, last) === undefined);
    return !torn;
  }
  const stop = inSlices(() => {
    try {
      return inspectNext();
    } catch (error) {
      torn = storageReason(error) === 'damaged';
      return false;
    }
  });

  return {
    read,
    isTorn: () => torn,
    damagedFiles: () => Number(countDistrusted.get()?.['files']),
    close: stop,
  };
}

/** Undefined when the text is damaged. */
function textOf(row: Record<string, unknown>): string | undefined {
  try {
    const bytes = inflateRawSync(row['text'] as Uint8Array);
    return Buffer.compare(textHash(bytes), row['hash'] as Uint8Array) === 0 ? bytes.toString() : undefined;
  } catch {
    return undefined;
  }
}
