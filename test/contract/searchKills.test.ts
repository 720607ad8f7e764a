import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSearchClient } from '../../src/search/client.ts';
import { createReferenceService } from '../service/server.ts';
import { killAndResume } from './searchKills.ts';

test('a build killed at ten random moments asks for nothing that was stored, and ends whole', async (t) => {
  const service = await createReferenceService();
  const folder = mkdtempSync(join(tmpdir(), 'parley-kills-'));
  const search = createSearchClient(new URL('../../src/search/worker.ts', import.meta.url), join(folder, 'index'));
  t.after(async () => {
    await search.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const files = 800;
  // The same moments in each run, as far as the machine lets them be.
  let seed = 20_261_121;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const kills = await killAndResume(service, folder, files, 10, random);
  assert.ok(kills.killed >= 5, `only ${kills.killed} builds were killed in the middle`);
  assert.deepEqual(kills.askedAgain, []);
  assert.deepEqual(kills.damage, []);
  assert.deepEqual([kills.missing, kills.stored], [0, files]);
  const status = await search.status({ model: 'parley-embed' });
  assert.deepEqual([status.filesDone, status.damaged ?? 0], [files, 0]);
});
