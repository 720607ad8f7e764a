import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Chunk } from '../../../src/search/chunker/chunker.ts';
import { type Gains, gains, rank } from '../../../src/search/query/ranking.ts';
import { openStore, type Store } from '../../../src/search/store/store.ts';
import { indexedWords, matchExpression, queryWords } from '../../../src/search/store/words.ts';
import { definedNames } from '../../../src/syntax/lines/definedNames.ts';
import { type Row, toRow } from '../row.ts';
import { findWords } from './contenders.ts';
import { type Corpus, type Passage, type Question, readCorpus } from './corpus.ts';
import { noGains, rules } from './rules.ts';

const bench = 'retrieval';
/** Of the held half, which no constant was chosen by. */
const asked = 1_000;
const root = '/code';

/** Finds indices of passages for a question, the best first. */
type Finder = (text: string) => number[];

/** A sentence of documentation has to find the code that it was written about, among all passages of node_modules. */
export async function passageRows(tell: (text: string) => void): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  try {
    const corpus = readCorpus();
    const bytes = corpus.passages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const questions = corpus.held.slice(0, asked);
    tell(`retrieval: ${questions.length} questions over ${corpus.passages.length} passages`);
    const rows = [
      toRow({
        bench,
        metric: 'passages',
        value: corpus.passages.length,
        unit: '',
        goal: { of: 'value', is: '>=', bound: 50_000 },
      }),
      toRow({ bench, metric: 'source', value: bytes / 1e6, unit: 'MB' }),
    ];
    const baseline = plainFigures(corpus, questions, join(folder, 'plain.db'), rows);
    const store = openStore(join(folder, 'index'));
    try {
      fill(store, corpus.passages);
      rows.push(
        ...parleyFigures(store, corpus, questions, baseline),
        ...sizes(join(folder, 'index', 'index.db'), bytes),
      );
    } finally {
      store.close();
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** FTS5 alone, with the same words of each question; the last, with splitting and stemming, is what Parley is compared with. */
function plainFigures(corpus: Corpus, questions: readonly Question[], path: string, rows: Row[]): number {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;');
  const kinds: [name: string, tokenizer: string, prepare: (text: string) => string][] = [
    ['FTS5 unicode61', 'unicode61', (text) => text],
    ['FTS5, identifiers split', 'unicode61', indexedWords],
    ['FTS5, split and stemmed', 'porter unicode61', indexedWords],
  ];
  let last = 0;
  for (const [name, tokenizer, prepare] of kinds) {
    database.exec(`CREATE VIRTUAL TABLE w USING fts5 (body, content = '', tokenize = '${tokenizer}')`);
    const add = database.prepare('INSERT INTO w (rowid, body) VALUES (?, ?)');
    database.exec('BEGIN');
    for (const [index, { text }] of corpus.passages.entries()) add.run(index, prepare(text));
    database.exec('COMMIT');
    const find = database.prepare('SELECT rowid FROM w WHERE w MATCH ? ORDER BY bm25(w) LIMIT 10');
    const { first, ten, reciprocal } = judge(questions, (text) =>
      find.all(matchExpression(queryWords(text))).map((row) => Number(row['rowid'])),
    );
    rows.push(toRow({ bench, metric: `R@1, ${name}`, value: first, unit: '' }));
    rows.push(toRow({ bench, metric: `R@10, ${name}`, value: ten, unit: '' }));
    rows.push(toRow({ bench, metric: `MRR, ${name}`, value: reciprocal, unit: '' }));
    database.exec('DROP TABLE w');
    last = ten;
  }
  database.close();
  return last;
}

function fill(store: Store, passages: readonly Passage[]): void {
  const files = new Map<string, Chunk[]>();
  for (const { path, startLine, endLine, text } of passages) {
    files.set(path, [
      ...(files.get(path) ?? []),
      { startLine, endLine, text, enclosing: [], names: definedNames(text, path) },
    ]);
  }
  const stamp = { size: 1, mtimeMs: 1 };
  store.putFiles(
    root,
    [...files].map(([path, chunks]) => ({ path, stamp, content: { hash: path, chunks, lines: 0 } })),
  );
}

function parleyFigures(store: Store, corpus: Corpus, questions: readonly Question[], baseline: number): Row[] {
  const places = new Map(corpus.passages.map(({ path, startLine }, index) => [`${path}:${startLine}`, index]));
  const times: number[] = [];
  const found = new Map(
    questions.map(({ text }) => {
      const started = performance.now();
      const words = findWords(store, text);
      times.push(performance.now() - started);
      return [text, words];
    }),
  );
  const finder = (counts: Gains): Finder => {
    return (text) =>
      rank(found.get(text) ?? { text, words: [], meaning: [] }, store, 10, counts).map(
        ({ chunk: { path, startLine } }) => places.get(`${path}:${startLine}`) ?? -1,
      );
  };
  const { first, ten, reciprocal } = judge(questions, finder(gains));
  const p50 = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const gain = ten - baseline;
  const peer = { name: 'FTS5, split and stemmed', value: baseline };
  const rows = [
    toRow({ bench, metric: 'R@1, Parley', value: first, unit: '', goal: { of: 'value', is: '>=', bound: 0.33 } }),
    toRow({
      bench,
      metric: 'R@10, Parley',
      value: ten,
      unit: '',
      peer,
      goal: { of: 'value', is: '>=', bound: 0.6 },
    }),
    toRow({ bench, metric: 'MRR, Parley', value: reciprocal, unit: '', goal: { of: 'value', is: '>=', bound: 0.4 } }),
    toRow({
      bench,
      metric: 'R@10 above FTS5 split and stemmed',
      value: gain,
      unit: '',
      goal: { of: 'value', is: '>=', bound: 0.05 },
    }),
    toRow({
      bench,
      metric: 'word index, query p50',
      value: p50,
      unit: 'ms',
      goal: { of: 'value', is: '<=', bound: 6 },
    }),
  ];
  for (const { name: rule, without } of [...rules, { name: 'any rule', without: noGains }]) {
    const left = judge(questions, finder(without));
    rows.push(toRow({ bench, metric: `R@1, Parley without ${rule}`, value: left.first, unit: '' }));
    rows.push(toRow({ bench, metric: `R@10, Parley without ${rule}`, value: left.ten, unit: '' }));
    rows.push(toRow({ bench, metric: `MRR, Parley without ${rule}`, value: left.reciprocal, unit: '' }));
  }
  return rows;
}

/** What the index weighs for a byte of text: the words alone, and with the texts, from which hits are shown. */
function sizes(path: string, bytes: number): Row[] {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const words = database
    .prepare('SELECT sum(length(block)) AS bytes FROM words_data UNION ALL SELECT sum(length(sz)) FROM words_docsize')
    .all()
    .reduce((sum, row) => sum + Number(row['bytes']), 0);
  database.close();
  return [
    toRow({
      bench,
      metric: 'word index, bytes a byte of text',
      value: words / bytes,
      unit: '',
      goal: { of: 'value', is: '<=', bound: 0.8 },
    }),
    toRow({ bench, metric: 'index with texts, bytes a byte of text', value: statSync(path).size / bytes, unit: '' }),
  ];
}

/** Shares of questions whose answer was first, or among the ten found, and the mean of 1 / its rank. */
function judge(questions: readonly Question[], find: Finder): { first: number; ten: number; reciprocal: number } {
  let first = 0;
  let ten = 0;
  let reciprocal = 0;
  for (const { text, targets } of questions) {
    const rank = find(text).findIndex((index) => targets.includes(index)) + 1;
    if (rank === 0) continue;
    ten++;
    reciprocal += 1 / rank;
    if (rank === 1) first++;
  }
  const share = (sum: number): number => sum / questions.length;
  return { first: share(first), ten: share(ten), reciprocal: share(reciprocal) };
}
