import { type Coverage, embeddedText } from './chunks.ts';
import { type Contents, readContents } from './contents.ts';
import type { EmbedItem } from './embedder.ts';
import type { ExclusionReason } from './exclusions.ts';
import { createFileRows, type FileChange } from './fileRows.ts';
import type { Known } from './files.ts';
import type { Place } from './protocol.ts';
import type { PathTest } from './queryFilter.ts';
import { openDatabase } from './schema.ts';
import { readSoundChunks } from './soundChunks.ts';
import { type Amount, openSpaces, type Spaces } from './spaces.ts';
import type { StorageReason } from './storage.ts';
import { findWords, type WordHit } from './wordIndex.ts';

/** What the order of hits needs to know of a chunk. */
export interface ChunkOutline {
  id: number;
  root: string;
  path: string;
  /** That it defines. */
  names: readonly string[];
}

/** A chunk as it is found again. */
export interface StoredChunk {
  id: number;
  root: string;
  path: string;
  startLine: number;
  endLine: number;
  text: string;
}

/** The index on disk: files, chunks, words, and where vectors are. One folder, shared by all windows that open it. */
export interface Store extends Spaces {
  /** Why nothing can be written, where that is so. Searching goes on. */
  readonly closedFor: StorageReason | undefined;
  known(root: string, path: string): Known | undefined;
  pathsOf(root: string): string[];
  /** What is at a path: the file, or all in the folder. */
  pathsAt(root: string, path: string): string[];
  /** Puts files in place of what was known of them, in one transaction. */
  putFiles(root: string, changes: readonly FileChange[]): void;
  removeFiles(root: string, paths: readonly string[]): void;
  /** Forgets roots that are no longer in the workspace. */
  keepRoots(roots: readonly string[]): void;
  counts(): Amount;
  coverage(): Coverage;
  excluded(): Partial<Record<ExclusionReason, number>>;
  /** The files that a search may look in; undefined: all. */
  filesMatching(roots: readonly string[], accepts?: PathTest): number[] | undefined;
  /** Chunks that have any of the words, the best first; of all files or of these. */
  findWords(words: readonly string[], limit: number, files?: readonly number[]): WordHit[];
  outline(id: number): ChunkOutline | undefined;
  chunk(id: number): StoredChunk | undefined;
  /** The chunks of a file that have any of these lines. */
  chunksAt(place: Place): (StoredChunk & { hash: Uint8Array })[];
  /** Texts that have no vector in this space, each once. Read as they are asked for. */
  itemsWithout(space: number, files?: readonly number[]): Iterable<EmbedItem>;
  /** Whether the database was found to be damaged in itself, and has to be opened anew with a thorough look. */
  isTorn(): boolean;
  /** How many files have lost a chunk to damage on the disk, which the next scan reads again. */
  damagedFiles(): number;
  /** Whether a text has a vector in any space. */
  hasVector(hash: Uint8Array): boolean;
  /** Whether there is any vector. */
  hasVectors(): boolean;
  fileId(root: string, path: string): number | undefined;
  /** How many chunks a file has. */
  chunksOf(file: number): number;
  /** File by file what would be sent, and what is left out; at most so many of each. */
  contents(space: number | undefined, limit: number): Contents;
  meta(name: string): string | undefined;
  setMeta(name: string, value: string): void;
  close(): void;
}

