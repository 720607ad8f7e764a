import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../service/errors.ts';
import { inSlices } from './inspection.ts';
import { createMasks } from './masks.ts';
import { createNearestSearch, type NearestSearch } from './nearest.ts';
import { strideOf } from './quantise.ts';
import { spacePath, writeLabel } from './vectorDatabase.ts';
import { type HashedVector, openVectorFiles, resetVectorFiles, type VectorFiles } from './vectorFiles.ts';
import { openVectorList } from './vectorList.ts';

export interface Amount {
  files: number;
  chunks: number;
  /** Estimated. */
  tokens: number;
}

/**
 * Vectors, content-addressed: a vector is kept under the key of its space and the SHA-256 of the chunk's text (without
 * path), so a moved line, a renamed file, a branch switch or a change of model and back asks for nothing twice.
 */
export interface Spaces {
  /** The space of a key (model, and what else decides its vectors), made when first asked for. */
  space(key: string): number;
  /** The space of a key, if any vector of it was ever stored; its files are open then, and what is missing in them is seen. */
  knownSpace(key: string): number | undefined;
  /** The space that vectors came for last, of another key. */
  otherSpace(key: string): { id: number; key: string } | undefined;
  /** The length of its vectors, once there are any. */
  dimensions(space: number): number | undefined;
  /** What would have to be sent: distinct texts without a vector, and the files they are first found in. */
  amountWithout(space: number, files?: readonly number[]): Amount;
  /** One chunk for each distinct text without a vector, of all files or of these. */
  chunksWithout(space: number, files?: readonly number[]): number[];
  /** Whether a look at the vectors found their database torn: its lists do not fit one another. */
  isTorn(): boolean;
  /** Whether there is a vector for a text. */
  has(space: number, hash: Uint8Array): boolean;
  /** How many files have all their chunks in: only those count as done. */
  filesDone(space: number): number;
  /** How many chunks lost their vector to damage on the disk and have none yet. */
  damaged(space: number): number;
  /**
   * Stores vectors: on disk in the flat files, then in one transaction. Throws `malformed` when one of them is no vector;
   * also when they are of another length than before: then they are stored, in a space of their own that takes the place
   * of this one when its key is asked for next.
   */
  putVectors(space: number, items: readonly HashedVector[]): void;
  /** Chunks of these files, or of all, with their cosine to the query, the nearest first. */
  findNearest(space: number, query: Float32Array, limit: number, files?: readonly number[]): Nearest[];
  /** The vector that is stored for a text, by its hash; rounded, of length 1. Undefined when there is none, or it is damaged. */
  vectorOf(space: number, hash: Uint8Array): Float32Array | undefined;
  inTransaction<T>(work: () => T): T;
  closeFiles(): void;
}
export interface Nearest {
  id: number;
  cosine: number;
}

interface OpenSpace {
  files: VectorFiles;
  nearest: NearestSearch;
}

