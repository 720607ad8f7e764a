import type { DatabaseSync } from 'node:sqlite';
import type { ExclusionReason } from '../../workspace/exclusions.ts';
import { listRefused, type RefusedPlace } from './refusedTexts.ts';
import { query } from './rows.ts';

/** Files with texts to send, files that need no request, files that are left out, and texts that the service refused. Paths are relative, with `/`. */
export interface Contents {
  pending: { root: string; path: string; chunks: number; tokens: number }[];
  /** Files all of whose texts have their vector. */
  known: { root: string; path: string; chunks: number }[];
  excluded: { root: string; path: string; reason: ExclusionReason }[];
  refused: RefusedPlace[];
}

/**
 * The files of an index that have texts without a vector in this space, and those that are left out; by path.
 * @param limit limit of each list
 */
export function readContents(database: DatabaseSync, space: number | undefined, limit: number): Contents {
  const place = { root: 'text', path: 'text' } as const;
  const pending = query(
    database,
    `SELECT f.root, f.path, count(*) AS chunks, total(c.tokens) AS tokens
     FROM chunks c JOIN files f ON f.id = c.file LEFT JOIN vectors v ON v.space = ?1 AND v.hash = c.hash
     WHERE v.hash IS NULL AND NOT EXISTS (SELECT 1 FROM refused r WHERE r.space = ?1 AND r.hash = c.hash)
     GROUP BY f.id ORDER BY f.root, f.path LIMIT ?2`,
    { ...place, chunks: 'number', tokens: 'number' },
  );
  const known = query(
    database,
    `SELECT f.root, f.path, count(*) AS chunks, sum(v.hash IS NULL) AS missing
     FROM chunks c JOIN files f ON f.id = c.file LEFT JOIN vectors v ON v.space = ?1 AND v.hash = c.hash
     GROUP BY f.id HAVING missing = 0 ORDER BY f.root, f.path LIMIT ?2`,
    { ...place, chunks: 'number', missing: 'number' },
  );
  const excluded = query(
    database,
    'SELECT root, path, excluded FROM files WHERE excluded IS NOT NULL ORDER BY root, path LIMIT ?',
    { ...place, excluded: 'text' },
  );
  return {
    pending: space === undefined ? [] : pending.all(space, limit).map((row) => ({ ...row })),
    known: space === undefined ? [] : known.all(space, limit).map(({ root, path, chunks }) => ({ root, path, chunks })),
    refused: space === undefined ? [] : listRefused(database, space, limit),
    excluded: excluded
      .all(limit)
      .map(({ excluded: reason, ...where }) => ({ ...where, reason: reason as ExclusionReason })),
  };
}
