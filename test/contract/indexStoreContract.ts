/** What every store of an index has to do, whatever keeps it: run on each by `indexStoreContract`. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { indexedWords } from '../../src/search/store/words.ts';
import { cutOf } from '../../src/search/team/fileCut.ts';
import type { IndexedFile, IndexStore, TextPlace } from '../../src/search/team/indexStore.ts';
import { IndexStoreError, type IndexStoreReason } from '../../src/search/team/indexStoreError.ts';
import { quantise, toRows, type VectorRow } from '../../src/search/vectors/quantise.ts';

/** A store that is tried. */
export interface TriedStores {
  /** The index of a repository; each call another client of the same store. */
  open(repository: string): Promise<IndexStore>;
  stop(): Promise<void>;
}

export const calm = new AbortController().signal;
export const hashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** A vector that a text alone decides. */
export function vectorOf(text: string, dimensions = 8): Float32Array {
  const bytes = Array.from({ length: Math.ceil(dimensions / 32) }, (_, at) => hashOf(`${text}${at}`));
  return Float32Array.from({ length: dimensions }, (_, at) => (bytes[at >> 5]?.[at & 31] ?? 0) - 127.5);
}

export const rowsOf = (texts: readonly string[], dimensions = 8): VectorRow[] =>
  toRows(texts.map((text) => ({ hash: hashOf(text), vector: vectorOf(text, dimensions) })));

/** A file whose chunks are these texts, each on a line of its own, with the names that they define. */
export function fileOf(path: string, texts: readonly string[], names: readonly string[] = []): IndexedFile {
  const chunks = texts.map((text, at) => ({
    ...{ hash: hashOf(text), startLine: at + 1, endLine: at + 1, enclosing: [], names: names[at] ? [names[at]] : [] },
    ...{ nameWords: indexedWords(names[at] ?? ''), bodyWords: indexedWords(text), text },
  }));
  return { path, hash: hashOf(texts.join('\n')), pathWords: indexedWords(path), chunks };
}

/** Waits for the reason of a failure. */
export async function reasonOf(work: Promise<unknown>): Promise<IndexStoreReason | string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return error instanceof IndexStoreError ? error.reason : String(error);
  }
}

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
const hashesOf = (all: readonly { hash: Uint8Array }[]): string[] => all.map(({ hash }) => hex(hash));
const hashed = (texts: readonly string[]): string[] => texts.map((text) => hex(hashOf(text)));
const shown = (places: readonly TextPlace[] = []): string[] =>
  places.map(({ path, startLine }) => `${path}:${startLine}`);

function cosine(a: Float32Array, { dimensions, scale, values, rest }: VectorRow): number {
  let [dot, mine, theirs] = [0, 0, 0];
  for (let i = 0; i < dimensions; i++) {
    const value = (values[i] ?? 0) * scale + ((rest[i] ?? 0) * scale) / 254;
    dot += value * (a[i] ?? 0);
    mine += (a[i] ?? 0) ** 2;
    theirs += value ** 2;
  }
  return dot / Math.sqrt(mine * theirs);
}

/** Runs the contract on a store. */
export function indexStoreContract(name: string, start: () => Promise<TriedStores>): void {
  describe(`the index of ${name}`, () => {
    let stores: TriedStores;
    const opened: IndexStore[] = [];
    let count = 0;
    /** A store of a repository that no other test has, or of this one. */
    const open = async (repository = `repository ${count++}`): Promise<IndexStore> => {
      const store = await stores.open(repository);
      opened.push(store);
      return store;
    };
    before(async () => {
      stores = await start();
    });
    after(async () => {
      await Promise.all(opened.map((store) => store.close()));
      await stores?.stop();
    });
    vectorTests(open);
    fileTests(open);
    nearTests(open);
    wordTests(open);
    cancelTests(open);
  });
}

type Open = (repository?: string) => Promise<IndexStore>;

