import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTerms } from '../../../../src/search/query/queryTerms.ts';
import { type Reader, rank } from '../../../../src/search/query/ranking.ts';
import type { ChunkOutline } from '../../../../src/search/store/files/chunkReader.ts';
import { definedNames } from '../../../../src/syntax/lines/definedNames.ts';

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

/** Hits by meaning in this order, the last one far. */
const near = (...ids: number[]) => ids.map((id, index) => ({ id, cosine: 0.8 - (0.4 * index) / ids.length }));

test('a chunk that both halves find stands before one that only one half finds first', () => {
  const read = chunks(['a.ts', 'x'], ['b.ts', 'x'], ['c.ts', 'x'], ['d.ts', 'x']);
  const ranked = rank({ text: 'x y', words: found(1, 2), meaning: near(3, 2, 4) }, read, 10);
  assert.deepEqual(
    ranked.map((hit) => [hit.chunk.path, hit.why]),
    [
      ['b.ts', 'both'],
      ['c.ts', 'meaning'],
      ['a.ts', 'words'],
      ['d.ts', 'meaning'],
    ],
  );
});

test('the definition of what is asked for stands before its use', () => {
  const read = chunks(['use.ts', 'const a = loadTable(1);'], ['load.ts', 'export function loadTable() {}']);
  assert.equal(rank({ text: 'load table', words: found(1, 2), meaning: [] }, read, 10)[0]?.chunk.path, 'load.ts');
});

test('a file in which words of the question stand side by side comes before one that is about as good', () => {
  const read = chunks(['a.ts', 'x'], ['b.ts', 'x'], ['c.ts', 'x']);
  const adjacent = new Map([[2, 1]]);
  const ranked = rank({ text: 'night gate', words: found(1, 2, 3), adjacent, meaning: [] }, read, 10);
  assert.equal(ranked[0]?.chunk.path, 'b.ts');
});

test('a name counts by its share of the question: in a sentence about something else it is not first for being named', () => {
  const read = chunks(['use.ts', 'listChildNodes();'], ['dom.ts', 'class TextNode {}']);
  const words = [
    { id: 1, relevance: 10 },
    { id: 2, relevance: 1 },
  ];
  const [first] = rank(
    { text: 'children of elements below each TextNode, newest first', words, meaning: [] },
    read,
    10,
  );
  assert.equal(first?.chunk.path, 'use.ts');
  assert.equal(rank({ text: 'TextNode', words, meaning: [] }, read, 10)[0]?.chunk.path, 'dom.ts');
});

test('a file named like the question stands before one that is not; a test stands behind', () => {
  const named = chunks(['other.ts', 'x'], ['rate-limit.go', 'x']);
  assert.equal(
    rank({ text: 'rate limits', words: found(1, 2), meaning: [] }, named, 10)[0]?.chunk.path,
    'rate-limit.go',
  );
  const tested = chunks(['test/a.ts', 'x'], ['a.ts', 'x']);
  assert.equal(rank({ text: 'x', words: found(1, 2), meaning: [] }, tested, 10)[0]?.chunk.path, 'a.ts');
});

test('the further hits of a file stand behind those of others that are about as good', () => {
  const read = chunks(['a.ts', 'x'], ['a.ts', 'x'], ['a.ts', 'x'], ['a.ts', 'x'], ['b.ts', 'x'], ['c.ts', 'x']);
  const paths = rank({ text: 'x', words: found(1, 2, 3, 4, 5, 6), meaning: [] }, read, 10).map((hit) => hit.chunk.path);
  assert.deepEqual(paths, ['a.ts', 'a.ts', 'b.ts', 'c.ts', 'a.ts', 'a.ts']);
  assert.equal(rank({ text: 'x', words: found(1, 2, 3, 4, 5), meaning: [] }, read, 3).length, 3);
});

test('copies of a file in other folders do not fill the top', () => {
  const copy = 'export function landZeppelin() {}';
  const read = chunks(['v1/a.ts', copy], ['v2/a.ts', copy], ['v3/a.ts', copy], ['b.ts', 'zeppelin']);
  const found = [10, 10, 10, 9].map((relevance, index) => ({ id: index + 1, relevance }));
  const paths = rank({ text: 'mast of the zeppelin', words: found, meaning: near(4) }, read, 10).map(
    (hit) => hit.chunk.path,
  );
  assert.equal(paths.at(-1), 'v3/a.ts');
});

test('a file with several good hits stands before one with a single one that is a little better', () => {
  const read = chunks(['small.ts', 'x'], ['large.ts', 'x'], ['large.ts', 'x'], ['large.ts', 'x']);
  assert.equal(rank({ text: 'x', words: found(1, 2, 3, 4), meaning: [] }, read, 10)[0]?.chunk.path, 'large.ts');
});

