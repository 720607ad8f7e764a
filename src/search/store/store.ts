import type { DatabaseSync } from 'node:sqlite';
import type { RefusedText } from '../types.ts';
import { type ChunkReader, createChunkReader, type EmbedItem } from './files/chunkReader.ts';
import { createFileReader, type FileReader } from './files/fileReader.ts';
import { createFileWriter, type FileChange } from './files/fileWriter.ts';
import { readSoundChunks } from './files/soundChunks.ts';
import { createTextPlaces, type TextPlaces } from './files/textPlaces.ts';
import { createWholeFiles, type WholeFiles } from './files/wholeFiles.ts';
import { findDefining } from './findDefining.ts';
import { type Contents, readContents } from './indexContents.ts';
import { countRefused, putRefused } from './refusedTexts.ts';
import { query } from './rows.ts';
import { openDatabase } from './schema/database.ts';
import { openSpaces, type Spaces } from './spaces/spaces.ts';
import type { StorageReason } from './storageError.ts';
import { createTextScan, type TextScan } from './textScan.ts';
import { inTransaction, readTogether } from './transaction.ts';
import { countWords, findAdjacent, findWords, type WordCounts, type WordHit } from './wordIndex.ts';

/**
 * The index on disk: files, chunks, words, and slots of vectors. One folder, shared by all windows that open it. Writes
 * fail as busy while another window writes (transaction.ts).
 */
export interface Store
  extends Spaces,
    FileReader,
    TextPlaces,
    WholeFiles,
    Omit<ChunkReader, 'itemsOf'>,
    TextScan,
    Meta {
  /** Why nothing can be written; undefined where it can. Searching works in either case. */
  readonly readOnlyReason: StorageReason | undefined;
  /** Replaces the records of files, in one transaction. */
  putFiles(root: string, changes: readonly FileChange[]): void;
  removeFiles(root: string, paths: readonly string[]): void;
  /** Chunks that have any of the words, the best first; of all files or of these. */
  findWords(
    words: readonly string[],
    limit: number,
    files?: readonly number[],
    counts?: ReadonlyMap<string, number>,
  ): WordHit[];
  /** How often words stand in the index. */
  countWords(words: readonly string[]): WordCounts;
  /** The chunks that declare one of these very names; of all files or of these. */
  findDefining(names: readonly string[], files?: readonly number[]): WordHit[];
  /** Chunks in which words of a question that follow each other stand side by side, with the share of the pairs that each has. */
  findAdjacent(words: readonly string[], counts: ReadonlyMap<string, number>): ReadonlyMap<number, number>;
  /** Texts without a vector in this space, each once, read lazily. */
  itemsWithout(space: number, files?: readonly number[]): Iterable<EmbedItem>;
  /** Keeps that the service has no vector for texts in this space: they are not sent again. */
  putRefused(space: number, texts: readonly RefusedText[]): void;
  /** Number of distinct texts that were refused in this space. */
  refusedTexts(space: number): number;
  /** Whether the database was found corrupted, and has to be reopened with a thorough check. */
  isCorrupted(): boolean;
  /** Number of files that lost a chunk to corruption on the disk; the next scan reads them again. */
  damagedFiles(): number;
  /** Whether a text has a vector in any space. */
  hasVector(hash: Uint8Array): boolean;
  /** Whether a file of the index has a chunk with a text of this hash. */
  hasChunk(root: string, path: string, hash: Uint8Array): boolean;
  /** Whether there is any vector. */
  hasVectors(): boolean;
  /** The files with texts to send and the files left out; at most `limit` of each. */
  contents(space: number | undefined, limit: number): Contents;
  close(): void;
}

/** Metadata of the index as a whole. */
interface Meta {
  meta(name: string): string | undefined;
  setMeta(name: string, value: string): void;
}

/** @param thorough checks the whole databases for corruption */
export function openStore(directory: string, thorough = false): Store {
  const { database, readOnlyReason } = openDatabase(directory, thorough);
  const together = <T>(work: () => T): T => inTransaction(database, work);
  const spaces = openSpaces(database, directory, readOnlyReason === undefined);
  const sound = readSoundChunks(database, together, readOnlyReason === undefined);
  const { itemsOf, ...chunks } = createChunkReader(database, sound);
  const writer = createFileWriter(database);
  // `CROSS` makes SQLite go through the few spaces first, and then take one step in the index of each.
  // Rows that were deleted count as well: the number tells how rare a word is, roughly.
  const countChunks = query(database, 'SELECT coalesce(max(id), 0) AS chunks FROM chunks', { chunks: 'number' });
  const findVector = database.prepare('SELECT 1 FROM spaces s CROSS JOIN vectors v ON v.space = s.id AND v.hash = ?');
  const findChunk = database.prepare(
    'SELECT 1 FROM files f CROSS JOIN chunks c ON c.file = f.id AND c.hash = ?3 WHERE f.root = ?1 AND f.path = ?2',
  );

  return {
    ...spaces,
    ...createFileReader(database),
    ...chunks,
    ...createTextPlaces(database),
    ...createWholeFiles(database, sound),
    ...createTextScan(database),
    ...createMeta(database, together),
    readOnlyReason,
    putFiles(root, changes) {
      together(() => {
        for (const change of changes) writer.put(root, change);
      });
    },
    removeFiles(root, paths) {
      together(() => {
        for (const path of paths) writer.forget(root, path);
      });
    },
    findWords: (words, limit, files, counts) => findWords(database, words, limit, files, counts),
    findAdjacent: (words, counts) => findAdjacent(database, words, counts),
    findDefining: (names, files) => findDefining(database, names, files),
    countWords: (words) => ({ chunks: countChunks.one().chunks, withWord: countWords(database, words) }),
    *itemsWithout(space, files) {
      // A save, or another window, may have stored a vector since the list was made.
      for (const item of itemsOf(spaces.chunksWithout(space, files))) if (!spaces.has(space, item.hash)) yield item;
    },
    putRefused: (space, texts) => together(() => putRefused(database, space, texts)),
    refusedTexts: (space) => countRefused(database, space),
    isCorrupted: () => sound.isCorrupted() || spaces.isCorrupted(),
    damagedFiles: sound.damagedFiles,
    hasVector(hash) {
      // A cut looks up thousands of texts in one turn.
      readTogether(database);
      return findVector.get(hash) !== undefined;
    },
    hasChunk: (root, path, hash) => findChunk.get(root, path, hash) !== undefined,
    hasVectors: () => database.prepare('SELECT 1 FROM vectors LIMIT 1').get() !== undefined,
    contents: (space, limit) => readContents(database, space, limit),
    close() {
      sound.close();
      spaces.closeFiles();
      database.close();
    },
  };
}

function createMeta(database: DatabaseSync, together: (work: () => void) => void): Meta {
  const read = query(database, 'SELECT value FROM meta WHERE name = ?', { value: 'text' });
  const write = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  return {
    meta: (name) => read.get(name)?.value,
    setMeta: (name, value) => together(() => void write.run(name, value)),
  };
}