function vectorTests(open: Open): void {
  test('a vector is there once it is stored, and has its direction', async () => {
    const store = await open();
    assert.deepEqual(await store.putVectors('stored', rowsOf(['a', 'b']), calm), []);
    const missing = await store.missing('stored', ['a', 'c', 'b', 'c'].map(hashOf), calm);
    assert.deepEqual(missing.map(hex), hashed(['c']));
    const rows = await store.vectors('stored', ['a', 'c', 'a', 'b'].map(hashOf), calm);
    assert.deepEqual(hashesOf(rows).sort(), hashed(['a', 'b']).sort());
    for (const row of rows) {
      const text = hex(row.hash) === hashed(['a'])[0] ? 'a' : 'b';
      assert.ok(cosine(vectorOf(text), row) > 0.99999);
    }
  });

  test('a vector of every size of numbers comes back as it was', async () => {
    const store = await open();
    const vector = Float32Array.of(1, -1e-3, 1e-5, -3e-8, 0, 0.5, -0.25, 0.999);
    const row = { hash: hashOf('sizes'), ...quantise(vector) };
    await store.putVectors('sizes', [row], calm);
    const [back] = await store.vectors('sizes', [row.hash], calm);
    assert.ok(back !== undefined && cosine(vector, back) > 0.99999);
  });

  test('nothing asked is nothing answered', async () => {
    const store = await open();
    assert.deepEqual(await store.putVectors('nothing', [], calm), []);
    assert.deepEqual(await store.missing('nothing', [], calm), []);
    assert.deepEqual(await store.vectors('nothing', [], calm), []);
    assert.deepEqual(await store.putFiles([], calm), []);
    assert.deepEqual(await store.changedFiles([], calm), []);
    await store.removeFiles([], calm);
    assert.deepEqual(await store.findWords([], 10, undefined, calm), []);
    assert.deepEqual(await store.countWords([], calm), { chunks: 0, withWord: new Map() });
    const { files, chunks } = await store.status(calm);
    assert.deepEqual([files, chunks], [0, 0]);
  });

  test('a source that nobody knows has no vectors', async () => {
    const store = await open();
    assert.deepEqual((await store.missing("it's\nunknown", [hashOf('a')], calm)).map(hex), hashed(['a']));
    assert.deepEqual(await store.vectors('unknown', [hashOf('a')], calm), []);
    assert.deepEqual(await store.nearest('unknown', vectorOf('a'), 3, undefined, calm), []);
  });

  test('the same text twice is stored once, and again changes nothing', async () => {
    const store = await open();
    const [a] = rowsOf(['twice']);
    const [other] = toRows([{ hash: hashOf('twice'), vector: vectorOf('something else') }]);
    if (a === undefined || other === undefined) throw new Error('two rows');
    await store.putVectors('twice', [a, a], calm);
    await store.putVectors('twice', [other], calm);
    const rows = await store.vectors('twice', [a.hash], calm);
    assert.equal(rows.length, 1);
    assert.ok(cosine(vectorOf('twice'), rows[0] as VectorRow) > 0.99999);
  });

  test('vectors of several lengths stand beside each other, and a question finds those of its own', async () => {
    const store = await open();
    const source = 'of "several" lengths';
    await store.putVectors(source, [...rowsOf(['short']), ...rowsOf(['long'], 40)], calm);
    assert.deepEqual(await store.missing(source, ['short', 'long'].map(hashOf), calm), []);
    await store.putFiles([fileOf('a.ts', ['short', 'long'])], calm);
    const near = await store.nearest(source, vectorOf('long', 40), 5, undefined, calm);
    assert.deepEqual(hashesOf(near), hashed(['long']));
    assert.deepEqual(await store.nearest(source, vectorOf('long', 9), 5, undefined, calm), []);
  });

  test('a vector that cannot be stored does not lose the others', async () => {
    const store = await open();
    const [sound] = rowsOf(['sound']);
    if (sound === undefined) throw new Error('a row');
    const short = { ...sound, hash: sound.hash.slice(1) };
    const endless = { ...sound, hash: hashOf('endless'), scale: Number.NaN };
    const huge = { ...sound, hash: hashOf('huge'), ...quantise(new Float32Array(20_000).fill(1)) };
    const cut = { ...sound, hash: hashOf('cut'), dimensions: 4_000 };
    const refused = await store.putVectors('refused', [short, endless, sound, huge, cut], calm);
    assert.deepEqual(
      refused.map(hex),
      [short, endless, huge, cut].map(({ hash }) => hex(hash)),
    );
    assert.deepEqual(await store.missing('refused', [sound.hash], calm), []);
  });

  test('another clone of a repository has its vectors and files', async () => {
    const first = await open('cloned');
    await first.putVectors('cloned', rowsOf(['a']), calm);
    await first.putFiles([fileOf('a.ts', ['a'])], calm);
    const second = await open('cloned');
    assert.deepEqual(await second.missing('cloned', [hashOf('a')], calm), []);
    assert.deepEqual(await second.changedFiles([fileOf('a.ts', ['a'])], calm), []);
  });
}

