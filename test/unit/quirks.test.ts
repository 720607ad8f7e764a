import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brokenStreams } from '../corpus/brokenStreams.ts';
import type { CorpusCase } from '../corpus/case.ts';
import { embeddingCases } from '../corpus/embeddings.ts';
import { errorBodyCases } from '../corpus/errorBodies.ts';
import { soundStreams } from '../corpus/soundStreams.ts';
import { repeatedStreams, thoughtStreams } from '../corpus/thoughtStreams.ts';
import { toolCallCases } from '../corpus/toolCalls.ts';
import { readRows, root, whyNotRun } from '../support/namedTests.ts';

const table = 'test/corpus/QUIRKS.md';

const casesOf: Readonly<Record<string, readonly CorpusCase[]>> = {
  'test/corpus/soundStreams.ts': soundStreams,
  'test/corpus/thoughtStreams.ts': [...thoughtStreams, ...repeatedStreams],
  'test/corpus/brokenStreams.ts': brokenStreams,
  'test/corpus/toolCalls.ts': toolCallCases,
  'test/corpus/errorBodies.ts': errorBodyCases,
  'test/corpus/embeddings.ts': embeddingCases,
};
const players = readRows(table, /^test\/corpus\//);

/** What keeps the proof of a row from being one; undefined where it is. */
function faultOf(row: number, title: string, file: string): string | undefined {
  if (!file.startsWith('test/corpus/')) return whyNotRun(file, title);
  const named = casesOf[file]?.find(({ name }) => name === title);
  if (named === undefined) return `no such case in ${file}: ${title}`;
  return named.quirks?.includes(row) ? undefined : `the case is not one of this quirk: ${title}`;
}

const rows = readRows(table, /^\d+$/);
const cells = (text = ''): string[] => text.split('<br>').map((each) => each.trim());

test('the table of quirks has each row from 1 to 59 once, in five cells', () => {
  assert.deepEqual(
    rows.map(([number]) => Number(number)),
    Array.from({ length: 59 }, (_, place) => place + 1),
  );
  assert.deepEqual(
    rows.filter((row) => row.length !== 5 || row.includes('')),
    [],
  );
});

test('every quirk has the tests that the table names, in the files that it names', () => {
  const faults = rows.flatMap(([number, , , titles, files]) => {
    const row = Number(number);
    const [names, places] = [cells(titles), cells(files)];
    if (places.length !== 1 && places.length !== names.length) return [`${row}: a file for each test, or one for all`];
    return names.flatMap((title, at) => {
      const fault = faultOf(row, title, places[at] ?? places[0] ?? '');
      return fault === undefined ? [] : [`${row}: ${fault}`];
    });
  });
  assert.deepEqual(faults, []);
});

test('every case of the corpus is played by the tests that the table names', () => {
  assert.deepEqual(
    players.map(([file]) => file),
    Object.keys(casesOf),
  );
  const faults = players.flatMap(([, titles, player = '']) => cells(titles).map((title) => whyNotRun(player, title)));
  assert.deepEqual(
    faults.filter((fault) => fault !== undefined),
    [],
  );
});

test('what tests cite as a quirk is a row of the table', () => {
  const files = globSync('test/{unit,contract,host/suites}/**/*.test.ts', { cwd: root });
  const cited = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bquirk (\d+)(?:, (\d+))?/g)].flatMap((each) =>
      each.slice(1).filter((number) => number !== undefined),
    ),
  );
  const inCorpus = Object.values(casesOf).flat();
  const all = new Set([...cited.map(Number), ...inCorpus.flatMap(({ quirks }) => quirks ?? [])]);
  const inTable = rows.map(([number]) => Number(number));
  assert.deepEqual(
    [...all].filter((row) => !inTable.includes(row)),
    [],
  );
});
