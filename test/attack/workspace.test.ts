import assert from 'node:assert/strict';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../src/base/errors.ts';
import type { EmbeddingModel } from '../../src/search/embedding/embeddingModel.ts';
import { createSearchClient } from '../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../support/searchFolder.ts';
import { createHostileWorkspace, ordinaryWord } from './hostileWorkspace.ts';
import { isFull, sized } from './size.ts';

const files = sized(50_000, 3_000);
/** How much the process may grow by it. The vectors and the index are on the disk. */
const mostGrowth = 700 * 1024 * 1024;

const script = new URL('../../src/search/worker/worker.ts', import.meta.url);

/** All that is in a folder but git's own, links as they are. */
function pathsIn(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name === '.git' || path === 'bare') return [];
    return entry.isDirectory() ? pathsIn(root, path) : [path];
  });
}

async function hostile(t: TestContext) {
  const workspace = await createHostileWorkspace(temporaryFolder(t), files);
  t.after(() => workspace.close());
  const client = createSearchClient(script, temporaryFolder(t));
  t.after(() => client.close());
  const sent: string[] = [];
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    embed: async (texts) => {
      sent.push(...texts.filter((text) => !text.includes(ordinaryWord)));
      return texts.map((text) => Float32Array.of(text.length, 1, 1, 1));
    },
  };
  return { workspace, client, sent, embeddingModel, scope: { roots: workspace.roots, maxBytes: 1024 * 1024 } };
}

test('a hostile workspace is indexed to its end: nothing outside is read, no program runs, and each file has its reason', async (t) => {
  const { workspace, client, sent, embeddingModel, scope } = await hostile(t);
  await client.status(embeddingModel);
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const calm = workspace.disturb();
  await client.index(scope, embeddingModel).finally(calm);
  // Once more, when nothing moves.
  const result = await client.index(scope, embeddingModel);
  clearInterval(watch);

  assert.deepEqual(workspace.trap.sprung(), []);
  const leaked = sent.filter((text) => workspace.forbidden.some((word) => text.includes(word)));
  assert.deepEqual(leaked, []);
  assert.ok(most - before < mostGrowth, `grown by ${Math.round((most - before) / 1024 / 1024)} MB`);
  assert.ok(result.files >= files, `${result.files} files`);

  for (const root of workspace.roots) {
    // A name that is no text cannot be told of, and is not listed.
    const all = pathsIn(root).filter((path) => !path.includes('\ufffd'));
    const special = all.filter((path) => !/^(src\/part|moving)/.test(path));
    const some = all.filter((path) => /^(src\/part|moving)/.test(path)).filter((_, index) => index % 500 === 0);
    for (const path of [...special, ...some]) {
      const { kind } = await client.why(scope, root, path, embeddingModel);
      const isFile = !lstatSync(join(root, path)).isDirectory();
      assert.ok(!isFile || ['indexed', 'excluded', 'ignored', 'left-out-folder'].includes(kind), `${path}: ${kind}`);
    }
  }
  const hits = async (text: string, globs: string[] = []) =>
    (await client.search(scope.roots, { text, limit: 5, globs }, embeddingModel)).hits;
  assert.ok((await hits(`${ordinaryWord}7`)).some(({ path }) => path.endsWith('/file7.ts')));
  for (const word of workspace.forbidden) for (const hit of await hits(word)) assert.ok(!hit.text.includes(word));
  assert.ok((await hits(ordinaryWord, [`${'*a'.repeat(20)}*b`])).length === 0);
  await assert.rejects(hits(ordinaryWord, ['['.repeat(10_000)]), (error) => error instanceof ServiceError);
  const since = { text: `${ordinaryWord} odd`, limit: 5, globs: [], changedSince: 'HEAD' };
  // With 50,000 files and these rules git may come to no end, which is said.
  const found = await client.search(scope.roots, since, embeddingModel).then(
    ({ hits }) => hits.length > 0,
    (error) => isFull && error instanceof ServiceError && error.kind === 'git' && error.hint === 'endless',
  );
  assert.ok(found);
  assert.deepEqual(workspace.trap.sprung(), []);
});