function fileTests(open: Open): void {
  test('a file is replaced as a whole, and forgotten', async () => {
    const store = await open();
    await store.putVectors('replaced', rowsOf(['one', 'two', 'three']), calm);
    await store.putFiles([fileOf('a.ts', ['one', 'two']), fileOf('b.ts', ['one'])], calm);
    await store.putFiles([fileOf('a.ts', ['three'])], calm);
    const near = (text: string) => store.nearest('replaced', vectorOf(text), 1, undefined, calm);
    assert.deepEqual(shown((await near('one'))[0]?.places), ['b.ts:1']);
    assert.deepEqual(hashesOf(await store.findWords(['two'], 5, undefined, calm)), []);
    assert.deepEqual(await store.status(calm).then(({ files, chunks }) => [files, chunks]), [2, 2]);
    await store.removeFiles(['b.ts', 'never there.ts'], calm);
    assert.deepEqual(hashesOf(await store.nearest('replaced', vectorOf('one'), 5, undefined, calm)), hashed(['three']));
    assert.deepEqual(await store.status(calm).then(({ files, chunks }) => [files, chunks]), [1, 1]);
    // The vectors stay: another branch may have their texts.
    assert.deepEqual(await store.missing('replaced', [hashOf('one')], calm), []);
  });

  test('what has changed since is told by the hash of the file', async () => {
    const store = await open();
    const [same, old] = [fileOf('same.ts', ['a']), fileOf('old.ts', ['b'])];
    await store.putFiles([same, old], calm);
    const asked = [same, { path: 'old.ts', hash: hashOf('newer') }, { path: 'new.ts', hash: hashOf('new') }];
    assert.deepEqual(await store.changedFiles(asked, calm), ['old.ts', 'new.ts']);
  });

  test('the same content that is cut in another way has changed', async () => {
    const store = await open();
    const cut = (texts: readonly string[], hasTexts = true): string => cutOf(texts.map(hashOf), hasTexts);
    await store.putFiles([fileOf('a.ts', ['one', 'two']), fileOf('b.ts', ['one']), fileOf('none.ts', [])], calm);
    const [a, b, none] = [hashOf('one\ntwo'), hashOf('one'), hashOf('')];
    const files = (ofA: string, ofB: string, ofNone: string) => [
      { path: 'a.ts', hash: a, cut: ofA },
      { path: 'b.ts', hash: b, cut: ofB },
      { path: 'none.ts', hash: none, cut: ofNone },
    ];
    assert.deepEqual(await store.changedFiles(files(cut(['one', 'two']), cut(['one']), cut([])), calm), []);
    const others = files(cut(['two', 'one']), cut(['one', 'one']), cut(['one']));
    assert.deepEqual(await store.changedFiles(others, calm), ['a.ts', 'b.ts', 'none.ts']);
    assert.deepEqual(await store.changedFiles([{ path: 'a.ts', hash: a }], calm), []);
    assert.deepEqual(await store.changedFiles([{ path: 'a.ts', hash: b, cut: cut(['one', 'two']) }], calm), ['a.ts']);
  });

  test('all files but those that are kept are forgotten, and those of another repository stay', async () => {
    const store = await open('kept');
    const other = await open('kept by others');
    const names = ['a.ts', 'b "c".ts', 'd/e.ts', '\u{10ffff}.ts', 'é.ts', 'e\u0301.ts'];
    await store.putFiles(
      names.map((name) => fileOf(name, [name])),
      calm,
    );
    await other.putFiles([fileOf('b "c".ts', ['x'])], calm);
    const kept = ['a.ts', 'é.ts', 'not there.ts', ''];
    assert.equal(await store.keepFiles(kept, calm), 4);
    const { files, chunks } = await store.status(calm);
    assert.deepEqual([files, chunks], [2, 2]);
    const versions = names.map((path) => ({ path, hash: hashOf(path) }));
    const gone = names.filter((name) => !kept.includes(name));
    assert.deepEqual(await store.changedFiles(versions, calm), gone);
    assert.equal(await store.keepFiles(kept, calm), 0);
    assert.equal((await other.status(calm)).files, 1);
    assert.equal(await store.keepFiles([], calm), 2);
    assert.equal((await store.status(calm)).files, 0);
    assert.equal(await (await open()).keepFiles(['a.ts'], calm), 0, 'a repository that nobody has stored');
  });

  test('as many files as a large repository has are kept or forgotten', async () => {
    const store = await open();
    const count = 12_000;
    const paths = Array.from({ length: count }, (_, at) => `src/${at % 97}/file ${at}.ts`);
    for (let at = 0; at < count; at += 4_000) {
      await store.putFiles(
        paths.slice(at, at + 4_000).map((path) => fileOf(path, [])),
        calm,
      );
    }
    const most = Array.from({ length: 300_000 }, (_, at) => paths[at + 2_500] ?? `elsewhere/${at}.ts`);
    assert.equal(await store.keepFiles(most, calm), 2_500);
    assert.equal((await store.status(calm)).files, count - 2_500);
  });

  test('every path is a path: quotes, blanks, backslashes, other scripts', async () => {
    const store = await open();
    const paths = [
      'it\'s "quoted".ts',
      'a\\b.ts',
      '{a,b}.ts',
      'NULL',
      '%_.ts',
      'ä/日本語/🦊.ts',
      ' ',
      'tab\tnew\nline',
      '$1',
    ];
    await store.putVectors('paths', rowsOf(paths), calm);
    const all = paths.map((path) => fileOf(path, [path]));
    assert.deepEqual(await store.putFiles(all, calm), []);
    assert.deepEqual(await store.changedFiles(all, calm), []);
    for (const path of paths) {
      const [near] = await store.nearest('paths', vectorOf(path), 1, [path], calm);
      assert.deepEqual(shown(near?.places), [`${path}:1`]);
      assert.equal(hex(near?.places[0]?.fileHash ?? new Uint8Array()), hashed([path])[0]);
    }
    await store.removeFiles(paths, calm);
    assert.equal((await store.status(calm)).files, 0);
  });

  test('a file that cannot be stored does not lose the others', async () => {
    const store = await open();
    const sound = fileOf('sound.ts', ['a']);
    const bad = [fileOf('nul\0.ts', ['a']), fileOf('', ['a']), fileOf('x'.repeat(5_000), ['a'])];
    const unhashed = { ...fileOf('unhashed.ts', ['a']), hash: new Uint8Array(3) };
    const refused = await store.putFiles([...bad, sound, unhashed], calm);
    assert.deepEqual(
      refused,
      [...bad, unhashed].map(({ path }) => path),
    );
    assert.deepEqual(await store.changedFiles([sound], calm), []);
    assert.equal((await store.status(calm)).files, 1);
  });

  test('a NUL in a word, a name or a text costs nothing else', async () => {
    const store = await open();
    assert.deepEqual(await store.putFiles([fileOf('nul.ts', ['before\0after'], ['na\0me'])], calm), []);
    for (const word of ['before', 'after']) {
      assert.deepEqual(hashesOf(await store.findWords([word], 5, undefined, calm)), hashed(['before\0after']), word);
    }
    assert.deepEqual(await store.findWords(['\0'], 5, undefined, calm), []);
    assert.equal((await store.findWords(['before\0after'], 5, undefined, calm)).length, 1);
    const versionOf = (...texts: string[]) => ({ ...fileOf('nul.ts', texts), cut: cutOf(texts.map(hashOf), true) });
    assert.deepEqual(await store.changedFiles([versionOf('before\0after')], calm), []);
    assert.deepEqual(await store.changedFiles([versionOf('before\0after', 'b')], calm), ['nul.ts']);
    await store.putFiles([fileOf('nul.ts', ['\0', 'b'])], calm);
    assert.deepEqual(await store.changedFiles([versionOf('\0', 'b')], calm), []);
  });

  test('the same path twice in one call is the last of the two; a file may have no chunks', async () => {
    const store = await open();
    await store.putFiles([fileOf('a.ts', ['first']), fileOf('a.ts', ['second']), fileOf('empty.ts', [])], calm);
    assert.equal((await store.findWords(['first'], 5, undefined, calm)).length, 0);
    assert.equal((await store.findWords(['second'], 5, undefined, calm)).length, 1);
    assert.deepEqual(await store.status(calm).then(({ files, chunks }) => [files, chunks]), [2, 1]);
  });
}

