import type { DatabaseSync } from 'node:sqlite';
import { deflateRawSync } from 'node:zlib';
import { estimateTokens } from '../service/tokens.ts';
import { type Chunk, coveredLines, embeddedText, textHash } from './chunks.ts';
import { definedNames } from './definedNames.ts';
import type { ExclusionReason } from './exclusions.ts';
import type { FileStamp } from './files.ts';
import { indexedWords } from './words.ts';

/** What a look at a file found: its chunks, why it has none, or (undefined) that only its date is new. */
export interface FileChange {
  path: string;
  stamp: FileStamp;
  content: { hash: string; chunks: Chunk[]; lines: number } | ExclusionReason | undefined;
}

/** The rows of files and of their chunks. Both run in a transaction. */
export interface FileRows {
  /** Writes only what is other than before: of a long file in which a line was added, a chunk, and the lines of those below. */
  put(root: string, change: FileChange): void;
  forget(root: string, path: string): void;
}

interface ChunkRow {
  id: number;
  startLine: number;
  endLine: number;
  enclosing: string;
}

export function createFileRows(database: DatabaseSync): FileRows {
  const findFile = database.prepare('SELECT id FROM files WHERE root = ? AND path = ?');
  const addFile = database.prepare('INSERT INTO files (root, path, size, mtime) VALUES (?, ?, ?, ?) RETURNING id');
  const setFile = database.prepare(
    'UPDATE files SET size = ?, mtime = ?, hash = ?, excluded = ?, lines = ?, covered = ?, chunks = ?, tokens = ? WHERE id = ?',
  );
  const touchFile = database.prepare('UPDATE files SET size = ?, mtime = ? WHERE root = ? AND path = ?');
  const dropFile = database.prepare('DELETE FROM files WHERE id = ?');
  const readChunks = database.prepare('SELECT id, hash, start_line, end_line, enclosing FROM chunks WHERE file = ?');
  const addChunk = database.prepare(
    'INSERT INTO chunks (file, start_line, end_line, hash, tokens, enclosing, names, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const setChunk = database.prepare(
    'UPDATE chunks SET start_line = ?, end_line = ?, tokens = ?, enclosing = ? WHERE id = ?',
  );
  const dropChunk = database.prepare('DELETE FROM chunks WHERE id = ?');
  const addWords = database.prepare('INSERT INTO words (rowid, path, names, body) VALUES (?, ?, ?, ?)');
  const dropWords = database.prepare('DELETE FROM words WHERE rowid = ?');
  const dropAllWords = database.prepare('DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE file = ?)');

  function fileId(root: string, path: string): number | undefined {
    const row = findFile.get(root, path);
    return row === undefined ? undefined : Number(row['id']);
  }

  /** The chunks that are there, by the hash of their text. A text may be there more than once. */
  function chunksOf(file: number): Map<string, ChunkRow[]> {
    const rows = new Map<string, ChunkRow[]>();
    for (const { id, hash, start_line, end_line, enclosing } of readChunks.all(file)) {
      const key = keyOf(hash as Uint8Array);
      const row = { id: Number(id), startLine: Number(start_line), endLine: Number(end_line) };
      rows.set(key, [...(rows.get(key) ?? []), { ...row, enclosing: String(enclosing) }]);
    }
    return rows;
  }

  /** Gives the estimated tokens of all of them. */
  function putChunks(file: number, path: string, chunks: readonly Chunk[]): number {
    const rows = chunksOf(file);
    let sum = 0;
    for (const { startLine, endLine, text, enclosing } of chunks) {
      const hash = textHash(text);
      const around = enclosing.join('\n');
      const tokens = estimateTokens(embeddedText(path, enclosing, text));
      sum += tokens;
      const putWords = (id: number | bigint, names: string): void => {
        addWords.run(id, indexedWords(path), indexedWords(`${around}\n${names}`), indexedWords(text));
      };
      const row = rows.get(keyOf(hash))?.shift();
      if (row === undefined) {
        const names = definedNames(text).join('\n');
        const deflated = deflateRawSync(text, { level: 1 });
        const added = addChunk.run(file, startLine, endLine, hash, tokens, around, names, deflated);
        putWords(added.lastInsertRowid, names);
        continue;
      }
      const isRenamed = row.enclosing !== around;
      if (isRenamed || row.startLine !== startLine || row.endLine !== endLine) {
        setChunk.run(startLine, endLine, tokens, around, row.id);
      }
      if (!isRenamed) continue;
      dropWords.run(row.id);
      putWords(row.id, definedNames(text).join('\n'));
    }
    for (const { id } of [...rows.values()].flat()) {
      dropWords.run(id);
      dropChunk.run(id);
    }
    return sum;
  }

  return {
    put(root, { path, stamp, content }) {
      if (content === undefined) {
        touchFile.run(stamp.size, stamp.mtimeMs, root, path);
        return;
      }
      const file = fileId(root, path) ?? Number(addFile.get(root, path, stamp.size, stamp.mtimeMs)?.['id']);
      const [hash, reason] = typeof content === 'string' ? [null, content] : [content.hash, null];
      const { chunks, lines } = typeof content === 'string' ? { chunks: [], lines: 0 } : content;
      const tokens = putChunks(file, path, chunks);
      setFile.run(stamp.size, stamp.mtimeMs, hash, reason, lines, coveredLines(chunks), chunks.length, tokens, file);
    },
    forget(root, path) {
      const id = fileId(root, path);
      if (id === undefined) return;
      dropAllWords.run(id);
      dropFile.run(id);
    },
  };
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64');
}
