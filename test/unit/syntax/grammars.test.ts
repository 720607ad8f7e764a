import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

test('where the grammars cannot be loaded, it is said once each, and files are cut without them', async (t) => {
  const root = temporaryFolder(t);
  const body = '  const boat = harbour.launch(42);\n'.repeat(60);
  for (const path of ['a.ts', 'b.ts', 'c.py']) writeFileSync(join(root, path), `export function sail() {\n${body}}\n`);
  // A bundle with no folder of grammars beside it.
  const worker = join(temporaryFolder(t), 'searchWorker.cjs');
  await build({
    entryPoints: [new URL('../../../src/search/worker/worker.ts', import.meta.url).pathname],
    outfile: worker,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.dirname': 'undefined' },
    logLevel: 'error',
  });
  const said: string[] = [];
  const search = createSearchClient(worker, temporaryFolder(t), undefined, (text) => said.push(text));
  t.after(() => search.close());
  const { files, chunks } = await search.index({ roots: [root], maxBytes: 1_000_000 }, undefined);
  assert.equal(files, 3);
  assert.ok(chunks > 3);
  const { coverage } = await search.status();
  assert.deepEqual(coverage, { lines: 186, covered: 186 });
  const { hits } = await search.search([root], { text: 'sail', limit: 3, globs: [] }, undefined);
  assert.equal(hits.length, 3);
  assert.equal(said.length, 2);
  for (const grammar of ['typescript', 'python']) {
    assert.ok(said.some((text) => text.startsWith(`The grammar ${grammar} cannot be loaded`)));
  }
});
