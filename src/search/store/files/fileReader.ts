import type { DatabaseSync } from 'node:sqlite';
import type { ExclusionReason } from '../../../workspace/exclusions.ts';
import type { FileRecord } from '../../../workspace/fileList.ts';
import type { Coverage } from '../../chunker/chunker.ts';
import type { PathTest } from '../../types.ts';
import { query } from '../rows.ts';
import type { Amount } from '../spaces/vectorCounts.ts';

/** Reads the files of an index and their counts. */
export interface FileReader {
  known(root: string, path: string): FileRecord | undefined;
  fileId(root: string, path: string): number | undefined;
  pathsOf(root: string): string[];
  /** Paths at a path: the file, or all files in the folder. */
  pathsAt(root: string, path: string): string[];
  /** Roots with files in the index. */
  roots(): string[];
  /** Ids of the files a search may look in; undefined: all. */
  filesMatching(roots: readonly string[], accepts?: PathTest): number[] | undefined;
  /** Number of chunks of a file. */
  chunksOf(file: number): number;
  counts(): Amount;
  coverage(): Coverage;
  /** A file of this name, or with this end of its path, that is left out of the index. */
  excludedNamed(roots: readonly string[], name: string): { path: string; reason: ExclusionReason } | undefined;
  excluded(): Partial<Record<ExclusionReason, number>>;
}

/** Reads the rows of files. */
export function createFileReader(database: DatabaseSync): FileReader {
  const findFile = query(database, 'SELECT id, size, mtime, hash, excluded FROM files WHERE root = ? AND path = ?', {
    id: 'number',
    size: 'number',
    mtime: 'number',
    hash: 'text?',
    excluded: 'text?',
  });
  const findExcluded = query(
    database,
    `SELECT path, excluded FROM files WHERE excluded IS NOT NULL AND root IN (SELECT value FROM json_each(?1))
     AND (path = ?2 COLLATE NOCASE OR substr(path, -length(?2) - 1) = '/' || ?2 COLLATE NOCASE) ORDER BY length(path) LIMIT 1`,
    { path: 'text', excluded: 'text' },
  );
  const countChunks = query(database, 'SELECT count(*) AS chunks FROM chunks WHERE file = ?', { chunks: 'number' });
  const paths = (condition: string, ...params: string[]): string[] =>
    query(database, `SELECT path FROM files WHERE ${condition}`, { path: 'text' })
      .all(...params)
      .map(({ path }) => path);
  const roots = (): string[] => rootsOf(database);

  return {
    ...countFiles(database),
    known(root, path) {
      const row = findFile.get(root, path);
      if (row === undefined) return undefined;
      const { size, mtime, hash, excluded } = row;
      return { size, mtimeMs: mtime, hash: hash ?? undefined, reason: (excluded as ExclusionReason) ?? undefined };
    },
    fileId: (root, path) => findFile.get(root, path)?.id,
    pathsOf: (root) => paths('root = ?', root),
    // `0` is the character after `/`, so the range covers the folder.
    pathsAt: (root, path) =>
      paths('root = ?1 AND (path = ?2 OR (path > ?3 AND path < ?4))', root, path, `${path}/`, `${path}0`),
    roots,
    filesMatching(wanted, accepts) {
      if (accepts === undefined && roots().every((root) => wanted.includes(root))) return undefined;
      const columns = { id: 'number', root: 'text', path: 'text' } as const;
      return query(database, 'SELECT id, root, path FROM files WHERE excluded IS NULL', columns)
        .all()
        .filter(({ root, path }) => wanted.includes(root) && (accepts?.(root, path) ?? true))
        .map(({ id }) => id);
    },
    excludedNamed(wanted, name) {
      const row = findExcluded.get(JSON.stringify(wanted), name);
      return row && { path: row.path, reason: row.excluded as ExclusionReason };
    },
    chunksOf: (file) => countChunks.one(file).chunks,
  };
}

/** Takes one step in the index for each root, however many files there are. */
function rootsOf(database: DatabaseSync): string[] {
  const next = query(database, 'SELECT root FROM files WHERE root > ? ORDER BY root LIMIT 1', { root: 'text' });
  const roots: string[] = [];
  for (let row = next.get(''); row !== undefined; row = next.get(row.root)) roots.push(row.root);
  return roots;
}

/** Counts come from the rows of the files, so no chunks are read. */
function countFiles(database: DatabaseSync): Pick<FileReader, 'counts' | 'coverage' | 'excluded'> {
  return {
    counts: () =>
      query(
        database,
        'SELECT count(*) AS files, total(chunks) AS chunks, total(tokens) AS tokens FROM files WHERE chunks > 0',
        { files: 'number', chunks: 'number', tokens: 'number' },
      ).one(),
    coverage: () =>
      query(database, 'SELECT total(lines) AS lines, total(covered) AS covered FROM files', {
        lines: 'number',
        covered: 'number',
      }).one(),
    excluded() {
      const rows = query(
        database,
        'SELECT excluded, count(*) AS files FROM files WHERE excluded IS NOT NULL GROUP BY excluded',
        { excluded: 'text', files: 'number' },
      ).all();
      return Object.fromEntries(rows.map(({ excluded, files }) => [excluded, files]));
    },
  };
}
