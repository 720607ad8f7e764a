import type { DatabaseSync } from 'node:sqlite';
import { resetVectorFiles } from '../../vectors/vectorFiles.ts';
import { query } from '../rows.ts';
import { spacePath } from '../schema/vectorSchema.ts';

/** The vectors of one key, and of one length. */
export interface Space {
  id: number;
  key: string;
  /** The length of its vectors; null before there are any. */
  dimensions: number | null;
  /** Number of slots in its files. */
  count: number;
}

/** The list of the spaces. */
export interface SpaceTable {
  get(id: number): Space | undefined;
  all(): Space[];
  /** The space of a key that received vectors last. */
  find(key: string): Space | undefined;
  /** The space of another key that received vectors last. */
  findOther(key: string): { id: number; key: string } | undefined;
  /** The space of the same key whose vectors have this length. */
  findOfLength(id: number, dimensions: number): Space | undefined;
  /** Creates a space with empty files; returns its id. */
  add(key: string): number;
  /** Records the length of received vectors, and the new number of slots. */
  set(id: number, dimensions: number, count: number): void;
}

const columns = { id: 'number', key: 'text', dimensions: 'number?', count: 'number' } as const;

/** @param directory of the index, with the files of the spaces */
export function openSpaceTable(database: DatabaseSync, directory: string): SpaceTable {
  const get = query(database, 'SELECT * FROM spaces WHERE id = ?', columns);
  const all = query(database, 'SELECT * FROM spaces', columns);
  const find = query(database, 'SELECT * FROM spaces WHERE key = ? ORDER BY used DESC', columns);
  const findOther = query(
    database,
    'SELECT id, key FROM spaces WHERE key <> ? AND dimensions IS NOT NULL ORDER BY used DESC LIMIT 1',
    { id: 'number', key: 'text' },
  );
  const findOfLength = query(
    database,
    'SELECT o.* FROM spaces s JOIN spaces o ON o.key = s.key WHERE s.id = ? AND o.dimensions = ?',
    columns,
  );
  const add = database.prepare('INSERT INTO spaces (key) VALUES (?)');
  const set = database.prepare(
    'UPDATE spaces SET dimensions = ?, count = ?, used = (SELECT max(used) + 1 FROM spaces) WHERE id = ?',
  );

  return {
    get: (id) => get.get(id),
    all: () => all.all(),
    find: (key) => find.get(key),
    findOther: (key) => findOther.get(key),
    findOfLength: (id, dimensions) => findOfLength.get(id, dimensions),
    add(key) {
      const id = Number(add.run(key).lastInsertRowid);
      resetVectorFiles(spacePath(directory, id));
      return id;
    },
    set(id, dimensions, count) {
      set.run(dimensions, count, id);
    },
  };
}