test('the very name that is asked for is first, whatever the vectors say', () => {
  const read = chunks(
    ['session.py', 'def session():'],
    ['store.py', 'class Session:'],
    ['a.py', 'x'],
    ['test/session.py', 'class Session:'],
  );
  const ranked = rank({ text: 'Session', words: found(3, 1, 2, 4), meaning: near(3, 1) }, read, 10);
  assert.deepEqual(
    ranked.slice(0, 2).map(({ chunk, why }) => [chunk.path, why]),
    [
      ['store.py', 'definition'],
      ['session.py', 'definition'],
    ],
  );
});

test('rare words tell more than common ones', () => {
  const read = chunks(['a.ts', 'function getCookieName() {'], ['b.ts', 'function xsrfCookie() {']);
  const counts = {
    chunks: 1000,
    withWord: new Map([
      ['xsrf', 1],
      ['cookie', 300],
      ['get', 700],
    ]),
  };
  const text = 'get the xsrf cookie';
  const words = found(1, 2);
  assert.equal(rank({ text, words, meaning: [], counts }, read, 10)[0]?.chunk.path, 'b.ts');
});

test('a file called like many others is meant by its folder; a name is not meant by words that it has besides', () => {
  const general = chunks(['other/thing.ts', 'x'], ['router/index.ts', 'x']);
  const question = { text: 'router of x', words: found(1, 2), meaning: [] };
  assert.equal(rank(question, general, 10)[0]?.chunk.path, 'router/index.ts');
  const longer = chunks(['mapper.async.ts', 'x'], ['mapper.ts', 'x']);
  assert.equal(rank({ ...question, text: 'mapper' }, longer, 10)[0]?.chunk.path, 'mapper.ts');
});

test('a hit shows the line that has most of the words', () => {
  const read = chunks(['a.ts', '// about\nconst other = 1;\nretryAfterDelay(delay);\nend();']);
  const [hit] = rank({ text: 'retry after a delay', words: found(1), meaning: [] }, read, 10);
  assert.equal(hit?.line, 12);
  assert.equal(hit?.preview, 'retryAfterDelay(delay);');
});

test('a chunk that was removed in between is left out', () => {
  assert.deepEqual(rank({ text: 'x', words: found(1), meaning: near(2) }, chunks(), 10), []);
});

