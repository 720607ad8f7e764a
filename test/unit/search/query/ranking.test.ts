import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definedNames } from '../../../../src/search/chunker/definedNames.ts';
import { type Reader, rank } from '../../../../src/search/query/ranking.ts';

function chunks(...files: [path: string, text: string][]): Reader {
  const all = files.map(([path, text], index) => ({
    id: index + 1,
    root: '/code',
    path,
    text,
    startLine: 10,
    endLine: 10 + text.split('\n').length - 1,
  }));
  return {
    chunk: (id) => all[id - 1],
    outline: (id) => {
      const chunk = all[id - 1];
      return chunk && { ...chunk, names: definedNames(chunk.text) };
    },
  };
}

/** Hits by words in this order, all about as good. */
const found = (...ids: number[]) => ids.map((id, index) => ({ id, relevance: 10 - index / 100 }));

test('a chunk that both halves find stands before one that only one half finds first', () => {
  const read = chunks(['a.ts', 'x'], ['b.ts', 'x'], ['c.ts', 'x']);
  const ranked = rank('x', found(1, 2), [3, 2], read, 10);
  assert.deepEqual(
    ranked.map((hit) => [hit.chunk.path, hit.why]),
    [
      ['b.ts', 'both'],
      ['a.ts', 'words'],
      ['c.ts', 'meaning'],
    ],
  );
});

test('the definition of what is asked for stands before its use', () => {
  const read = chunks(['use.ts', 'const a = loadTable(1);'], ['load.ts', 'export function loadTable() {}']);
  assert.equal(rank('load table', found(1, 2), [], read, 10)[0]?.chunk.path, 'load.ts');
});

test('a file named like the question stands before one that is not; a test stands behind', () => {
  const named = chunks(['other.ts', 'x'], ['rate-limit.go', 'x']);
  assert.equal(rank('rate limits', found(1, 2), [], named, 10)[0]?.chunk.path, 'rate-limit.go');
  const tested = chunks(['test/a.ts', 'x'], ['a.ts', 'x']);
  assert.equal(rank('x', found(1, 2), [], tested, 10)[0]?.chunk.path, 'a.ts');
});

test('at most two hits of a file stand at the top; the further ones come after all other files', () => {
  const read = chunks(['a.ts', 'x'], ['a.ts', 'x'], ['a.ts', 'x'], ['b.ts', 'x'], ['c.ts', 'x']);
  const paths = rank('x', found(1, 2, 3, 4, 5), [], read, 10).map((hit) => hit.chunk.path);
  assert.deepEqual(paths, ['a.ts', 'a.ts', 'b.ts', 'c.ts', 'a.ts']);
  assert.equal(rank('x', found(1, 2, 3, 4, 5), [], read, 3).length, 3);
});

test('a hit shows the line that has most of the words', () => {
  const read = chunks(['a.ts', '// about\nconst other = 1;\nretryAfterDelay(delay);\nend();']);
  const [hit] = rank('retry after a delay', found(1), [], read, 10);
  assert.equal(hit?.line, 12);
  assert.equal(hit?.preview, 'retryAfterDelay(delay);');
});

test('a chunk that was removed in between is left out', () => {
  assert.deepEqual(rank('x', found(1), [2], chunks(), 10), []);
});

test('what defines the name that is asked for says so, and stands before what only has the words', () => {
  const read = chunks(
    ['gate.ts', 'open the lock of the gate, then open the gate'],
    ['lock.ts', 'export async function openGateLock(gate) {\n}'],
  );
  const ranked = rank('open the lock of the gate', found(1, 2), [], read, 10);
  assert.deepEqual(
    ranked.map((hit) => [hit.chunk.path, hit.why]),
    [
      ['lock.ts', 'definition'],
      ['gate.ts', 'words'],
    ],
  );
});

test('names are found in the ways code gives them', () => {
  const code = [
    'export class TideTable {',
    '  private async readRow(at: number): Promise<Row> {',
    'const byPort = (port) => port;',
    'exports.openGate = function () {',
    '  close: async () => {},',
    'func (g *Gate) Lock(key string) error {',
    'def load_table(path):',
    'pub fn sail(ship: &Ship) {',
    '  if (isOpen(gate)) {',
    '  return call(() => {',
  ];
  assert.deepEqual(definedNames(code.join('\n')), [
    'TideTable',
    'readRow',
    'byPort',
    'openGate',
    'close',
    'Lock',
    'load_table',
    'sail',
  ]);
});

test('for a name as it stands in code, words weigh more than meaning; for a sentence, both the same', () => {
  const read = chunks(['a.ts', 'x'], ['b.ts', 'x']);
  assert.equal(rank('tideTable()', found(1), [2], read, 10)[0]?.chunk.path, 'a.ts');
  const [first, second] = rank('where are tides', found(1), [2], read, 10);
  assert.equal(first?.score, second?.score);
});

test('a type declaration stands behind the code it declares; a test in front where tests are asked for', () => {
  const declared = chunks(['a.d.ts', 'x'], ['a.ts', 'x']);
  assert.equal(
    rank(
      'x',
      [
        { id: 1, relevance: 1 },
        { id: 2, relevance: 1 },
      ],
      [],
      declared,
      10,
    )[0]?.chunk.path,
    'a.ts',
  );
  const tested = chunks(['test/a.ts', 'x'], ['a.ts', 'x']);
  assert.equal(rank('test of x', found(1, 2), [], tested, 10)[0]?.chunk.path, 'test/a.ts');
});
