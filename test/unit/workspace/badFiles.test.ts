import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { decode } from '../../../src/base/encoding/decode.ts';
import { isCancelled } from '../../../src/base/errors.ts';
import { scanAll, scanSome } from '../../../src/search/indexing/scan.ts';
import { openStore } from '../../../src/search/store/store.ts';
import type { Scope } from '../../../src/workspace/fileFilter.ts';
import { createFilter } from '../../../src/workspace/fileFilter.ts';
import { examineFile } from '../../../src/workspace/fileList.ts';
import { gitPaths } from '../../../src/workspace/git/git.ts';
import { walk } from '../../../src/workspace/walk.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const never = new AbortController().signal;

function write(root: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function opened(t: TestContext, settings: Partial<Scope> = {}) {
  const root = temporaryFolder(t);
  const scope: Scope = { roots: [root], maxBytes: 1024 * 1024, ...settings };
  const store = openStore(temporaryFolder(t));
  t.after(() => store.close());
  const scan = (): Promise<void> => scanAll(store, scope, never, () => undefined);
  const filter = createFilter(root, scope, new Map());
  return { root, scope, store, scan, filter };
}

test('a file deleted between listing and reading is left out, and the rest is taken in', async (t) => {
  const { root, scope, store } = opened(t);
  for (let index = 0; index < 100; index++) write(root, `f${index}.ts`, `const a${index} = 1;\n`);
  await scanAll(store, scope, never, ({ phase }) => {
    // Told of the list, before the first file is read.
    if (phase === 'reading') rmSync(join(root, 'f99.ts'), { force: true });
  });
  assert.equal(store.counts().files, 99);
  assert.deepEqual(store.excluded(), {});
});

test('a log of 500 MB is too large, and is never loaded', async (t) => {
  const { root, store, scan } = opened(t);
  const log = openSync(join(root, 'server.log'), 'w');
  ftruncateSync(log, 500 * 1024 * 1024);
  closeSync(log);
  const before = process.memoryUsage().rss;
  await scan();
  assert.deepEqual(store.excluded(), { 'too-large': 1 });
  assert.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024);
});

test('a file with a line of 2 MB is indexed whole, in pieces', async (t) => {
  const { root, store, scan } = opened(t, { maxBytes: 8 * 1024 * 1024 });
  const line = Array.from({ length: 300_000 }, (_, index) => `w${index}`).join(' ');
  assert.ok(line.length > 2_000_000);
  write(root, 'data.txt', `first\n${line}\nlast\n`);
  await scan();
  assert.deepEqual(store.excluded(), {});
  const texts = [...store.itemsWithout(store.space('m'))].map(({ text }) => text);
  assert.ok(texts.some((text) => text.includes('w299999')));
});

test('text that is no UTF-8 is read as what it is', async (t) => {
  const { root, filter } = opened(t);
  const sentence = 'Größe der Tür: naïve façade';
  const utf16be = Buffer.from(`\ufeff${sentence}`, 'utf16le').swap16();
  const texts: Record<string, Uint8Array> = {
    'latin1.txt': Buffer.from(sentence, 'latin1'),
    'utf16le.txt': Buffer.from(`\ufeff${sentence}`, 'utf16le'),
    'utf16be.txt': utf16be,
    'mark.txt': Buffer.from(`\ufeff${sentence}`),
  };
  for (const [path, bytes] of Object.entries(texts)) {
    write(root, path, bytes);
    const examined = await examineFile(filter, path);
    assert.ok(examined.kind === 'text', path);
    assert.equal(examined.text, sentence, path);
  }
  assert.equal(decode(Buffer.from('no mark', 'utf16le')), 'no mark');
  assert.equal(decode(Buffer.from('no mark', 'utf16le').swap16()), 'no mark');
});

/** 日本語のテキスト in the encodings that Japanese files have beside UTF-8. */
const japanese = {
  'Shift-JIS': '93fa967b8cea82cc8365834c83588367',
  'EUC-JP': 'c6fccbdcb8eca4cea5c6a5ada5b9a5c8',
};
for (const [encoding, bytes] of Object.entries(japanese)) {
  test(`${encoding} is read as Japanese, and the file is found by its words`, async (t) => {
    const { root, store, scan } = opened(t);
    write(
      root,
      'notes.ts',
      Buffer.concat([Buffer.from('// '), Buffer.from(bytes, 'hex'), Buffer.from('\nlet harbour;\n')]),
    );
    write(root, 'other.ts', 'let other;\n');
    await scan();
    const [hit] = store.findWords(['harbour'], 1);
    assert.equal(store.chunk(hit?.id ?? 0)?.text, '// 日本語のテキスト\nlet harbour;\n');
    assert.deepEqual(store.excluded(), {});
    assert.equal(store.coverage().covered, 3);
  });
}

