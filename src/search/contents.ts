import type { DatabaseSync } from 'node:sqlite';
import type { ExclusionReason } from './exclusions.ts';

/** What would be sent and what is left out, file by file. Paths are relative, with `/`. */
export interface Contents {
  pending: { root: string; path: string; chunks: number; tokens: number }[];
  excluded: { root: string; path: string; reason: ExclusionReason }[];
}

/**
 * The files of an index that have texts without a vector in this space, and those that are left out; by path.
 * @param limit how many of each at most
 */
export function readContents(database: DatabaseSync, space: number | undefined, limit: number): Contents {
  const pending =
    space === undefined
      ? []
      : database
          .prepare(
            `SELECT f.root, f.path, count(*) AS chunks, total(c.tokens) AS tokens
             FROM chunks c JOIN files f ON f.id = c.file LEFT JOIN vectors v ON v.space = ? AND v.hash = c.hash
             WHERE v.hash IS NULL GROUP BY f.id ORDER BY f.root, f.path LIMIT ?`,
          )
          .all(space, limit);
  const excluded = database
    .prepare('SELECT root, path, excluded FROM files WHERE excluded IS NOT NULL ORDER BY root, path LIMIT ?')
    .all(limit);
  const place = (row: (typeof excluded)[number]) => ({ root: String(row['root']), path: String(row['path']) });
  return {
    pending: pending.map((row) => ({ ...place(row), chunks: Number(row['chunks']), tokens: Number(row['tokens']) })),
    excluded: excluded.map((row) => ({ ...place(row), reason: row['excluded'] as ExclusionReason })),
  };
}
