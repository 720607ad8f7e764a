import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSearchClient } from '../../src/search/worker/searchClient.ts';
import { createReferenceService } from '../service/server.ts';
import { createRandom, killAndResume, randomKills } from './searchKills.ts';

async function setUp(t: TestContext) {
  const service = await createReferenceService();
  const folder = mkdtempSync(join(tmpdir(), 'parley-kills-'));
  const search = createSearchClient(
    new URL('../../src/search/worker/worker.ts', import.meta.url),
    join(folder, 'index'),
  );
  t.after(async () => {
    await search.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { service, folder, search };
}

test('a build killed at ten random moments asks for nothing that was stored, and ends whole', async (t) => {
  const { service, folder, search } = await setUp(t);
  const files = 800;
  const kills = await killAndResume(service, folder, files, randomKills(files, 10, createRandom(20_261_121)));
  assert.ok(kills.killed >= 5, `only ${kills.killed} builds were killed in the middle`);
  assert.deepEqual(kills.askedAgain, []);
  assert.deepEqual(kills.damage, []);
  assert.deepEqual([kills.missing, kills.stored], [0, files]);
  const status = await search.status({ model: 'parley-embed' });
  assert.deepEqual([status.filesDone, status.damaged ?? 0], [files, 0]);
});