/** @param thorough looks for damage everywhere in the databases */
export function openStore(directory: string, thorough = false): Store {
  const { database, closedFor } = openDatabase(directory, thorough);
  const spaces = openSpaces(database, directory, closedFor === undefined);
  const rows = createFileRows(database);
  const sound = readSoundChunks(database, spaces.inTransaction, closedFor === undefined);
  const findFile = database.prepare('SELECT * FROM files WHERE root = ? AND path = ?');
  const countChunks = database.prepare('SELECT count(*) AS chunks FROM chunks WHERE file = ?');
  const readOutline = database.prepare(
    'SELECT f.root, f.path, c.names FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?',
  );

  // `CROSS`: the few spaces first, and then a step in the index of each.
  const findVector = database.prepare('SELECT 1 FROM spaces s CROSS JOIN vectors v ON v.space = s.id AND v.hash = ?');

  function fileId(root: string, path: string): number | undefined {
    const row = findFile.get(root, path);
    return row === undefined ? undefined : Number(row['id']);
  }

  /** One step in the index for each root, however many files there are. */
  function indexedRoots(): string[] {
    const next = database.prepare('SELECT root FROM files WHERE root > ? ORDER BY root LIMIT 1');
    const roots: string[] = [];
    for (let row = next.get(''); row !== undefined; row = next.get(roots.at(-1) ?? '')) roots.push(String(row['root']));
    return roots;
  }

  const inTransaction = spaces.inTransaction;
  const texts = (sql: string, ...params: string[]): string[] =>
    database
      .prepare(sql)
      .all(...params)
      .map((row) => String(Object.values(row)[0]));

  return {
    ...spaces,
    closedFor,
    contents: (space, limit) => readContents(database, space, limit),
    fileId,
    hasVector: (hash) => findVector.get(hash) !== undefined,
    hasVectors: () => database.prepare('SELECT 1 FROM vectors LIMIT 1').get() !== undefined,
    chunksOf: (file) => Number(countChunks.get(file)?.['chunks']),
    known(root, path) {
      const row = findFile.get(root, path);
      if (row === undefined) return undefined;
      const { size, mtime, hash, excluded } = row;
      return {
        size: Number(size),
        mtimeMs: Number(mtime),
        hash: hash === null ? undefined : String(hash),
        reason: excluded === null ? undefined : (excluded as ExclusionReason),
      };
    },
    pathsOf: (root) => texts('SELECT path FROM files WHERE root = ?', root),
    // `0` comes after `/`.
    pathsAt: (root, path) =>
      texts(
        'SELECT path FROM files WHERE root = ?1 AND (path = ?2 OR (path > ?3 AND path < ?4))',
        root,
        path,
        `${path}/`,
        `${path}0`,
      ),
    putFiles(root, changes) {
      inTransaction(() => {
        for (const change of changes) rows.put(root, change);
      });
    },
    removeFiles(root, paths) {
      inTransaction(() => {
        for (const path of paths) rows.forget(root, path);
      });
    },
    keepRoots(roots) {
      for (const root of texts('SELECT DISTINCT root FROM files')) {
        if (roots.includes(root)) continue;
        this.removeFiles(root, this.pathsOf(root));
      }
    },
    counts() {
      const row = database
        .prepare(
          'SELECT count(*) AS files, total(chunks) AS chunks, total(tokens) AS tokens FROM files WHERE chunks > 0',
        )
        .get();
      return { files: Number(row?.['files']), chunks: Number(row?.['chunks']), tokens: Number(row?.['tokens']) };
    },
    coverage() {
      const row = database.prepare('SELECT total(lines) AS lines, total(covered) AS covered FROM files').get();
      return { lines: Number(row?.['lines']), covered: Number(row?.['covered']) };
    },
    excluded() {
      const rows = database
        .prepare('SELECT excluded, count(*) AS files FROM files WHERE excluded IS NOT NULL GROUP BY excluded')
        .all();
      return Object.fromEntries(rows.map((row) => [row['excluded'], Number(row['files'])]));
    },
    filesMatching(roots, accepts) {
      if (accepts === undefined && indexedRoots().every((root) => roots.includes(root))) return undefined;
      const rows = database.prepare('SELECT id, root, path FROM files WHERE excluded IS NULL').all();
      return rows
        .filter(({ root, path }) => roots.includes(String(root)) && (accepts?.(String(root), String(path)) ?? true))
        .map((row) => Number(row['id']));
    },
    findWords: (words, limit, files) => findWords(database, words, limit, files),
    outline(id) {
      const row = readOutline.get(id);
      if (row === undefined) return undefined;
      const names = String(row['names']).split('\n').filter(Boolean);
      return { id, root: String(row['root']), path: String(row['path']), names };
    },
    chunk(id) {
      const row = sound.read(id);
      if (row === undefined) return undefined;
      return {
        id,
        root: String(row['root']),
        path: String(row['path']),
        startLine: Number(row['start_line']),
        endLine: Number(row['end_line']),
        text: row.text,
      };
    },
    chunksAt({ root, path, startLine, endLine }) {
      const rows = database
        .prepare(
          `SELECT c.id, c.hash FROM chunks c JOIN files f ON f.id = c.file
           WHERE f.root = ? AND f.path = ? AND c.start_line <= ? AND c.end_line >= ? ORDER BY c.start_line, c.id`,
        )
        .all(root, path, endLine, startLine);
      return rows.flatMap((row) => {
        const chunk = this.chunk(Number(row['id']));
        return chunk === undefined ? [] : [{ ...chunk, hash: row['hash'] as Uint8Array }];
      });
    },
    *itemsWithout(space, files) {
      for (const id of spaces.chunksWithout(space, files)) {
        const row = sound.read(id);
        // Gone since the list was made, or there by now: another window, or a save, came in between.
        if (row === undefined || spaces.has(space, row.hash)) continue;
        const enclosing = String(row['enclosing']).split('\n').filter(Boolean);
        yield { hash: row.hash, text: embeddedText(String(row['path']), enclosing, row.text) };
      }
    },
    meta: (name) => texts('SELECT value FROM meta WHERE name = ?', name)[0],
    setMeta(name, value) {
      database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value);
    },
    damagedFiles: sound.damagedFiles,
    isTorn: () => sound.isTorn() || spaces.isTorn(),
    close() {
      sound.close();
      spaces.closeFiles();
      database.close();
    },
  };
}