test('bytes of no known encoding are read as they come, and hurt nothing', async (t) => {
  const { root, store, scan } = opened(t);
  const bytes = Uint8Array.from({ length: 4_000 }, (_, i) => (i % 40 === 39 ? 10 : 1 + ((i * 97) % 255)));
  write(root, 'odd.txt', bytes);
  write(root, 'a.ts', 'let harbour;\n');
  await scan();
  assert.equal(store.counts().files, 2);
  assert.equal(store.findWords(['harbour'], 9).length, 1);
});

test('broken UTF-8 keeps what is whole', () => {
  const bytes = Buffer.concat([Buffer.from('Tür '), Uint8Array.of(0xff, 0xc3), Buffer.from(' auf\n')]);
  assert.equal(decode(bytes), 'Tür \ufffd\ufffd auf\n');
});

test('bytes with a zero among them are not text', () => {
  assert.equal(decode(Uint8Array.of(1, 2, 0, 3)), undefined);
  assert.equal(decode(Uint8Array.of(0, 0, 0, 0)), undefined);
});

test('a pipe is not waited for', { skip: process.platform === 'win32' }, async (t) => {
  const { root, store, scan } = opened(t);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  write(root, 'a.ts', 'const a = 1;\n');
  await scan();
  assert.deepEqual([store.counts().files, store.excluded()], [1, { unreadable: 1 }]);
});

test('a folder and a file that may not be read leave the rest alone', async (t) => {
  const { root, store, scan } = opened(t);
  write(root, 'closed/inner.ts', 'a\n');
  write(root, 'locked.ts', 'a\n');
  write(root, 'open.ts', 'a\n');
  chmodSync(join(root, 'closed'), 0o000);
  chmodSync(join(root, 'locked.ts'), 0o000);
  await scan();
  chmodSync(join(root, 'closed'), 0o700);
  assert.ok(store.pathsOf(root).includes('open.ts'));
  // Root may read everything.
  if (process.getuid?.() !== 0) {
    assert.deepEqual(store.pathsOf(root).sort(), ['locked.ts', 'open.ts']);
    assert.deepEqual(store.excluded(), { unreadable: 1 });
  }
});

for (const git of [true, false]) {
  test(`names with line ends, quotes, blanks and other scripts are files like all, ${git ? 'with git' : 'without'}`, async (t) => {
    const { root, scope, store, scan } = opened(t);
    if (git) execFileSync('git', ['init', '-q'], { cwd: root });
    const names = [
      'two\nlines.ts',
      'späte Größe.ts',
      '日本/語.ts',
      '"quoted".ts',
      '-q.ts',
      ':(glob)x.ts',
      ' blank .ts',
    ];
    for (const name of names) write(root, name, 'const a = 1;\n');
    await scan();
    assert.deepEqual(store.pathsOf(root).sort(), [...names].sort());
    for (const name of names) write(root, name, 'const other = 2;\n');
    const files = names.map((name) => join(root, name));
    assert.equal((await scanSome(store, scope, files, never)).length, names.length);
  });
}

test('a folder that becomes a file, and a file that becomes a folder, are what they are now', async (t) => {
  const { root, scope, store, scan } = opened(t);
  write(root, 'a/b.ts', 'a\n');
  write(root, 'c', 'c\n');
  await scan();
  rmSync(join(root, 'a'), { recursive: true });
  rmSync(join(root, 'c'));
  write(root, 'a', 'a\n');
  write(root, 'c/d.ts', 'd\n');
  await scanSome(store, scope, [join(root, 'a'), join(root, 'c')], never);
  assert.deepEqual(store.pathsOf(root).sort(), ['a', 'c/d.ts']);
});

for (const [way, list] of [
  ['by git', gitPaths],
  ['by our own walk', walk],
] as const) {
  test(`a folder of 10,000 files is listed in pieces, and no further than it is wanted, ${way}`, async (t) => {
    const root = temporaryFolder(t);
    mkdirSync(join(root, 'many'));
    for (let index = 0; index < 10_000; index++) closeSync(openSync(join(root, 'many', `file-${index}.ts`), 'w'));
    if (list === gitPaths) execFileSync('git', ['init', '-q'], { cwd: root });
    let listed = 0;
    let inThisTurn = 0;
    let mostInATurn = 0;
    const turn = (): void => {
      inThisTurn = 0;
      timer = setImmediate(turn);
    };
    let timer = setImmediate(turn);
    t.after(() => clearImmediate(timer));
    await list(root, never, () => {
      listed++;
      mostInATurn = Math.max(mostInATurn, ++inThisTurn);
    });
    assert.equal(listed, 10_000);
    assert.ok(mostInATurn <= 5_000, `${mostInATurn} in one turn of the thread`);

    const controller = new AbortController();
    let listedTillTheStop = 0;
    const stopped = list(root, controller.signal, () => {
      listedTillTheStop++;
      controller.abort();
    });
    await assert.rejects(stopped, isCancelled);
    assert.ok(listedTillTheStop <= 5_000, `${listedTillTheStop} files, wanted was the first`);
  });
}
