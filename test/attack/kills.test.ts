import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRandom, killAndResume, randomKills } from '../contract/searchKills.ts';
import { createReferenceService } from '../service/server.ts';
import { sized } from './size.ts';

const times = sized(20, 4);

test('a window that indexes is killed again and again: nothing that it had stored is paid twice', async (t) => {
  const service = await createReferenceService();
  const folder = mkdtempSync(join(tmpdir(), 'parley-kills-'));
  t.after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const files = times * 100;
  const kills = await killAndResume(service, folder, files, randomKills(files, times, createRandom(8)));
  t.diagnostic(`${kills.killed} kills; answered, not stored: ${kills.answeredAgain.length} texts`);
  assert.ok(kills.killed >= times / 2, `only ${kills.killed} of ${times} were killed in the middle`);
  assert.deepEqual(kills.askedAgain, [], 'asked for again');
  assert.deepEqual(kills.damage, []);
  assert.deepEqual([kills.missing, kills.stored], [0, files]);
});