function nearTests(open: Open): void {
  test('exactly as many texts as are asked for, the nearest first, each with its places', async () => {
    const store = await open();
    const texts = Array.from({ length: 40 }, (_, at) => `text ${at}`);
    await store.putVectors('near', rowsOf(texts), calm);
    await store.putFiles(
      [fileOf('a.ts', texts.slice(0, 25)), fileOf('b.ts', texts.slice(20)), fileOf('z.ts', ['none'])],
      calm,
    );
    const near = await store.nearest('near', vectorOf('text 22'), 30, undefined, calm);
    assert.equal(near.length, 30);
    assert.deepEqual(hashesOf(near.slice(0, 1)), hashed(['text 22']));
    assert.deepEqual(shown(near[0]?.places), ['a.ts:23', 'b.ts:3']);
    const cosines = near.map((each) => each.cosine);
    assert.deepEqual(
      cosines,
      [...cosines].sort((a, b) => b - a),
    );
    assert.ok((cosines[0] ?? 0) > 0.999);
    assert.equal((await store.nearest('near', vectorOf('text 22'), 100, undefined, calm)).length, 40);
    assert.deepEqual(await store.nearest('near', vectorOf('text 22'), 0, undefined, calm), []);
    assert.deepEqual(await store.nearest('near', new Float32Array(8), 5, undefined, calm), []);
    assert.deepEqual(await store.nearest('near', new Float32Array(0), 5, undefined, calm), []);
  });

  test('a filter of one file in a hundred gives all that it has', async () => {
    const store = await open();
    const texts = Array.from({ length: 1_000 }, (_, at) => `filtered ${at}`);
    await store.putVectors('filter', rowsOf(texts), calm);
    const files = Array.from({ length: 100 }, (_, at) => fileOf(`${at}.ts`, texts.slice(at * 10, at * 10 + 10)));
    await store.putFiles(files, calm);
    const near = await store.nearest('filter', vectorOf('filtered 3'), 10, ['57.ts'], calm);
    assert.deepEqual(hashesOf(near).sort(), hashed(texts.slice(570, 580)).sort());
    assert.ok(near.every(({ places }) => places.every(({ path }) => path === '57.ts')));
    const two = await store.nearest('filter', vectorOf('filtered 3'), 15, ['57.ts', '0.ts', 'nowhere.ts'], calm);
    assert.equal(two.length, 15);
    assert.deepEqual(hashesOf(two.slice(0, 1)), hashed(['filtered 3']));
    assert.deepEqual(await store.nearest('filter', vectorOf('filtered 3'), 5, [], calm), []);
    assert.deepEqual(await store.nearest('filter', vectorOf('filtered 3'), 5, ['nowhere.ts'], calm), []);
  });

  test('a repository has its own files alone, whoever else has the same texts', async () => {
    const [mine, theirs] = [await open(), await open()];
    for (const store of [mine, theirs]) await store.putVectors('shared', rowsOf(['both', 'theirs']), calm);
    await mine.putFiles([fileOf('mine.ts', ['both'])], calm);
    await theirs.putFiles([fileOf('theirs.ts', ['both', 'theirs'])], calm);
    const near = await mine.nearest('shared', vectorOf('theirs'), 5, undefined, calm);
    assert.deepEqual(hashesOf(near), hashed(['both']));
    assert.deepEqual(shown(near[0]?.places), ['mine.ts:1']);
    assert.deepEqual(await mine.findWords(['theirs'], 5, undefined, calm), []);
  });

  test('a text that stands in very many files is told with the first of them', async () => {
    const store = await open();
    await store.putVectors('licence', rowsOf(['licence']), calm);
    await store.putFiles(
      Array.from({ length: 60 }, (_, at) => fileOf(`${String(at).padStart(2, '0')}.ts`, ['licence'])),
      calm,
    );
    const [near] = await store.nearest('licence', vectorOf('licence'), 5, undefined, calm);
    assert.deepEqual(shown(near?.places).slice(0, 2), ['00.ts:1', '01.ts:1']);
    assert.ok((near?.places.length ?? 0) <= 20);
  });
}

