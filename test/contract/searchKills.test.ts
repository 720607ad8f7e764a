import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { answersFolder } from '../../src/search/embedding/answerFiles.ts';
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
  assert.deepEqual([kills.askedAgain, kills.readAgain], [[], []]);
  assert.deepEqual(kills.damage, []);
  assert.deepEqual([kills.missing, kills.stored], [0, files]);
  const status = await search.status({ model: 'parley-embed' });
  assert.deepEqual([status.filesDone, status.damaged ?? 0], [files, 0]);
});

test('a window killed in the turn after it read an answer has lost none of its texts', async (t) => {
  const { service, folder } = await setUp(t);
  const files = 160;
  const kills = await killAndResume(
    service,
    folder,
    files,
    [1, 2, 5].map((afterAnswer) => ({ afterAnswer })),
  );
  assert.equal(kills.killed, 3);
  assert.deepEqual([kills.readAgain, kills.damage], [[], []]);
  assert.deepEqual([kills.missing, kills.stored], [0, files]);
  assert.deepEqual(readdirSync(answersFolder(join(folder, 'index'))), [], 'what was kept is in the index by now');
});
