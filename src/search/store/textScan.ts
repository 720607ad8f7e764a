import type { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { isUnspaced } from '../letters/unspaced.ts';
import { readNames } from './files/chunkReader.ts';
import { query } from './rows.ts';
import { columnWeights, type WordHit } from './wordIndex.ts';
import { matchExpression, quoted } from './words.ts';

/** A chunk whose text is looked through. The text is unpacked when it is first asked for, and is empty where it is damaged. */
export interface ScannedChunk {
  readonly id: number;
  readonly file: number;
  readonly text: string;
  readonly names: readonly string[];
}

/** Goes through the texts of an index, all of them or those with some words. */
export interface TextScan {
  /** The next chunks behind an id, by their ids; of all files or of these. */
  scanAfter(id: number, count: number, files?: readonly number[]): ScannedChunk[];
  /** These chunks. */
  scanChunks(ids: readonly number[]): ScannedChunk[];
  /** The chunks that have every one of these words, the best first. @param declared words of the names that they declare */
  chunksWithAll(
    words: readonly string[],
    declared: readonly string[],
    limit: number,
    files?: readonly number[],
  ): number[];
  /** Of these chunks, those that have any of the words, the best first. */
  findWordsIn(words: readonly string[], chunks: readonly number[]): WordHit[];
  /** The chunks in which these words follow each other as in the text of a question. */
  chunksWithRun(words: readonly string[], limit: number, files?: readonly number[]): number[];
  /** The highest id of a chunk; 0 where there is none. */
  lastChunk(): number;
}

const columns = { id: 'number', file: 'number', names: 'text', text: 'blob' } as const;

export function createTextScan(database: DatabaseSync): TextScan {
  const select = 'SELECT id, file, names, text FROM chunks';
  const after = query(database, `${select} WHERE id > ? ORDER BY id LIMIT ?`, columns);
  const afterOf = query(
    database,
    `${select} WHERE id > ? AND file IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
    columns,
  );
  const these = query(database, `${select} WHERE id IN (SELECT value FROM json_each(?))`, columns);
  const last = query(database, 'SELECT coalesce(max(id), 0) AS id FROM chunks', { id: 'number' });
  const among = query(
    database,
    `SELECT rowid AS id FROM words WHERE words MATCH ?1
     AND (?2 IS NULL OR rowid IN (SELECT id FROM chunks WHERE file IN (SELECT value FROM json_each(?2)))) LIMIT ?3`,
    { id: 'number' },
  );
  const weighed = query(
    database,
    `SELECT rowid AS id, bm25(words, ${columnWeights}) AS score FROM words
     WHERE words MATCH ?1 AND rowid IN (SELECT value FROM json_each(?2)) ORDER BY score`,
    { id: 'number', score: 'number' },
  );
  const listOf = (files: readonly number[] | undefined): string | null =>
    files === undefined ? null : JSON.stringify(files);

  return {
    scanAfter: (id, count, files) =>
      (files === undefined ? after.all(id, count) : afterOf.all(id, JSON.stringify(files), count)).map(scanned),
    scanChunks: (ids) => these.all(JSON.stringify(ids)).map(scanned),
    chunksWithAll(words, declared, limit, files) {
      const expressions = [
        ...words.filter(isWhole).map(quoted),
        ...declared.filter(isWhole).map((word) => `names : ${quoted(word)}`),
      ];
      if (expressions.length === 0) return [];
      return among.all(expressions.join(' AND '), listOf(files), limit).map(({ id }) => id);
    },
    findWordsIn(words, chunks) {
      if (words.length === 0 || chunks.length === 0) return [];
      return weighed
        .all(matchExpression(words), JSON.stringify(chunks))
        .map(({ id, score }) => ({ id, relevance: -score }));
    },
    chunksWithRun(words, limit, files) {
      // Words that the index takes apart stand there in the same order.
      const run = words.map((word) => quoted(word).slice(1, -1)).join(' ');
      return among.all(`body : "${run}"`, listOf(files), limit).map(({ id }) => id);
    },
    lastChunk: () => last.one().id,
  };
}

/** Letters without blanks between words are in the index as pairs. */
const isWhole = (word: string): boolean => !isUnspaced(word);

function scanned({
  id,
  file,
  names,
  text,
}: {
  id: number;
  file: number;
  names: string;
  text: Uint8Array;
}): ScannedChunk {
  let unpacked: string | undefined;
  return {
    id,
    file,
    get text() {
      unpacked ??= unpack(text);
      return unpacked;
    },
    get names() {
      return readNames(names).names;
    },
  };
}

function unpack(text: Uint8Array): string {
  try {
    return inflateRawSync(text).toString();
  } catch {
    return '';
  }
}
