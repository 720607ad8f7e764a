import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Coverage } from '../../../../src/search/chunker/chunker.ts';
import { createEngine } from '../../../../src/search/engine.ts';
import { openStore } from '../../../../src/search/store/store.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';
import { coverageText } from '../../../support/vscodeStub.ts';

const never = new AbortController().signal;

test('coverage counts every line of every text file, and all of them are in; it follows what changes and outlives the window', async (t) => {
  const [root, directory] = [temporaryFolder(t), temporaryFolder(t)];
  const notebook = { cells: [{ cell_type: 'code', metadata: {}, outputs: [], source: ['a\n', 'b\n', 'c'] }] };
  const files: Record<string, [text: string, lines: number]> = {
    'code.ts': ['export const boat = 1;\n'.repeat(900), 900],
    'windows.cs': ['class A {\r\n}\r\n'.repeat(200), 400],
    'guide.md': [`# Guide\n\n${'A sentence.\n\n'.repeat(150)}end`, 303],
    'notes.ipynb': [JSON.stringify(notebook, undefined, 1), 3],
    'data.txt': [`${'word '.repeat(9_000)}\nlast`, 2],
    'empty.ts': ['', 0],
    'blank.py': ['\n\n\n', 3],
    // Left out, so they are none of it.
    '.env': ['A=1\n', 0],
    'key.ts': [`const key = "AKIA${'QWERTYUI98765432'}";\n`, 0],
  };
  for (const [path, [text]] of Object.entries(files)) writeFileSync(join(root, path), text);
  const scope = { roots: [root], maxBytes: 1_000_000 };
  const coverageNow = async (
    work: (engine: ReturnType<typeof createEngine>) => Promise<unknown>,
  ): Promise<Coverage> => {
    const engine = createEngine(directory);
    try {
      await work(engine);
      return engine.status().coverage;
    } finally {
      engine.close();
    }
  };
  const lines = Object.values(files).reduce((sum, [, own]) => sum + own, 0);
  const scan = (engine: ReturnType<typeof createEngine>) => engine.index(scope, undefined, never, () => undefined);
  assert.deepEqual(await coverageNow(scan), { lines, covered: lines });
  assert.deepEqual(await coverageNow(async () => undefined), { lines, covered: lines });
  writeFileSync(join(root, 'code.ts'), 'export const boat = 1;\n'.repeat(950));
  rmSync(join(root, 'windows.cs'));
  const paths = ['code.ts', 'windows.cs'].map((path) => join(root, path));
  const after = await coverageNow((engine) => engine.update(scope, paths, undefined, never, () => undefined));
  assert.deepEqual(after, { lines: lines + 50 - 400, covered: lines + 50 - 400 });
});

test('a hole between chunks is seen, and no part of a line too many is called all', (t) => {
  const store = openStore(temporaryFolder(t));
  t.after(() => store.close());
  const chunk = (startLine: number, endLine: number) => ({
    ...{ startLine, endLine, text: `${startLine}\n` },
    ...{ enclosing: [], names: [] },
  });
  const put = (path: string, chunks: ReturnType<typeof chunk>[], lines: number): void =>
    store.putFiles('/code', [{ path, stamp: { size: 1, mtimeMs: 1 }, content: { hash: path, chunks, lines } }]);
  put('whole.ts', [chunk(1, 40), chunk(40, 60)], 60);
  put('hole.ts', [chunk(1, 10), chunk(14, 20)], 20);
  assert.deepEqual(store.coverage(), { lines: 80, covered: 77 });
  put('hole.ts', [chunk(1, 10), chunk(11, 20)], 20);
  assert.deepEqual(store.coverage(), { lines: 80, covered: 80 });
  store.removeFiles('/code', ['hole.ts']);
  assert.deepEqual(store.coverage(), { lines: 60, covered: 60 });
});

test('the figure reads as people write it, and only all is 100 %', () => {
  const textOf = (lines: number, covered: number, files: number): string =>
    coverageText({
      indexed: { files, chunks: 0, tokens: 0 },
      coverage: { lines, covered },
      filesDone: undefined,
      excluded: {},
    });
  assert.equal(textOf(412_300, 412_300, 3_120), '100 % of 412,300 lines in 3,120 files');
  assert.equal(textOf(412_300, 412_299, 3_120), '99.9 % of 412,300 lines in 3,120 files');
  assert.equal(textOf(0, 0, 0), '100 % of 0 lines in 0 files');
});
