import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { mostPeaks, peaksIn, peaksOf } from '../../../../src/audio/split/peaks.ts';
import {
  framesOf,
  integers,
  isInPause,
  lengthOf,
  mp3Frame,
  mp3Seconds,
  mux,
  opusSeconds,
  samplesOf,
  type Turn,
  wavOf,
} from '../../../support/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-peaks-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();
const spoken: Turn[] = [1, 2, 3].map(() => ({ speech: 3, pause: 2 }));

function fileWith(name: string, bytes: Buffer): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

describe('the picture of a recording', () => {
  const wav = fileWith('talk.wav', wavOf(integers(samplesOf(spoken, 8_000)), 8_000));
  const mp3 = fileWith('talk.mp3', Buffer.concat(framesOf(spoken, mp3Seconds, mp3Frame)));

  test('is high where somebody speaks and low in the pauses', async () => {
    for (const [path, name] of [
      [wav, 'wav'],
      [mp3, 'mp3'],
    ] as const) {
      const count = 60;
      const peaks = await peaksOf(path, { name }, count, signal);
      assert.equal(peaks?.length, count);
      assert.equal(Math.max(...peaks), 1);
      for (const [i, peak] of peaks.entries()) {
        const [start, end] = [i, i + 1].map((n) => (n * lengthOf(spoken)) / count) as [number, number];
        // Values at an edge may be either.
        if (isInPause(spoken, start) !== isInPause(spoken, end + 0.03)) continue;
        if (isInPause(spoken, start)) assert.ok(peak < 0.6, `${name} ${start}: ${peak}`);
        else assert.ok(peak > 0.7, `${name} ${start}: ${peak}`);
      }
    }
  });

  test('has as many values as are asked for, within bounds', async () => {
    assert.equal((await peaksOf(wav, { name: 'wav' }, 1e9, signal))?.length, mostPeaks);
    assert.equal((await peaksOf(wav, { name: 'wav' }, -3, signal))?.length, 1);
    // More values than packets: those between are like those before.
    assert.equal((await peaksOf(mp3, { name: 'mp3' }, 3_000, signal))?.length, 3_000);
  });

  test('of packets that are all as long is none, and stops when told to', async () => {
    const packets = framesOf(spoken, opusSeconds, () => Buffer.alloc(80, 0x78));
    const path = fileWith('constant.ogg', await mux(packets, { container: 'ogg', codec: 'opus' }));
    assert.equal(await peaksOf(path, { name: 'ogg' }, 20, signal), undefined);
    await assert.rejects(peaksOf(wav, { name: 'wav' }, 20, AbortSignal.abort()), { kind: 'cancelled' });
  });

  test('of silence is nothing, and of what is never silent is no less than all', async () => {
    const silence = [wavOf(Buffer.alloc(80_000), 8_000), Buffer.concat(Array.from({ length: 300 }, () => mp3Frame(0)))];
    for (const [i, name] of (['wav', 'mp3'] as const).entries()) {
      const path = fileWith(`silent.${name}`, silence[i] as Buffer);
      assert.deepEqual(await peaksOf(path, { name }, 4, signal), [0, 0, 0, 0], name);
    }
    const tone = Float64Array.from({ length: 40_000 }, (_, i) => 0.3 * Math.sin(i / 3));
    const peaks = await peaksOf(fileWith('tone.wav', wavOf(integers(tone), 8_000)), { name: 'wav' }, 4, signal);
    assert.ok(
      peaks?.every((peak) => peak > 0.95),
      String(peaks),
    );
  });

  test('is that of what is said also where little is said, and where some packets are far off', async () => {
    const levelsOf = (codec: string, of: (part: number) => number) => ({
      ...{ codec, start: 0, end: 1_000 },
      levels: async (from: number) => [{ start: from, end: from + 1, decibels: of(Math.round(from)) }],
    });
    const rare = await peaksIn(
      levelsOf('pcm-s16', (part) => (part < 20 ? -20 : -120)),
      1_000,
      signal,
    );
    assert.ok(rare?.slice(0, 20).every((peak) => peak === 1) && rare.slice(20).every((peak) => peak === 0));
    const far = await peaksIn(
      levelsOf('mp3', (part) => (part % 100 === 7 ? 40 : -20 - (part % 10))),
      1_000,
      signal,
    );
    assert.ok(far?.every((peak) => peak > 0.7));
  });
});
