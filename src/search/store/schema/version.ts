import type { DatabaseSync } from 'node:sqlite';
import { query } from '../rows.ts';

/** The schema version recorded in a database; 0 for an empty one. */
export function versionOf(database: DatabaseSync, name: 'main' | 'vectors_db'): number {
  return query(database, `PRAGMA ${name}.user_version`, { user_version: 'number' }).one().user_version;
}
