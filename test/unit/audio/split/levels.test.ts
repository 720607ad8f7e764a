import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Container } from '../../../../src/audio/split/container.ts';
import { aacLevel } from '../../../../src/audio/split/levels/aacLevel.ts';
import { silence } from '../../../../src/audio/split/levels/level.ts';
import { mp3Level } from '../../../../src/audio/split/levels/mp3Level.ts';
import { openContainer } from '../../../../src/audio/split/openContainer.ts';
import { peaksIn } from '../../../../src/audio/split/peaks.ts';
import { aacPacket, mp3Frame } from '../../../support/recordings.ts';

const signal = new AbortController().signal;
const recordings = join(import.meta.dirname, '../../../fixtures/workspace/recordings');

const withTrack = async <T>(
  file: string,
  name: 'ogg' | 'mp3' | 'mp4' | 'flac' | 'wav',
  use: (container: Container) => Promise<T>,
) => {
  const container = await openContainer(join(recordings, file), { name }, signal);
  try {
    return await use(container);
  } finally {
    await container.close();
  }
};

describe('how loud it is', () => {
  test('stands in the side information of an MP3 frame, in decibels', () => {
    const loud = mp3Level(mp3Frame(1)) ?? Number.NaN;
    assert.ok(Math.abs(loud - (mp3Level(mp3Frame(0.1)) ?? Number.NaN) - 20) < 1);
    assert.ok(Math.abs(loud - (mp3Level(mp3Frame(0.01)) ?? Number.NaN) - 40) < 1);
    // A frame whose parts are all empty.
    assert.equal(mp3Level(Buffer.concat([mp3Frame(1).subarray(0, 4)], 208)), silence);
    assert.equal(mp3Level(mp3Frame(1).subarray(0, 12)), undefined);
  });

  test('stands in the scale factors of an AAC packet, after what may come before them', () => {
    const loud = aacLevel(aacPacket(1)) ?? Number.NaN;
    assert.ok(Math.abs(loud - (aacLevel(aacPacket(0.1)) ?? Number.NaN) - 20) < 1);
    // A fill element of one byte: 110, 0001, eight bits; the sound begins at the 15th bit.
    const packet = aacPacket(1);
    const bits = `1100001${'0'.repeat(8)}${[...packet].map((byte) => byte.toString(2).padStart(8, '0')).join('')}`;
    const filled = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
    assert.equal(aacLevel(filled), loud);
    assert.equal(aacLevel(Buffer.from('e0', 'hex')), undefined);
  });

  test('is much the same for the same sound, whatever it is in', async () => {
    // The recordings of the fixtures begin and end with silence; there is a voice between.
    const seen: string[] = [];
    for (const [file, name] of [
      ['reunion.mp3', 'mp3'],
      ['notiz.m4a', 'mp4'],
      ['aviso.ogg', 'ogg'],
      ['promemoria.flac', 'flac'],
      ['begruessung.wav', 'wav'],
    ] as const) {
      const peaks = await withTrack(file, name, (container) => peaksIn(container, 40, signal));
      assert.ok(peaks !== undefined && peaks.length === 40);
      assert.ok(peaks.every((peak) => peak >= 0 && peak <= 1));
      const sorted = peaks.toSorted((a, b) => a - b);
      const contrast = (sorted[36] ?? 0) - (sorted[1] ?? 0);
      if (contrast < 0.15) seen.push(`${file} ${contrast}`);
    }
    assert.deepEqual(seen, []);
  });

  test('is told or not, but no bytes make it fail', () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const isLevel = (level: number | undefined): boolean => level === undefined || Number.isFinite(level);
    fc.assert(
      fc.property(bytes, (some) => {
        assert.ok(isLevel(mp3Level(Buffer.concat([Buffer.from('fffb50c4', 'hex'), some]))));
        assert.ok(isLevel(aacLevel(some)));
      }),
    );
  });
});
