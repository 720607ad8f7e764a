import type { DatabaseSync } from 'node:sqlite';
import { query } from './rows.ts';
import { columnWeights, type WordHit } from './wordIndex.ts';
import { quoted } from './words.ts';

/** The most chunks with the words of a name that are looked at, which bounds the time for a name that is a common word. */
const lookedAt = 4_000;
/** The most chunks that are found for a name. */
const mostFound = 50;

/**
 * The chunks that declare one of these very names, with their BM25 relevance for it; of all files or of these. Chunks that only
 * add to what is declared elsewhere are not among them.
 */
export function findDefining(
  database: DatabaseSync,
  names: readonly string[],
  files: readonly number[] | undefined,
): WordHit[] {
  const find = query(
    database,
    `SELECT c.id FROM (SELECT rowid FROM words WHERE words MATCH ?1 LIMIT ${lookedAt}) w JOIN chunks c ON c.id = w.rowid
     WHERE (instr(char(10) || c.names || char(10), char(10) || ?2 || char(10)) > 0
       OR instr(char(10) || c.names || char(10), char(10) || '"' || ?2 || char(10)) > 0)
       AND (?3 IS NULL OR c.file IN (SELECT value FROM json_each(?3))) LIMIT ${mostFound}`,
    { id: 'number' },
  );
  const weigh = query(
    database,
    `SELECT rowid AS id, bm25(words, ${columnWeights}) AS score FROM words
     WHERE words MATCH ?1 AND rowid IN (SELECT value FROM json_each(?2))`,
    { id: 'number', score: 'number' },
  );
  const within = files === undefined ? null : JSON.stringify(files);
  return names.flatMap((name) => {
    const words = quoted(name);
    const found = find.all(`names : ${words}`, name, within);
    if (found.length === 0) return [];
    return weigh
      .all(words, JSON.stringify(found.map(({ id }) => id)))
      .map(({ id, score }) => ({ id, relevance: -score }));
  });
}
