import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createFlacEncoder, flacBlock, flacStreamInfo } from '../../../../../src/audio/split/flac/encodeFlac.ts';
import { decodeFlac } from '../../../../support/decodeFlac.ts';

function encode(channels: readonly (readonly number[])[], bits: number, rate = 16_000): Buffer {
  const info = flacStreamInfo({ channels: channels.length, bits, rate });
  const parts: Uint8Array[] = [Buffer.from('fLaC'), Buffer.of(0x80, 0, 0, info.length), info];
  const encoder = createFlacEncoder(bits);
  const length = channels[0]?.length ?? 0;
  for (let at = 0; at < length; at += flacBlock) {
    const block = channels.map((samples) => Int32Array.from(samples.slice(at, at + flacBlock)));
    parts.push(Buffer.from(encoder.encode(block, at / flacBlock)));
  }
  return Buffer.concat(parts);
}

/** A voice by rule: a buzz with formants that come and go, and pauses. */
function voice(seconds: number, rate: number, bits: number): number[] {
  let state = 1;
  return Array.from({ length: seconds * rate }, (_, i) => {
    const t = i / rate;
    state = (state * 48_271) % 2_147_483_647;
    const loud = Math.max(0, Math.sin(2 * Math.PI * 1.3 * t)) ** 2;
    const buzz = [1, 2, 3, 5, 8].reduce((sum, h) => sum + Math.sin(2 * Math.PI * 120 * h * t + h) / h, 0);
    return Math.round((loud * buzz * 0.2 + (state / 2_147_483_647 - 0.5) * 0.002) * 2 ** (bits - 1));
  });
}

describe('FLAC is what it was made of', () => {
  const bitsOf = fc.constantFrom(8, 16, 24);
  const kinds = fc.constantFrom('noise', 'silence', 'wave', 'steps', 'extremes', 'voice');

  function samplesOf(kind: string, length: number, bits: number, seed: number): number[] {
    let state = seed + 1;
    const next = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const most = 2 ** (bits - 1) - 1;
    const spoken = kind === 'voice' ? voice(1, length, bits) : [];
    return Array.from({ length }, (_, i) => {
      if (kind === 'noise') return Math.floor((next() - 0.5) * 2 * most);
      if (kind === 'silence') return seed % 2 === 0 ? 0 : (seed % most) - 5;
      if (kind === 'wave') return Math.round(Math.sin(i / (3 + (seed % 50))) * most * 0.9);
      if (kind === 'steps') return (Math.floor(i / 100) % 2) * most;
      if (kind === 'extremes') return i % 2 === 0 ? most : -most - 1;
      return Math.max(-most - 1, Math.min(most, spoken[i] ?? 0));
    });
  }

  test('for any sound, of any length, width and number of channels', () => {
    fc.assert(
      fc.property(
        fc.array(kinds, { minLength: 1, maxLength: 8 }),
        fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(4_096, 4_097, 8_192, 9_000)),
        bitsOf,
        fc.nat(1_000),
        (all, length, bits, seed) => {
          const channels = all.map((kind, index) => samplesOf(kind, length, bits, seed + (index % 2)));
          const decoded = decodeFlac(encode(channels, bits, 44_100));
          assert.deepEqual([decoded.rate, decoded.bits], [44_100, bits]);
          assert.ok(decoded.channels.length === channels.length);
          for (const [index, samples] of channels.entries()) {
            assert.ok(
              decoded.channels[index]?.every((sample, i) => sample === samples[i]),
              `channel ${index}`,
            );
            assert.equal(decoded.channels[index]?.length, samples.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('speech takes less than half, and two channels alike little more than one', () => {
    const one = voice(4, 16_000, 16);
    const mono = encode([one], 16).length / (one.length * 2);
    const alike = encode([one, one], 16).length / (one.length * 4);
    assert.ok(mono < 0.5, `${mono}`);
    assert.ok(alike < mono * 0.55, `${alike}`);
  });

  test('noise takes hardly more than it did', () => {
    const noise = samplesOf('noise', 40_960, 16, 3);
    assert.ok(encode([noise], 16).length < noise.length * 2 * 1.01);
  });
});