/** @param canWrite where nothing can be written, what is damaged is passed over */
export function openSpaces(database: DatabaseSync, directory: string, canWrite: boolean): Spaces {
  const open = new Map<number, OpenSpace>();
  const masks = createMasks(database);
  let torn = false;
  const inspections = new Set<() => void>();
  const addVector = database.prepare('INSERT OR IGNORE INTO vectors (space, hash, slot) VALUES (?, ?, ?)');
  const findVector = database.prepare('SELECT slot FROM vectors WHERE space = ? AND hash = ?');
  const list = openVectorList(database, inTransaction);
  const forgetDamage = database.prepare('DELETE FROM damaged WHERE space = ? AND hash = ?');
  const readSpace = database.prepare('SELECT * FROM spaces WHERE id = ?');
  const findSpace = database.prepare('SELECT * FROM spaces WHERE key = ? ORDER BY used DESC');
  const findOther = database.prepare(
    'SELECT id, key FROM spaces WHERE key <> ? AND dimensions IS NOT NULL ORDER BY used DESC LIMIT 1',
  );
  const findOfLength = database.prepare(
    'SELECT o.* FROM spaces s JOIN spaces o ON o.key = s.key WHERE s.id = ? AND o.dimensions = ?',
  );
  const addSpace = database.prepare('INSERT INTO spaces (key) VALUES (?)');
  const setSpace = database.prepare(
    'UPDATE spaces SET dimensions = ?, count = ?, used = (SELECT max(used) + 1 FROM spaces) WHERE id = ?',
  );
  const chunksAt = database.prepare(
    'SELECT c.id, c.file FROM vectors v JOIN chunks c ON c.hash = v.hash WHERE v.space = ? AND v.slot = ? ORDER BY c.id',
  );
  const countFiles = database.prepare('SELECT count(*) AS files FROM files WHERE excluded IS NULL');
  const withoutVector = `FROM chunks c LEFT JOIN vectors v ON v.space = ?1 AND v.hash = c.hash WHERE v.hash IS NULL`;
  // `+`: of a few files the chunks are read, not those of all in the order of their hashes.
  const ofFiles = (files: readonly number[] | undefined): [sql: string, ...params: string[]] =>
    files === undefined
      ? ['GROUP BY c.hash']
      : ['AND c.file IN (SELECT value FROM json_each(?2)) GROUP BY +c.hash', JSON.stringify(files)];

  function inTransaction<T>(work: () => T): T {
    if (database.isTransaction) return work();
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has done it itself when the disk is full.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  function newSpace(key: string): number {
    const added = Number(addSpace.run(key).lastInsertRowid);
    resetVectorFiles(spacePath(directory, added));
    return added;
  }

  /** The files of a space as they are read. What is missing at their ends is seen at once, the rest bit by bit. */
  function opened(space: number, dimensions: number, count: number): OpenSpace {
    const known = open.get(space);
    if (known !== undefined) return known;
    const files = openVectorFiles(spacePath(directory, space), dimensions, canWrite);
    const found = { files, nearest: createNearestSearch(files) };
    open.set(space, found);
    if (!canWrite) return found;
    const rows = files.rows();
    if (rows.vectors < count) forget(space, 'slot >= ?', rows.vectors);
    for (let slot = rows.bits; slot < Math.min(count, rows.vectors); slot++) files.check(slot);
    inspect(space, found, count);
    return found;
  }

  /** Forgets vectors that are lost, so that they are asked for again, and only they. */
  function forget(space: number, which: 'slot >= ?' | 'slot = ?', slot: number): void {
    if (!canWrite) return;
    const isKnown = database.prepare(`SELECT 1 FROM vectors WHERE space = ? AND ${which} LIMIT 1`);
    if (isKnown.get(space, slot) === undefined) return;
    inTransaction(() => {
      database
        .prepare(`INSERT OR IGNORE INTO damaged SELECT space, hash FROM vectors WHERE space = ? AND ${which}`)
        .run(space, slot);
      database.prepare(`DELETE FROM vectors WHERE space = ? AND ${which}`).run(space, slot);
    });
  }

  function inspect(space: number, { files, nearest }: OpenSpace, count: number): void {
    let slot = 0;
    inspections.add(
      inSlices(() => {
        if (slot >= count || torn) return false;
        const state = files.check(slot);
        if (state === 'mended') nearest.reload(slot);
        if (state === 'damaged') forget(space, 'slot = ?', slot);
        const hash = state === 'damaged' ? undefined : files.readHash(slot);
        torn ||= hash !== undefined && !list.check(space, slot, hash);
        slot++;
        return true;
      }),
    );
  }

  return {
    inTransaction,
    space(key) {
      const known = (): unknown => findSpace.get(key)?.['id'];
      return Number(known() ?? inTransaction(() => known() ?? newSpace(key)));
    },
    knownSpace(key) {
      const row = findSpace.get(key);
      if (typeof row?.['dimensions'] !== 'number') return undefined;
      const id = Number(row['id']);
      // Vectors that are lost are not to be counted among those that are there.
      if (canWrite) opened(id, row['dimensions'], Number(row['count']));
      return id;
    },
    otherSpace(key) {
      const row = findOther.get(key);
      return row === undefined ? undefined : { id: Number(row['id']), key: String(row['key']) };
    },
    dimensions(space) {
      const value = readSpace.get(space)?.['dimensions'];
      return typeof value === 'number' ? value : undefined;
    },
    amountWithout(space, files) {
      const [groups, ...params] = ofFiles(files);
      const row = database
        .prepare(
          `SELECT count(*) AS chunks, count(DISTINCT file) AS files, total(tokens) AS tokens
           FROM (SELECT min(c.id), c.file, c.tokens ${withoutVector} ${groups})`,
        )
        .get(space, ...params);
      return { files: Number(row?.['files']), chunks: Number(row?.['chunks']), tokens: Number(row?.['tokens']) };
    },
    chunksWithout(space, files) {
      const [groups, ...params] = ofFiles(files);
      const rows = database
        .prepare(`SELECT min(c.id) AS id ${withoutVector} ${groups} ORDER BY id`)
        .all(space, ...params);
      return rows.map((row) => Number(row['id']));
    },
    isTorn: () => torn,
    has: (space, hash) => findVector.get(space, hash) !== undefined,
    filesDone(space) {
      const row = database
        .prepare(
          // Both lists are in the order of the hashes: EXCEPT goes through them side by side.
          `SELECT (SELECT count(*) FROM files WHERE chunks > 0) - count(DISTINCT file) AS files FROM chunks
           WHERE hash IN (SELECT hash FROM chunks EXCEPT SELECT hash FROM vectors WHERE space = ?1)`,
        )
        .get(space);
      return Number(row?.['files']);
    },
    damaged(space) {
      const row = database
        .prepare(
          `SELECT count(*) AS chunks FROM damaged d
           WHERE d.space = ? AND EXISTS (SELECT 1 FROM chunks c WHERE c.hash = d.hash)`,
        )
        .get(space);
      return Number(row?.['chunks']);
    },
    putVectors(space, items) {
      const dimensions = items[0]?.vector.length;
      if (dimensions === undefined) return;
      for (const { vector } of items) checkVector(vector, dimensions);
      const target = inTransaction(() => {
        const row = readSpace.get(space);
        const isFirst = row?.['dimensions'] === null;
        const of = isFirst ? row : findOfLength.get(space, dimensions);
        const id = Number(of?.['id'] ?? newSpace(String(row?.['key'])));
        const first = Number(of?.['count'] ?? 0);
        if (first === 0) writeLabel(directory, id, String(row?.['key']), dimensions);
        opened(id, dimensions, first).files.write(first, items);
        for (const [index, item] of items.entries()) {
          addVector.run(id, item.hash, first + index);
          forgetDamage.run(id, item.hash);
        }
        setSpace.run(dimensions, first + items.length, id);
        return id;
      });
      if (target !== space) throw new ServiceError('malformed', { hint: 'another length' });
    },
    findNearest(space, query, limit, wanted) {
      // A list of all files is no filter, and needs no mask.
      const files = wanted === undefined || wanted.length >= Number(countFiles.get()?.['files']) ? undefined : wanted;
      // The vectors of another length stay, for when the service gives such again.
      const row = findOfLength.get(space, query.length);
      if (row === undefined) return [];
      const [id, count] = [Number(row['id']), Number(row['count'])];
      const found = opened(id, query.length, count);
      const damaged: number[] = [];
      const find = (allowed: Uint8Array | undefined): { slots: number; hits: Nearest[] } => {
        const near = found.nearest.find(query, limit, count, allowed, (slot) => damaged.push(slot));
        const hits = near.flatMap(({ slot, cosine }) => {
          const rows = chunksAt.all(id, slot).map((each) => ({ id: Number(each['id']), file: Number(each['file']) }));
          return rows
            .filter((each) => files === undefined || masks.has(files, each.file))
            .map((each) => ({ id: each.id, cosine }));
        });
        return { slots: near.length, hits: hits.slice(0, limit) };
      };
      let { slots, hits } = find(files === undefined ? undefined : masks.of(id, count, files));
      // Slots of texts that are nowhere any more took the places: only the others, then.
      if (files === undefined && slots === limit && hits.length < limit) ({ hits } = find(masks.of(id, count)));
      for (const slot of damaged) forget(id, 'slot = ?', slot);
      return hits;
    },
    vectorOf(space, hash) {
      const found = findVector.get(space, hash);
      const row = readSpace.get(space);
      if (found === undefined || typeof row?.['dimensions'] !== 'number') return undefined;
      const values = new Int8Array(strideOf(row['dimensions']));
      const { files } = opened(space, row['dimensions'], Number(row['count']));
      const scale = files.readValues(Number(found['slot']), new Uint8Array(values.buffer), 0);
      return scale === undefined
        ? undefined
        : Float32Array.from(values.subarray(0, row['dimensions']), (v) => v * scale);
    },
    closeFiles() {
      for (const stop of inspections) stop();
      for (const { files } of open.values()) files.close();
      open.clear();
    },
  };
}

/** What is no direction would be near to nothing, or to all: it is not kept. */
function checkVector(vector: Float32Array, dimensions: number): void {
  const fail = (hint: string): never => {
    throw new ServiceError('malformed', { hint });
  };
  if (vector.length !== dimensions) fail('dimensions');
  let isZero = true;
  for (let i = 0; i < vector.length; i++) {
    if (!Number.isFinite(vector[i])) fail('not finite');
    if (vector[i] !== 0) isZero = false;
  }
  if (isZero) fail('zero');
}
