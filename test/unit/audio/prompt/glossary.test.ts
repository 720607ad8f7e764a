import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readGlossary } from '../../../../src/audio/prompt/glossary.ts';

test('a glossary is read from the folder, as much of it as is looked at; what is no file is none', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-glossary-'));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.deepEqual(await readGlossary(folder), []);
  const path = join(folder, '.parley', 'glossary.txt');
  mkdirSync(join(folder, '.parley'));
  writeFileSync(path, '\ufeff# names\nPelcor\r\n  Båtsfjord\n');
  assert.deepEqual(await readGlossary(folder), ['Pelcor', 'Båtsfjord']);
  writeFileSync(path, 'Pelcor\n'.repeat(1_000_000));
  assert.deepEqual(await readGlossary(folder), ['Pelcor']);
  rmSync(path);
  if (process.platform !== 'win32') execFileSync('mkfifo', [path]);
  assert.deepEqual(await readGlossary(folder), []);
});