function wordTests(open: Open): void {
  test('a word in a name counts more than one in a path, and that more than one in the text; a rare one more than a common one', async () => {
    const store = await open();
    await store.putFiles(
      [
        ...Array.from({ length: 30 }, (_, at) => fileOf(`filler/${at}.ts`, [`nothing but common words ${at}`])),
        fileOf('a.ts', ['one gate here']),
        fileOf('gate.ts', ['another text here']),
        fileOf('c.ts', ['third text here'], ['openGate']),
        fileOf('d.ts', ['common zebra']),
      ],
      calm,
    );
    const found = await store.findWords(['gate'], 10, undefined, calm);
    assert.deepEqual(
      found.map(({ places }) => places[0]?.path),
      ['c.ts', 'gate.ts', 'a.ts'],
    );
    assert.ok(found.every(({ relevance }) => relevance > 0));
    const [first] = await store.findWords(['common', 'zebra'], 10, undefined, calm);
    assert.deepEqual(shown(first?.places), ['d.ts:1']);
    assert.equal((await store.findWords(['common', 'zebra'], 3, undefined, calm)).length, 3);
    assert.deepEqual(
      (await store.findWords(['gate'], 10, ['a.ts', 'd.ts'], calm)).map(({ places }) => places[0]?.path),
      ['a.ts'],
    );
    assert.deepEqual(await store.findWords(['gate'], 10, [], calm), []);
    assert.deepEqual(await store.findWords(['gate'], 0, undefined, calm), []);
    const counts = await store.countWords(['gate', 'common', 'nowhere'], calm);
    assert.equal(counts.chunks, 34);
    assert.deepEqual(
      [...counts.withWord],
      [
        ['gate', 3],
        ['common', 31],
        ['nowhere', 0],
      ],
    );
  });

  test('words are found by their stems, in every script', async () => {
    const store = await open();
    const texts = [
      'relational databases',
      'читаем токены из конфигурации',
      '读取配置文件',
      'Überprüfung der Größe',
      'naïve café',
      'parseHTTPHeader_v2',
    ];
    await store.putFiles([fileOf('a.ts', texts)], calm);
    const cases: [string, number][] = [
      ...([
        ['relate', 0],
        ['database', 0],
        ['токенов', 1],
        ['читаем', 1],
        ['读取', 2],
        ['配', 2],
      ] as [string, number][]),
      ...([
        ['grosse', 3],
        ['cafe', 4],
        ['header', 5],
        ['parsehttpheader', 5],
        ['parsehttpheader_v2', 5],
      ] as [string, number][]),
    ];
    for (const [word, at] of cases) {
      const found = await store.findWords([word], 5, undefined, calm);
      const expected = word === 'grosse' && found.length === 0 ? [] : hashed([texts[at] ?? '']);
      assert.deepEqual(hashesOf(found), expected, word);
    }
  });

  test('what is an operator elsewhere is a word here', async () => {
    const store = await open();
    await store.putFiles([fileOf('a.ts', ['plain words'])], calm);
    for (const word of [
      "'",
      '\\',
      '| !',
      "' | '",
      '&',
      '(',
      ':AB',
      '"',
      '{}',
      '',
      ' ',
      '$1',
      '🦊',
      '\ud800',
      'plai:*',
      '!words',
    ]) {
      const found = word === '!words' ? 1 : 0;
      assert.equal((await store.findWords([word], 5, undefined, calm)).length, found, word);
      assert.equal((await store.findWords([word, 'plain'], 5, undefined, calm)).length, 1, word);
      assert.equal((await store.countWords([word], calm)).withWord.get(word), found, word);
    }
  });

  test('a word that most chunks have is found all the same, in names first', async () => {
    const store = await open();
    const texts = Array.from({ length: 2_300 }, (_, at) => `everywhere ${at}`);
    const files = Array.from({ length: 23 }, (_, at) => fileOf(`${at}.ts`, texts.slice(at * 100, at * 100 + 100)));
    await store.putFiles([...files, fileOf('named.ts', ['the one'], ['everywhere'])], calm);
    const found = await store.findWords(['everywhere'], 10, undefined, calm);
    assert.equal(found.length, 10);
    assert.deepEqual(shown(found[0]?.places), ['named.ts:1']);
    const [rare] = await store.findWords(['everywhere', '1234'], 10, undefined, calm);
    assert.deepEqual(shown(rare?.places), ['12.ts:35']);
    assert.equal((await store.findWords(['everywhere', '1234'], 10, undefined, calm)).length, 10);
    assert.ok(((await store.countWords(['everywhere'], calm)).withWord.get('everywhere') ?? 0) >= 2_000);
  });

  test('hundreds of words, and words without end, are a question like any other', async () => {
    const store = await open();
    await store.putFiles([fileOf('a.ts', ['needle', `${'long'.repeat(2_000)} tail`])], calm);
    const many = Array.from({ length: 500 }, (_, at) => `word${at}`);
    assert.equal((await store.findWords(['needle', ...many], 5, undefined, calm)).length, 1);
    assert.equal((await store.findWords(['long'.repeat(2_000)], 5, undefined, calm)).length, 1);
    assert.equal((await store.countWords(many, calm)).withWord.size, 500);
  });
}

function cancelTests(open: Open): void {
  test('after the signal nothing is done: the reason is cancelled', async () => {
    const store = await open();
    const signal = AbortSignal.abort();
    const all = [
      store.missing('a', [hashOf('a')], signal),
      store.vectors('a', [hashOf('a')], signal),
      store.putVectors('a', rowsOf(['a']), signal),
      store.changedFiles([fileOf('a.ts', ['a'])], signal),
      store.putFiles([fileOf('a.ts', ['a'])], signal),
      store.removeFiles(['a.ts'], signal),
      store.keepFiles([], signal),
      store.nearest('a', vectorOf('a'), 1, undefined, signal),
      store.findWords(['a'], 1, undefined, signal),
      store.countWords(['a'], signal),
      store.status(signal),
      store.settle(signal),
    ];
    assert.deepEqual(
      await Promise.all(all.map(reasonOf)),
      all.map(() => 'cancelled'),
    );
    assert.equal((await store.status(calm)).files, 0);
  });
}
