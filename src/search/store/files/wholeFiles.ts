import type { DatabaseSync } from 'node:sqlite';
import { query } from '../rows.ts';
import { readNames } from './chunkReader.ts';
import { indexedColumns } from './chunkWriter.ts';
import type { SoundChunks } from './soundChunks.ts';
import { chunkOrder } from './textPlaces.ts';

/** A chunk with all that the index has of it. */
export interface WholeChunk {
  readonly hash: Uint8Array;
  /** From 1, both ends included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly names: readonly string[];
  readonly enclosing: readonly string[];
  readonly text: string;
  /** As the word index has them. */
  readonly nameWords: string;
  readonly bodyWords: string;
}

/** Reads files of the index as a whole. */
export interface WholeFiles {
  /** The chunks of a file, in the order of `chunkHashes`; undefined where one of them is damaged. */
  wholeFile(root: string, path: string): WholeChunk[] | undefined;
}

export function createWholeFiles(database: DatabaseSync, sound: SoundChunks): WholeFiles {
  const list = query(
    database,
    `SELECT c.id, c.names FROM chunks c JOIN files f ON f.id = c.file WHERE f.root = ? AND f.path = ? ORDER BY ${chunkOrder}`,
    { id: 'number', names: 'text' },
  );
  return {
    wholeFile(root, path) {
      const chunks: WholeChunk[] = [];
      for (const { id, names } of list.all(root, path)) {
        const chunk = sound.read(id);
        if (chunk === undefined) return undefined;
        const { hash, text, start_line: startLine, end_line: endLine, enclosing } = chunk;
        const words = indexedColumns(path, `${enclosing}\n${names}`, text);
        chunks.push({
          ...{ hash, text, startLine, endLine, nameWords: words.names, bodyWords: words.body },
          ...{ names: readNames(names).names, enclosing: enclosing.split('\n').filter(Boolean) },
        });
      }
      return chunks;
    },
  };
}
