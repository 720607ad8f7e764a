import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { findRecordings } from '../../../../src/audio/recording/findRecordings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-recordings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

function write(path: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), 'x');
}

describe('the recordings of a folder', () => {
  it('are those below it, too, but not those of programs, and no link is followed', async () => {
    for (const path of [
      'b.MP3',
      'a/talk.wav',
      'a/deep/er/talk.flac',
      'a/notes.txt',
      'node_modules/x/beep.mp3',
      '.git/c.ogg',
    ])
      write(path);
    symlinkSync(folder, join(folder, 'a', 'around'));
    const { paths, isCut } = await findRecordings(folder, never);
    assert.deepEqual(
      paths.map((path) => relative(folder, path)),
      ['a/deep/er/talk.flac', 'a/talk.wav', 'b.MP3'],
    );
    assert.equal(isCut, false);
  });

  it('are none where there is no such folder, and a cancel ends the search', async () => {
    assert.deepEqual(await findRecordings(join(folder, 'gone'), never), { paths: [], isCut: false });
    write('a.mp3');
    await assert.rejects(findRecordings(folder, AbortSignal.abort()), { kind: 'cancelled' });
  });

  it('are a thousand at most, and it is told where there are more', async () => {
    for (let at = 0; at <= 1_000; at++) write(`${at}.mp3`);
    const { paths, isCut } = await findRecordings(folder, never);
    assert.deepEqual([paths.length, isCut], [1_000, true]);
  });
});
