import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { openStore, type Store } from '../../../../src/search/store/store.ts';
import { createNearestSearch } from '../../../../src/search/vectors/nearest.ts';
import { normalise, toRows } from '../../../../src/search/vectors/quantise.ts';
import { openVectorFiles } from '../../../../src/search/vectors/vectorFiles.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';
import { numbersOf, put, root, vectorOf, writeVectors } from '../../../support/searchVectors.ts';

function opened(t: TestContext, directory = temporaryFolder(t)): Store {
  const store = openStore(directory);
  t.after(() => store.close());
  return store;
}

/** An index of so many files, each with a vector, closed. */
function filled(t: TestContext, count = 40): string {
  const directory = temporaryFolder(t);
  const store = openStore(directory);
  writeVectors(store, numbersOf(0, count));
  store.close();
  return directory;
}

/** The number of the file that is found for the vector of this one. */
function found(store: Store, number: number, files?: readonly number[]): string | undefined {
  const [nearest] = store.findNearest(store.space('m'), vectorOf(number), 1, files);
  return nearest && nearest.cosine > 0.99 ? store.chunk(nearest.id)?.path : undefined;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('the nearest chunks', () => {
  test('are found among many, by their own vector', (t) => {
    const store = opened(t, filled(t));
    for (const number of numbersOf(0, 40)) assert.equal(found(store, number), `${number}.ts`);
  });

  test('are those whose text is still in a file, even when most are not', (t) => {
    const directory = filled(t, 400);
    const store = opened(t, directory);
    store.removeFiles(
      root,
      numbersOf(0, 390).map((number) => `${number}.ts`),
    );
    const hits = store.findNearest(store.space('m'), vectorOf(3), 10);
    assert.deepEqual(
      hits.map((hit) => store.chunk(hit.id)?.path).sort(),
      numbersOf(390, 10).map((n) => `${n}.ts`),
    );
  });

  test('are those of the files asked for, and follow what another window changes', (t) => {
    const directory = filled(t);
    const [one, two] = [opened(t, directory), opened(t, directory)];
    const files = [7, 9].map((number) => one.fileId(root, `${number}.ts`) ?? 0);
    assert.equal(found(one, 9, files), '9.ts');
    assert.equal(found(one, 8, files), undefined);
    assert.equal(one.findNearest(one.space('m'), vectorOf(8), 10, files).length, 2);
    two.removeFiles(root, ['9.ts']);
    assert.equal(found(one, 9, files), undefined);
    assert.equal(one.findNearest(one.space('m'), vectorOf(8), 10, files).length, 1);
  });

  test('are the same with SIMD and without', async () => {
    const { createNearestSearch } = await import('../../../../src/search/vectors/nearest.ts');
    const { createKernel } = await import('../../../../src/search/vectors/kernel/kernel.ts');
    const { openVectorFiles } = await import('../../../../src/search/vectors/vectorFiles.ts');
    const t = { after: (): void => undefined } as unknown as TestContext;
    const directory = temporaryFolder(t);
    try {
      const files = openVectorFiles(join(directory, 'v'), 64);
      const vectors = numbersOf(0, 2_000).map((number) => ({ hash: new Uint8Array(32), vector: vectorOf(number) }));
      files.write(0, toRows(vectors));
      const [simd, plain] = [createKernel('simd'), createKernel('plain')].map((each) =>
        createNearestSearch(files, each),
      );
      for (const { vector } of vectors.slice(0, 50)) {
        assert.deepEqual(simd?.find(vector, 10, 2_000), plain?.find(vector, 10, 2_000));
      }
      files.close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('what is damaged on the disk', () => {
  const file = (directory: string, ending: string): string => join(directory, `vectors-1.${ending}`);

  function flip(path: string, at: number): void {
    const descriptor = openSync(path, 'r+');
    const byte = Buffer.alloc(1);
    readSync(descriptor, byte, 0, 1, at);
    byte[0] = (byte[0] ?? 0) ^ 0x55;
    writeSync(descriptor, byte, 0, 1, at);
    closeSync(descriptor);
  }
  const size = (path: string): number => readFileSync(path).length;

  for (const ending of ['values', 'rest']) {
    test(`a flipped byte in .${ending} costs one vector, which is asked for again`, async (t) => {
      const directory = filled(t);
      const path = file(directory, ending);
      flip(path, Math.floor(size(path) / 40) * 20 + 50);
      const store = opened(t, directory);
      const space = store.space('m');
      found(store, 1);
      await until(() => store.damaged(space) === 1);
      const missing = [...store.itemsWithout(space)];
      assert.equal(missing.length, 1);
      assert.equal(found(store, 20), undefined);
      assert.equal(found(store, 21), '21.ts');
      store.putVectors(space, toRows([{ hash: missing[0]?.hash ?? new Uint8Array(), vector: vectorOf(20) }]));
      assert.equal(found(store, 20), '20.ts');
      assert.equal(store.damaged(space), 0);
    });

    for (const [name, cut] of Object.entries({ truncated: 0.5, empty: 0, missing: undefined })) {
      test(`a .${ending} that is ${name} costs what is not in it, and is noticed at the first question`, (t) => {
        const directory = filled(t);
        const path = file(directory, ending);
        if (cut === undefined) rmSync(path);
        else truncateSync(path, size(path) * cut + 5);
        const store = opened(t, directory);
        const space = store.space('m');
        const left = cut === undefined ? 0 : 40 * cut;
        assert.equal(found(store, 1), left > 1 ? '1.ts' : undefined);
        assert.equal(store.damaged(space), 40 - left);
        const missing = [...store.itemsWithout(space)];
        assert.equal(missing.length, 40 - left);
        store.putVectors(
          space,
          toRows(
            missing.map(({ hash, text }) => ({
              hash,
              vector: vectorOf(Number(/\d+/.exec(text.split('\n\n')[1] ?? '')?.[0])),
            })),
          ),
        );
        for (const number of numbersOf(0, 40)) assert.equal(found(store, number), `${number}.ts`);
        assert.equal(store.damaged(space), 0);
      });
    }
  }

  for (const [name, cut] of Object.entries({ truncated: 0.5, empty: 0, missing: undefined })) {
    test(`a .bits that is ${name} costs nothing: it is made again from the values`, (t) => {
      const directory = filled(t);
      const path = file(directory, 'bits');
      const before = readFileSync(path);
      if (cut === undefined) rmSync(path);
      else truncateSync(path, before.length * cut + 5);
      const store = opened(t, directory);
      for (const number of numbersOf(0, 40)) assert.equal(found(store, number), `${number}.ts`);
      assert.deepEqual(readFileSync(path), before);
      assert.equal(store.amountWithout(store.space('m')).chunks, 0);
    });
  }

  test('a flipped byte in .bits is put right', async (t) => {
    const directory = filled(t);
    const path = file(directory, 'bits');
    const before = readFileSync(path);
    flip(path, 100);
    const store = opened(t, directory);
    found(store, 1);
    await until(() => readFileSync(path).equals(before));
    assert.equal(store.amountWithout(store.space('m')).chunks, 0);
  });

  test('of the database of the vectors costs nothing: the files say themselves what they hold', (t) => {
    const directory = filled(t);
    writeFileSync(join(directory, 'vectors.db'), 'this is no database, '.repeat(300));
    const store = opened(t, directory);
    assert.equal(store.amountWithout(store.space('m')).chunks, 0);
    for (const number of numbersOf(0, 40)) assert.equal(found(store, number), `${number}.ts`);
    assert.ok(existsSync(join(directory, 'vectors.db.damaged')));
  });

  test('of the label beside the files, too, costs the vectors, and the index goes on', (t) => {
    const directory = filled(t);
    writeFileSync(join(directory, 'vectors.db'), 'this is no database, '.repeat(300));
    writeFileSync(join(directory, 'vectors-1.json'), '{"key":');
    const store = opened(t, directory);
    assert.equal(store.amountWithout(store.space('m')).chunks, 40);
    assert.equal(found(store, 1), undefined);
  });

  test('in the middle of a database is found by a thorough look; the vectors stay', (t) => {
    const directory = filled(t);
    const path = join(directory, 'index.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x5a, 8_192, bytes.length - 4_096));
    const store = openStore(directory, true);
    t.after(() => store.close());
    assert.equal(store.counts().files, 0);
    for (const number of numbersOf(0, 40)) put(store, number);
    assert.equal(store.amountWithout(store.space('m')).chunks, 0);
  });
});

describe('vectors that were paid for', () => {
  test('outlive another schema', (t) => {
    const directory = filled(t);
    const database = new DatabaseSync(join(directory, 'index.db'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    const store = opened(t, directory);
    assert.equal(store.counts().files, 0);
    for (const number of numbersOf(0, 40)) put(store, number);
    assert.equal(store.amountWithout(store.space('m')).chunks, 0);
    assert.equal(found(store, 5), '5.ts');
  });

  test('an index of another schema stays as it is until the one beside it is whole and nobody has either open', (t) => {
    const directory = filled(t);
    const [current, next] = [join(directory, 'index.db'), join(directory, 'index.next.db')];
    const old = new DatabaseSync(current);
    old.exec('PRAGMA user_version = 99');
    const countOld = () => old.prepare('SELECT count(*) AS files FROM files').get()?.['files'];
    const first = openStore(directory);
    for (const number of numbersOf(0, 40)) put(first, number);
    assert.deepEqual([countOld(), first.counts().files, existsSync(next)], [40, 40, true]);
    first.close();
    const again = openStore(directory);
    assert.equal(again.counts().files, 40);
    again.setMeta('rules', 'all files were looked at');
    again.close();
    // The window with the other version is still open.
    openStore(directory).close();
    assert.deepEqual([countOld(), existsSync(next)], [40, true]);
    old.close();
    const swapped = opened(t, directory);
    assert.deepEqual([swapped.counts().files, existsSync(next)], [40, false]);
    assert.equal(swapped.amountWithout(swapped.space('m')).chunks, 0);
    assert.equal(found(swapped, 5), '5.ts');
    const version = new DatabaseSync(current).prepare('PRAGMA user_version').get()?.['user_version'];
    assert.notEqual(version, 99);
  });

  test('an index built beside another is removed where that was damaged and made anew, once nobody has it open', (t) => {
    const directory = filled(t);
    const [current, next] = [join(directory, 'index.db'), join(directory, 'index.next.db')];
    const old = new DatabaseSync(current);
    old.exec('PRAGMA user_version = 99');
    old.close();
    const window = openStore(directory);
    writeFileSync(current, 'this is no database, '.repeat(300));
    openStore(directory).close();
    openStore(directory).close();
    assert.equal(existsSync(next), true, 'a window has it open');
    window.close();
    const store = opened(t, directory);
    assert.equal(existsSync(next), false);
    for (const number of numbersOf(0, 40)) put(store, number);
    assert.equal(store.amountWithout(store.space('m')).chunks, 0);
  });

  test('of another length get a space of their own; those of before are found as before', (t) => {
    const store = opened(t, filled(t));
    const first = store.space('m');
    put(store, 40);
    const items = [...store.itemsWithout(first)].map(({ hash }) => ({ hash, vector: vectorOf(40, 32) }));
    assert.throws(() => store.putVectors(first, toRows(items)), { kind: 'malformed', hint: 'another length' });
    assert.equal(store.findNearest(first, vectorOf(5), 1)[0]?.id, store.findNearest(first, vectorOf(5), 9)[0]?.id);
    assert.equal(found(store, 5), '5.ts');
    const next = store.space('m');
    assert.notEqual(next, first);
    assert.equal(store.amountWithout(next).chunks, 40, 'what came back is not asked for again');
    assert.equal(store.findNearest(next, vectorOf(40, 32), 5).length, 1);
  });

  for (const [name, bad] of Object.entries({ 'not finite': Number.NaN, zero: 0 })) {
    test(`are refused as ${name}, and what is there stays`, (t) => {
      const store = opened(t, filled(t));
      const space = store.space('m');
      put(store, 40);
      const [item] = store.itemsWithout(space);
      assert.ok(item);
      const vector = new Float32Array(64).fill(bad);
      assert.throws(() => store.putVectors(space, toRows([{ hash: item.hash, vector }])), {
        kind: 'malformed',
        hint: name,
      });
      assert.equal(store.amountWithout(space).chunks, 1);
      for (const number of numbersOf(0, 40)) assert.equal(found(store, number), `${number}.ts`);
    });
  }

  test('on a full disk end the run with nothing half stored, and the rest is found', {
    skip: !existsSync('/dev/full'),
  }, (t) => {
    const directory = filled(t);
    const path = join(directory, 'vectors-1.rest');
    const kept = readFileSync(path);
    rmSync(path);
    symlinkSync('/dev/full', path);
    const full = openStore(directory);
    put(full, 40);
    const items = [...full.itemsWithout(full.space('m'))].map(({ hash }) => ({ hash, vector: vectorOf(40) }));
    assert.throws(() => full.putVectors(full.space('m'), toRows(items)), { code: 'ENOSPC' });
    full.close();
    rmSync(path);
    writeFileSync(path, kept);
    const store = opened(t, directory);
    for (const number of numbersOf(0, 41)) assert.equal(found(store, number), number < 40 ? `${number}.ts` : undefined);
  });

  test('of two processes that write at the same time are all found by both', async (t) => {
    const directory = temporaryFolder(t);
    const script = join(import.meta.dirname, '../../../support/searchVectors.ts');
    const children = ['0', '100'].map((first) =>
      spawn(process.execPath, [script, directory, first], { stdio: ['ignore', 'ignore', 'inherit'] }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
    assert.deepEqual(codes, [0, 0]);
    const store = opened(t, directory);
    for (const number of numbersOf(0, 200)) assert.equal(found(store, number), `${number}.ts`);
    assert.equal(store.amountWithout(store.space('m')).chunks, 0);
  });
});

describe('a search by signs first', () => {
  /** Numbers that look like chance, spread normally enough: the same in every run. */
  function noise(seed: number, dimensions: number): Float32Array {
    let state = seed * 7919 + 1;
    const next = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647 - 0.5;
    };
    return Float32Array.from({ length: dimensions }, () => next() + next() + next());
  }
  const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

  for (const dimensions of [128, 4_480]) {
    test(`finds the nearest of a question that nothing is near to, of ${dimensions} numbers`, (t) => {
      const vectors = numbersOf(0, 4_000).map((number) => normalise(noise(number, dimensions)));
      const files = openVectorFiles(join(temporaryFolder(t), 'vectors'), dimensions);
      t.after(() => files.close());
      files.write(0, toRows(vectors.map((vector) => ({ hash: new Uint8Array(32), vector }))));
      const search = createNearestSearch(files);
      let missed = 0;
      for (const number of numbersOf(10_000, 20)) {
        const question = normalise(noise(number, dimensions));
        const cosines = vectors.map((vector) => dot(vector, question));
        const truth = [...vectors.keys()].sort((a, b) => (cosines[b] as number) - (cosines[a] as number)).slice(0, 10);
        const found = new Set(search.find(question, 10, vectors.length).map(({ slot }) => slot));
        missed += truth.filter((slot) => !found.has(slot)).length;
      }
      assert.ok(missed <= 4, `${missed} of 200`);
    });
  }
});
