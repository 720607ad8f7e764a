import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createPlayableCopy, removeOldCopies } from '../../../../src/audio/split/playableCopy.ts';
import { createSplitter } from '../../../../src/audio/split/splitter.ts';
import {
  aacPacket,
  aacSeconds,
  aiffOf,
  framesOf,
  integers,
  mux,
  samplesOf,
  turns,
  wavOf,
} from '../../../support/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-playable-'));
const splitter = createSplitter(new URL('../../../../src/audio/split/thread/splitThread.ts', import.meta.url));
after(() => {
  splitter.dispose();
  rmSync(folder, { recursive: true, force: true });
});
const rate = 16_000;
const samples = samplesOf(turns(10), rate);

function copyOf(name: string, bytes: Buffer) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const copies = join(folder, `copies of ${name}`);
  return { copies, copy: createPlayableCopy(path, join(copies, 'copy'), { splitter }) };
}

describe('a copy for the player', () => {
  test('of samples that are sent as FLAC is a WAV: it is made in no time, and for nobody else', async () => {
    const hum = Float64Array.from({ length: 30 * rate }, (_, i) => 0.3 * Math.sin(i / 20));
    const path = join(folder, 'hum.aiff');
    const { copy } = copyOf('hum.aiff', aiffOf(integers(hum, 2, true), rate));
    const sent = splitter.of(path, { name: 'aiff' });
    assert.equal((await sent.open({ signal: new AbortController().signal })).form.contentType, 'audio/flac');
    await sent.close();
    const made = await copy.get(() => undefined);
    assert.equal(made?.contentType, 'audio/wav');
    assert.deepEqual(readFileSync(made.path).subarray(-hum.length * 2), integers(hum));
    copy.dispose();
  });

  test('is of the track that was chosen, also where the kind of the file is the same', async () => {
    const path = join(folder, 'chosen.wav');
    writeFileSync(path, wavOf(integers(samples), rate));
    const wishes: unknown[] = [];
    const asked: typeof splitter = {
      ...splitter,
      of(...given) {
        wishes.push(given[2]?.track);
        return splitter.of(...given);
      },
    };
    const copy = createPlayableCopy(path, join(folder, 'chosen'), { splitter: asked, tracks: { get: () => 2 } });
    assert.equal((await copy.get(() => undefined))?.contentType, 'audio/wav');
    assert.deepEqual(wishes, [2]);
    copy.dispose();
  });

  test('of an AIFF is a WAV with the same sound, which is made once and removed at the end', async () => {
    const { copies, copy } = copyOf('memo.aiff', aiffOf(integers(samples, 2, true), rate));
    const shares: number[] = [];
    const made = await copy.get((share) => shares.push(share));
    assert.equal(made?.contentType, 'audio/wav');
    const written = readFileSync(made.path);
    assert.deepEqual(
      written.subarray(-samples.length * 2),
      wavOf(integers(samples), rate).subarray(-samples.length * 2),
    );
    assert.equal(await copy.get(() => undefined), made);
    copy.dispose();
    while (existsSync(made.path)) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(readdirSync(copies), []);
  });

  test('is not made where it is no help: of AAC, of a file whose kind is the same, of what is no recording', async () => {
    const m4a = await mux(framesOf(turns(10), aacSeconds, aacPacket), { container: 'mp4', codec: 'aac' });
    for (const [name, bytes] of [
      ['memo.m4a', m4a],
      ['memo.wav', wavOf(integers(samples), rate)],
      ['memo.mkv', Buffer.from('no recording')],
    ] as const) {
      const { copies, copy } = copyOf(name, bytes);
      assert.equal(await copy.get(() => undefined), undefined, name);
      assert.equal(existsSync(copies), false, name);
    }
  });

  test('that was given up leaves no file', async () => {
    const { copies, copy } = copyOf('long.aiff', aiffOf(integers(samples, 2, true), rate));
    const making = copy.get(() => undefined);
    copy.dispose();
    assert.equal(await making, undefined);
    assert.deepEqual(existsSync(copies) ? readdirSync(copies) : [], []);
  });

  test('that a window left behind is removed a day later', async () => {
    const left = join(folder, 'left');
    mkdirSync(left);
    for (const name of ['old.wav', 'young.wav']) writeFileSync(join(left, name), '');
    const dayAgo = Date.now() / 1_000 - 25 * 3_600;
    utimesSync(join(left, 'old.wav'), dayAgo, dayAgo);
    await removeOldCopies(left);
    assert.deepEqual(readdirSync(left), ['young.wav']);
    await removeOldCopies(join(folder, 'not there'));
  });
});
