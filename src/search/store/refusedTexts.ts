import type { DatabaseSync } from 'node:sqlite';
import type { RefusalReason, RefusedText } from '../types.ts';
import { query } from './rows.ts';

/** Where a refused text stands. Paths are relative, with `/`. */
export interface RefusedPlace extends Omit<RefusedText, 'hash'> {
  readonly root: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The longest words of a service that are kept, in characters. */
const longestDetail = 300;

/** Keeps that texts were refused. Runs in a transaction. */
export function putRefused(database: DatabaseSync, space: number, texts: readonly RefusedText[]): void {
  const put = database.prepare('INSERT OR REPLACE INTO refused VALUES (?, ?, ?, ?)');
  for (const { hash, reason, detail } of texts) put.run(space, hash, reason, detail.slice(0, longestDetail));
}

const isRefused = `FROM refused r JOIN chunks c ON c.hash = r.hash
  WHERE r.space = ?1 AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.space = ?1 AND v.hash = r.hash)`;

/** Number of distinct texts of the index that were refused. */
export function countRefused(database: DatabaseSync, space: number): number {
  const sql = `SELECT count(DISTINCT c.hash) AS texts ${isRefused}`;
  return query(database, sql, { texts: 'number' }).one(space).texts;
}

/** The places of texts that were refused, by path and line; at most `limit`. */
export function listRefused(database: DatabaseSync, space: number, limit: number): RefusedPlace[] {
  const sql = `SELECT f.root, f.path, c.start_line AS startLine, c.end_line AS endLine, r.reason, r.detail
    ${isRefused.replace('WHERE', 'JOIN files f ON f.id = c.file WHERE')} ORDER BY f.root, f.path, c.start_line LIMIT ?2`;
  const columns = {
    root: 'text',
    path: 'text',
    startLine: 'number',
    endLine: 'number',
    reason: 'text',
    detail: 'text',
  } as const;
  return query(database, sql, columns)
    .all(space, limit)
    .map(({ reason, ...place }) => ({ ...place, reason: reason as RefusalReason }));
}
