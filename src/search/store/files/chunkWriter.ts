import type { DatabaseSync } from 'node:sqlite';
import { deflateRawSync } from 'node:zlib';
import { estimateTokens } from '../../../base/tokens.ts';
import { type Chunk, textHash } from '../../chunker/chunker.ts';
import { embeddedText } from '../../chunker/outline.ts';
import { query } from '../rows.ts';
import { indexedWords } from '../words.ts';
import { roleSigns } from './chunkReader.ts';

/** Writes the rows of chunks, and their words. Runs in a transaction. */
export interface ChunkWriter {
  /** Replaces the chunks of a file; unchanged rows stay. Returns the estimated tokens of all of them. */
  put(file: number, path: string, chunks: readonly Chunk[]): number;
  /** Removes the words of a file's chunks from the word index; the chunks are deleted with the row of the file. */
  forgetWords(file: number): void;
}

/** A stored chunk. */
interface ChunkRow {
  id: number;
  start_line: number;
  end_line: number;
  enclosing: string;
  names: string;
}

/** A writer for the chunk rows of an index. */
export function createChunkWriter(database: DatabaseSync): ChunkWriter {
  const readChunks = query(
    database,
    'SELECT id, hash, start_line, end_line, enclosing, names FROM chunks WHERE file = ?',
    {
      id: 'number',
      hash: 'blob',
      start_line: 'number',
      end_line: 'number',
      enclosing: 'text',
      names: 'text',
    },
  );
  const addChunk = database.prepare(
    'INSERT INTO chunks (file, start_line, end_line, hash, tokens, enclosing, names, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const setChunk = database.prepare(
    'UPDATE chunks SET start_line = ?, end_line = ?, tokens = ?, enclosing = ?, names = ? WHERE id = ?',
  );
  const dropChunk = database.prepare('DELETE FROM chunks WHERE id = ?');
  const words = createWordWriter(database);

  /** The stored chunks by the hash of their text. Several chunks may have the same text. */
  function chunksOf(file: number): Map<string, ChunkRow[]> {
    const rows = new Map<string, ChunkRow[]>();
    for (const row of readChunks.all(file)) {
      const key = keyOf(row.hash);
      rows.set(key, [...(rows.get(key) ?? []), row]);
    }
    return rows;
  }

  /** Writes a chunk, over the row of one with the same text if there is any; returns its estimated tokens. */
  function putChunk(file: number, path: string, chunk: Chunk, hash: Uint8Array, row: ChunkRow | undefined): number {
    const { startLine, endLine, text, enclosing } = chunk;
    const around = enclosing.join('\n');
    const names = markedNames(chunk).join('\n');
    const tokens = estimateTokens(embeddedText(path, enclosing, text));
    if (row === undefined) {
      const deflated = deflateRawSync(text, { level: 1 });
      const added = addChunk.run(file, startLine, endLine, hash, tokens, around, names, deflated);
      words.put(added.lastInsertRowid, path, `${around}\n${names}`, text);
      return tokens;
    }
    const isRenamed = row.enclosing !== around || row.names !== names;
    if (isRenamed || row.start_line !== startLine || row.end_line !== endLine) {
      setChunk.run(startLine, endLine, tokens, around, names, row.id);
    }
    if (isRenamed) {
      words.drop(row.id);
      words.put(row.id, path, `${around}\n${names}`, text);
    }
    return tokens;
  }

  return {
    put(file, path, chunks) {
      const rows = chunksOf(file);
      let sum = 0;
      for (const chunk of chunks) {
        const hash = textHash(chunk.text);
        sum += putChunk(file, path, chunk, hash, rows.get(keyOf(hash))?.shift());
      }
      for (const { id } of [...rows.values()].flat()) {
        words.drop(id);
        dropChunk.run(id);
      }
      return sum;
    },
    forgetWords: words.dropAll,
  };
}

/** The columns of the word index for a chunk. @param names what encloses it and what it defines, as the row of the chunk has them */
export function indexedColumns(
  path: string,
  names: string,
  text: string,
): { path: string; names: string; body: string } {
  return { path: indexedWords(path), names: indexedWords(names), body: indexedWords(text) };
}

/** Writes the rows of the word index, one for each chunk. */
function createWordWriter(database: DatabaseSync) {
  const add = database.prepare('INSERT INTO words (rowid, path, names, body) VALUES (?, ?, ?, ?)');
  const drop = database.prepare('DELETE FROM words WHERE rowid = ?');
  const dropAll = database.prepare('DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE file = ?)');
  return {
    put(id: number | bigint, path: string, names: string, text: string): void {
      const words = indexedColumns(path, names, text);
      add.run(id, words.path, words.names, words.body);
    },
    drop(id: number): void {
      drop.run(id);
    },
    dropAll(file: number): void {
      dropAll.run(file);
    },
  };
}

function markedNames({ names, types = [], mentions = [] }: Chunk): string[] {
  const sign = (name: string): string =>
    types.includes(name) ? roleSigns.type : mentions.includes(name) ? roleSigns.mention : '';
  return names.map((name) => `${sign(name)}${name}`);
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64');
}