test('what defines the name that is asked for says so, and stands before what only has the words', () => {
  const read = chunks(
    ['gate.ts', 'open the lock of the gate, then open the gate'],
    ['lock.ts', 'export async function openGateLock(gate) {\n}'],
  );
  const ranked = rank({ text: 'open the lock of the gate', words: found(1, 2), meaning: [] }, read, 10);
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

test('for a name as it stands in code, words weigh more than meaning; for a sentence, less than the one hit that is near', () => {
  const read = chunks(['a.ts', 'x'], ['b.ts', 'x']);
  assert.equal(rank({ text: 'tideTable()', words: found(1), meaning: near(2) }, read, 10)[0]?.chunk.path, 'a.ts');
  assert.equal(rank({ text: 'where are tides', words: found(1), meaning: near(2) }, read, 10)[0]?.chunk.path, 'b.ts');
});

test('a type declaration stands behind the code it declares; a test in front where tests are asked for', () => {
  const declared = chunks(['a.d.ts', 'x'], ['a.ts', 'x']);
  assert.equal(
    rank(
      {
        text: 'x',
        words: [
          { id: 1, relevance: 1 },
          { id: 2, relevance: 1 },
        ],
        meaning: [],
      },
      declared,
      10,
    )[0]?.chunk.path,
    'a.ts',
  );
  const tested = chunks(['test/a.ts', 'x'], ['a.ts', 'x']);
  assert.equal(rank({ text: 'test of x', words: found(1, 2), meaning: [] }, tested, 10)[0]?.chunk.path, 'test/a.ts');
});

test('a hit with but a few of the words is weak beside one with all of them, not beside others like it', () => {
  const read = chunks(['a.ts', 'x'], ['b.ts', 'x'], ['c.ts', 'x']);
  const weak = (...relevances: number[]): boolean[] => {
    const words = relevances.map((relevance, index) => ({ id: index + 1, relevance }));
    return rank({ text: 'some words', words, meaning: near(3) }, read, 10)
      .sort((one, other) => one.chunk.id - other.chunk.id)
      .map(({ isWeak }) => isWeak);
  };
  assert.deepEqual(weak(10, 1, 1), [false, true, false], 'what is found by meaning, too, is not weak');
  assert.deepEqual(weak(10, 8, 7), [false, false, false]);
});

test('the lines that show why are told, the best one apart from those that only point elsewhere', () => {
  const text = "import { readTide } from './tide';\n\nfunction readTide(port) {\n  return tide;\n}";
  const [hit] = rank({ text: 'read the tide', words: found(1), meaning: [] }, chunks(['a.ts', text]), 10);
  assert.deepEqual([hit?.line, hit?.preview, hit?.lines], [12, 'function readTide(port) {', [12]]);
});

test('of a long text, such as code that is searched for, the rarest words are looked at', () => {
  const text = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ');
  const withWord = new Map(Array.from({ length: 1_000 }, (_, index) => [`word${index}`, index]));
  const { words } = readTerms(text, { chunks: 1_000, withWord });
  assert.equal(words.size, 40);
  assert.ok(words.has('word1') && !words.has('word999'));
});

test('what one half has first stands before what both have far behind', () => {
  const read = chunks(...Array.from({ length: 40 }, (_, index): [string, string] => [`f${index + 1}.ts`, 'x']));
  const others = (from: number): number[] => Array.from({ length: 18 }, (_, index) => from + index);
  const words = [1, ...others(3), 2].map((id, index) => ({ id, relevance: 10 - index / 4 }));
  const ranked = rank({ text: 'x y', words, meaning: near(...others(22), 2) }, read, 40);
  const at = (path: string): number => ranked.findIndex(({ chunk }) => chunk.path === path);
  assert.ok(at('f1.ts') < at('f2.ts'), `${at('f1.ts')} ${at('f2.ts')}`);
});

/** Chunks that say for themselves what they declare. */
function declared(...all: [path: string, names: Pick<ChunkOutline, 'names' | 'types' | 'mentions'>][]): Reader {
  const read = chunks(...all.map(([path]): [string, string] => [path, 'x']));
  return {
    ...read,
    outline: (id) => {
      const chunk = read.outline(id);
      return chunk && { ...chunk, ...all[id - 1]?.[1] };
    },
  };
}

const firstOf = (text: string, read: Reader): string | undefined =>
  rank({ text, words: found(1, 2, 3), meaning: [] }, read, 10)[0]?.chunk.path;

test('of the declarations of a name, the type’s own is first, before a constructor, an implementation and a field', () => {
  const names = ['Serialize'];
  const others = declared(
    ['impls.rs', { names, mentions: names }],
    ['make.rs', { names }],
    ['ser.rs', { names, types: names }],
  );
  assert.equal(firstOf('Serialize', others), 'ser.rs');
  const withoutType = declared(
    ['field.rs', { names, mentions: names }],
    ['use.rs', { names: [] }],
    ['make.rs', { names }],
  );
  assert.equal(firstOf('Serialize', withoutType), 'make.rs');
  // Where nothing else declares it, a field is what is asked for.
  const field = declared(['use.rs', { names: [] }], ['b.rs', { names: [] }], ['field.rs', { names, mentions: names }]);
  assert.equal(firstOf('Serialize', field), 'field.rs');
});

test('a name of capitals before a word is a name in a sentence', () => {
  const read = declared(
    ['use.py', { names: [] }],
    ['b.py', { names: [] }],
    ['core.py', { names: ['IDNAError'], types: ['IDNAError'] }],
  );
  assert.equal(firstOf('IDNAError raised here', read), 'core.py');
  for (const name of ['ACursor', 'URLSession', 'IDNAError'])
    assert.ok(readTerms(`how a ${name} works`).symbols.has(name));
  for (const word of ['APIs', 'URLs', 'HTTP', 'Serde']) assert.ok(!readTerms(`how the ${word} work`).symbols.has(word));
});

test('a path begins the word of a question from three letters on', () => {
  const read = chunks(['other.rs', 'x'], ['arg.rs', 'x'], ['ar.rs', 'x']);
  assert.equal(firstOf('argument of a command', read), 'arg.rs');
});

test('a word that many files are called by says little of one of them', () => {
  const same = [1, 2, 3, 4, 5].map((at): [string, string] => [`operator${at}/operators.ts`, 'x']);
  const read = chunks(...same, ['pluck.ts', 'x']);
  const text = 'operators that pluck';
  assert.equal(rank({ text, words: found(1, 2, 3, 4, 5, 6), meaning: [] }, read, 10)[0]?.chunk.path, 'pluck.ts');
});

test('a hit by meaning alone has the name of its file counted, too', () => {
  const read = chunks(['words.ts', 'x'], ['rate-limit.ts', 'x'], ['plain.ts', 'x'], ['last.ts', 'x']);
  const meaning = [0.8, 0.76, 0.4].map((cosine, at) => ({ id: [3, 2, 4][at] ?? 0, cosine }));
  const ranked = rank({ text: 'rate limit', words: found(1), meaning }, read, 10);
  const scoreOf = (path: string): number => ranked.find((hit) => hit.chunk.path === path)?.score ?? 0;
  assert.ok(scoreOf('rate-limit.ts') > scoreOf('plain.ts'));
});
