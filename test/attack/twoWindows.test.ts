import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { builder, hashOf, inputsOf, look } from '../contract/searchKills.ts';
import { createReferenceService } from '../service/server.ts';
import { sized } from './size.ts';

interface Said {
  answered: number;
  longestMs: number;
  saved: number;
  errors: string[];
  filesDone: number;
  files: number;
}

const files = sized(3_000, 600);

test('two windows index one folder at once, save and search: nothing is paid twice, every question is answered', async (t) => {
  const service = await createReferenceService();
  const folder = mkdtempSync(join(tmpdir(), 'parley-windows-'));
  const [root, directory] = [join(folder, 'root'), join(folder, 'index')];
  mkdirSync(root);
  for (let i = 0; i < files; i++) writeFileSync(join(root, `f${i}.ts`), `export const ship${i} = ${i};\n`);
  const windows = [1, 2].map(() => {
    const args = [builder, directory, root, service.baseUrl, 'ask'];
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  });
  t.after(async () => {
    for (const window of windows) window.kill('SIGKILL');
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const said = await Promise.all(windows.map(async ({ stdout }) => JSON.parse(await text(stdout)) as Said));
  for (const { answered, longestMs, saved, errors } of said) {
    t.diagnostic(`${answered} questions answered, ${saved} files saved, the longest took ${Math.round(longestMs)} ms`);
    assert.deepEqual(errors, []);
    assert.ok(answered > 0 && saved > 0);
  }
  const sent = service.requests.flatMap(inputsOf).map(hashOf);
  assert.equal(sent.length - new Set(sent).size, 0, 'texts were sent twice');
  const { stored, damage } = look(directory);
  assert.deepEqual(damage, []);
  const all = readdirSync(root).length;
  assert.equal(stored.size, new Set(sent).size);
  assert.ok(stored.size >= files && stored.size <= all, `${stored.size} vectors for ${all} files`);
});
