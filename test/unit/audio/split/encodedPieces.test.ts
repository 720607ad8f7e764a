import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { detectFormat } from '../../../../src/audio/recording/formats.ts';
import type { Container } from '../../../../src/audio/split/container.ts';
import { openContainer } from '../../../../src/audio/split/openContainer.ts';
import { planPieces } from '../../../../src/audio/split/plan/planPieces.ts';
import { writePiece } from '../../../../src/audio/split/write/writePiece.ts';
import { decodeFlac } from '../../../support/decodeFlac.ts';
import { aiffOf, integers, wavOf } from '../../../support/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-encoded-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const signal = new AbortController().signal;
const rate = 16_000;

/** A voice by rule, with pauses: a buzz and its overtones, which say much about each other. */
const voice = (seconds: number, channels = 1): Float64Array =>
  Float64Array.from({ length: seconds * rate * channels }, (_, i) => {
    const t = Math.floor(i / channels) / rate;
    const loud = Math.max(0, Math.sin(2 * Math.PI * 0.4 * t)) ** 2;
    return 0.2 * loud * [1, 2, 3, 5, 8].reduce((sum, h) => sum + Math.sin(2 * Math.PI * 130 * h * t + h) / h, 0);
  });
/** Hiss at full height, which nothing shortens. */
const hiss = (seconds: number): Float64Array => {
  let state = 5;
  return Float64Array.from({ length: seconds * rate }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647) * 1.8 - 0.9;
  });
};

async function openBytes(name: string, bytes: Buffer): Promise<Container> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const format = detectFormat(bytes.subarray(0, 16_384), bytes.length);
  assert.ok(format !== undefined);
  return openContainer(path, format, signal);
}

describe('Samples that FLAC halves are sent as FLAC', () => {
  const spoken = voice(60);
  const cases: Readonly<Record<string, { bytes: Buffer; bits: number; channels: number; wanted: Buffer }>> = {
    'voice.wav': { bytes: wavOf(integers(spoken), rate), bits: 16, channels: 1, wanted: integers(spoken) },
    'voice.aiff': {
      bytes: aiffOf(integers(spoken, 3, true), rate, { bytes: 3 }),
      bits: 24,
      channels: 1,
      wanted: integers(spoken, 3),
    },
    'two.wav': {
      bytes: wavOf(integers(voice(60, 2)), rate, { channels: 2 }),
      bits: 16,
      channels: 2,
      wanted: integers(voice(60, 2)),
    },
  };
  for (const [name, { bytes, bits, channels, wanted }] of Object.entries(cases)) {
    test(`${name}: each sample once, in order, in half as many pieces`, async () => {
      const container = await openBytes(name, bytes);
      assert.equal(container.form.contentType, 'audio/flac');
      const mostBytes = 64 * 1024 + container.form.headerBytes + Math.round(bytes.length / 4);
      const pieces = await planPieces(container, { mostBytes, signal });
      assert.ok(pieces.length <= 3, `${pieces.length} pieces, of which WAV would take 5`);
      const frameBytes = (bits / 8) * channels;
      for (const piece of pieces) {
        const path = join(folder, `${name}-${piece.index}.flac`);
        const written = await writePiece(container, piece, path, { signal, mostBytes });
        assert.ok(written.bytes <= mostBytes - 64 * 1024);
        const decoded = decodeFlac(readFileSync(path));
        assert.deepEqual([decoded.rate, decoded.bits, decoded.channels.length], [rate, bits, channels]);
        const from = Math.round(piece.from * rate);
        const length = decoded.channels[0]?.length ?? 0;
        assert.equal(length, Math.round(piece.to * rate) - from);
        const isSame = decoded.channels.every((samples, channel) =>
          samples.every(
            (sample, i) => sample === wanted.readIntLE((from + i) * frameBytes + (channel * bits) / 8, bits / 8),
          ),
        );
        assert.ok(isSame, `other samples in piece ${piece.index}`);
      }
      await container.close();
    });
  }

  test('a piece of it is a FLAC that Parley itself reads, at the same times', async () => {
    const container = await openBytes('again.wav', wavOf(integers(spoken), rate));
    const path = join(folder, 'again.flac');
    await writePiece(container, { from: 10, to: 20 }, path, { signal });
    const again = await openContainer(path, { name: 'flac' }, signal);
    assert.ok(Math.abs(again.end - 10) < 1e-6, `${again.end}`);
    await again.close();
    await container.close();
  });

  const others: Readonly<Record<string, () => Buffer>> = {
    'hiss.wav': () => wavOf(integers(hiss(60)), rate),
    'short.wav': () => wavOf(integers(voice(5)), rate),
    'float.wav': () => wavOf(Buffer.from(Float32Array.from(spoken).buffer), rate, { bytes: 4, tag: 3 }),
    'long.wav': () => wavOf(integers(spoken, 4), rate, { bytes: 4 }),
  };
  for (const [name, bytes] of Object.entries(others)) {
    test(`${name} stays a WAV`, async () => {
      const container = await openBytes(name, bytes());
      assert.equal(container.form.contentType, 'audio/wav');
      await container.close();
    });
  }

  test('a part that is louder than all the others is told to be too large, so that it is cut again', async () => {
    const loud = Float64Array.from([...voice(110), ...hiss(10)]);
    const container = await openBytes('loud.wav', wavOf(integers(loud), rate));
    assert.equal(container.form.contentType, 'audio/flac');
    const part = { from: 110, to: 120 };
    const path = join(folder, 'loud.flac');
    const mostBytes = container.byteCount(part.from, part.to) + container.form.headerBytes;
    await assert.rejects(writePiece(container, part, path, { signal, mostBytes }), {
      kind: 'too-large',
      param: 'piece',
    });
    await container.close();
  });
});
