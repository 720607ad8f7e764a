import type { DatabaseSync } from 'node:sqlite';
import type { VectorRow } from '../../vectors/quantise.ts';
import { query } from '../rows.ts';
import { writeLabel } from '../schema/vectorSchema.ts';
import type { SpaceFiles } from './spaceFiles.ts';
import type { SpaceTable } from './spaceTable.ts';

/**
 * Stores vectors of one length, on disk in the flat files and then in the list; returns their space, which is another
 * than the given one when that has vectors of another length. Runs in a transaction.
 */
export type PutRows = (space: number, dimensions: number, rows: readonly VectorRow[]) => number;

/** @param directory of the index */
export function createVectorWriter(
  database: DatabaseSync,
  directory: string,
  table: SpaceTable,
  files: SpaceFiles,
): PutRows {
  const addVector = database.prepare('INSERT OR IGNORE INTO vectors (space, hash, slot) VALUES (?, ?, ?)');
  const findVector = query(database, 'SELECT slot FROM vectors WHERE space = ? AND hash = ?', { slot: 'number' });
  const forgetDamage = database.prepare('DELETE FROM damaged WHERE space = ? AND hash = ?');

  return (space, dimensions, rows) => {
    const asked = table.get(space);
    const key = asked?.key ?? '';
    const target = asked?.dimensions === null ? asked : table.findOfLength(space, dimensions);
    const id = target?.id ?? table.add(key);
    const first = target?.count ?? 0;
    if (first === 0) writeLabel(directory, id, key, dimensions);
    // A kept answer may have been stored by another window meanwhile.
    const fresh = rows.filter(({ hash }) => findVector.get(id, hash) === undefined);
    if (fresh.length > 0) files.open(id, dimensions, first).files.write(first, fresh);
    for (const [index, { hash }] of fresh.entries()) {
      addVector.run(id, hash, first + index);
      forgetDamage.run(id, hash);
    }
    table.set(id, dimensions, first + fresh.length);
    return id;
  };
}
