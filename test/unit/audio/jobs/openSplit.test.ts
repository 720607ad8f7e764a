import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSplit } from '../../../../src/audio/jobs/openSplit.ts';
import { openRecording } from '../../../../src/audio/recording/recording.ts';
import { createSplitter } from '../../../../src/audio/split/splitter.ts';
import { integers, samplesOf, turns, wavOf } from '../../../support/recordings.ts';

const { signal } = new AbortController();

test('a piece says whether its recording is as it was opened', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-open-'));
  const splitter = createSplitter(new URL('../../../../src/audio/split/thread/splitThread.ts', import.meta.url));
  t.after(() => {
    splitter.dispose();
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'talk.wav');
  const bytes = wavOf(integers(samplesOf(turns(4), 8_000)), 8_000);
  writeFileSync(path, bytes);
  const file = await openRecording(path);
  const split = await openSplit(splitter, file.recording, signal);
  const [piece] = await split.plan(25e6, signal);
  assert.ok(piece !== undefined);
  const write = async (): Promise<boolean> => (await split.write(piece, join(folder, 'piece'), signal)).isOriginal;
  assert.equal(await write(), true);
  writeFileSync(path, bytes);
  utimesSync(path, 1, 1);
  assert.equal(await write(), false);
  rmSync(path);
  assert.equal(await write(), true);
  await split.close();
  await file.close();
});
