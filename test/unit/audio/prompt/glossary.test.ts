import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { glossaryFolderOf, readGlossary } from '../../../../src/audio/prompt/glossary.ts';

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

test('a glossary that a link leads to is read inside the folder alone', {
  skip: process.platform === 'win32',
}, async (t) => {
  const outside = mkdtempSync(join(tmpdir(), 'parley-glossary-'));
  t.after(() => rmSync(outside, { recursive: true }));
  const folder = join(outside, 'folder');
  mkdirSync(join(folder, '.parley'), { recursive: true });
  writeFileSync(join(outside, 'id_rsa'), 'a secret');
  writeFileSync(join(folder, 'names.txt'), 'Pelcor');
  const path = join(folder, '.parley', 'glossary.txt');
  symlinkSync(join(outside, 'id_rsa'), path);
  assert.deepEqual(await readGlossary(folder), []);
  rmSync(path);
  symlinkSync(join('..', 'names.txt'), path);
  assert.deepEqual(await readGlossary(folder), ['Pelcor']);
  // The folder itself may be a link.
  symlinkSync(folder, join(outside, 'link'));
  assert.deepEqual(await readGlossary(join(outside, 'link')), ['Pelcor']);
});

test('the glossary of a recording is that of its own folder, whatever else is translated along with it', () => {
  const [a, b] = [join('/w', 'a'), join('/w', 'b')];
  assert.equal(glossaryFolderOf(join(b, 'talks', 'x.mp3'), [a, b]), b);
  assert.equal(glossaryFolderOf(join(a, 'inner', 'x.mp3'), [a, join(a, 'inner')]), join(a, 'inner'));
  assert.equal(glossaryFolderOf(join('/w', 'ab.mp3'), [a, b]), undefined);
  assert.equal(glossaryFolderOf(join('/home', 'x.mp3'), [a]), a);
  assert.equal(glossaryFolderOf(join(a, 'x.mp3'), []), undefined);
});
