import assert from 'node:assert/strict';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isCancelled } from '../../src/base/errors.ts';
import type { IndexProgress } from '../../src/search/types.ts';
import { createSearchClient } from '../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../support/searchFolder.ts';

const script = new URL('../../src/search/worker/worker.ts', import.meta.url);
const many = 200_000;

test('a folder of 200,000 files is told of at once, searched while it is read, and given up at once', async (t) => {
  const [small, large] = [temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(join(small, 'places.md'), '# The harbour\n');
  for (let i = 0; i < many; i++) closeSync(openSync(join(large, `${i}.ts`), 'w'));
  const client = createSearchClient(script, temporaryFolder(t));
  t.after(() => client.close());
  const controller = new AbortController();
  const told: IndexProgress[] = [];
  const before = process.memoryUsage().rss;
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const run = client.index({ roots: [small, large], maxBytes: 1024 * 1024 }, undefined, {
    signal: controller.signal,
    onEvent: (progress) => {
      told.push(progress);
      if (progress.phase === 'reading' && progress.files > many / 10) reach();
    },
  });
  await Promise.race([reached, run]);
  assert.deepEqual(told[0], { phase: 'reading', files: 0, ofFiles: 0 });
  assert.deepEqual(told.at(-1), { ...told.at(-1), ofFiles: many + 1 });
  const { hits } = await client.search([small], { text: 'harbour', limit: 1, globs: [] }, undefined);
  assert.equal(hits[0]?.path, 'places.md');
  const readBefore = filesTold(told);
  controller.abort();
  await assert.rejects(run, isCancelled);
  // What was examined already when the stop arrived may still be told.
  const readAfter = filesTold(told) - readBefore;
  assert.ok(readAfter < many / 20, `${readAfter} files were read after the stop`);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 400 * 1024 * 1024, `${grown} bytes`);
  // What was read stays.
  assert.equal((await client.status()).indexed.files, 1);
});

/** How many files the latest event says were read. */
function filesTold(told: readonly IndexProgress[]): number {
  const last = told.at(-1);
  return last?.phase === 'reading' ? last.files : 0;
}
