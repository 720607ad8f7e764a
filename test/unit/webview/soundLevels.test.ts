import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { peaksOf } from '../../../src/audio/split/peaks.ts';
import { mostBars } from '../../../src/webview/shared/soundScale.ts';
import { barsOf, decodedRate, levelsOf } from '../../../src/webview/transcript/sound/soundLevels.ts';
import { integers, lengthOf, samplesOf, turns, wavOf } from '../../support/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-bars-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const tone = (seconds: number, height: number): Float32Array =>
  Float32Array.from({ length: seconds * decodedRate }, (_, i) => height * Math.sin(i / 3));
const joined = (...parts: Float32Array[]): Float32Array => Float32Array.from(parts.flatMap((part) => [...part]));

test('bars of samples are those that the extension tells of the same samples', async () => {
  const spoken = turns(60);
  const samples = samplesOf(spoken, decodedRate);
  const path = join(folder, 'talk.wav');
  writeFileSync(path, wavOf(integers(samples), decodedRate));
  const bars = barsOf(levelsOf([Float32Array.from(samples)]));
  const told = await peaksOf(path, { name: 'wav' }, bars.length, new AbortController().signal);
  assert.equal(bars.length, Math.min(mostBars, Math.floor(lengthOf(spoken) / 0.02)));
  const apart = bars.map((bar, i) => Math.abs(bar - (told?.[i] ?? 0))).sort((a, b) => a - b);
  // Where speech begins or ends in a part, blocks that begin elsewhere may be of either.
  const mean = apart.reduce((sum, each) => sum + each, 0) / apart.length;
  assert.ok(mean < 0.015 && (apart[Math.floor(apart.length * 0.95)] ?? 1) < 0.05, `${mean} ${apart.slice(-9)}`);
});

test('a tenth of the height is two fifths of the picture lower, and silence is nothing', () => {
  const bars = barsOf(levelsOf([joined(tone(2, 0.5), tone(2, 0.05), new Float32Array(2 * decodedRate))]));
  assert.equal(bars.length, 300);
  assert.ok(bars.slice(0, 99).every((bar) => bar > 0.98));
  assert.ok(bars.slice(101, 199).every((bar) => Math.abs(bar - 0.6) < 0.02));
  assert.ok(bars.slice(201).every((bar) => bar === 0));
  assert.deepEqual(barsOf(levelsOf([new Float32Array(decodedRate)])), Array(50).fill(0));
});

test('of two channels that speak, each may have one', () => {
  const [left, right] = [joined(tone(1, 0.5), tone(1, 0)), joined(tone(1, 0), tone(1, 0.5))];
  assert.ok(barsOf(levelsOf([left, right])).every((bar) => bar > 0.95));
});

test('a rumble that is louder than the voice is hardly there', () => {
  const rumble = Float32Array.from({ length: decodedRate }, (_, i) => 0.9 * Math.sin(i / 500));
  const bars = barsOf(levelsOf([joined(rumble, tone(1, 0.3))]));
  assert.ok(Math.max(...bars.slice(0, 49)) < 0.4, String(bars.slice(0, 4)));
});

test('an hour is no more bars than a page is wide, and what is shorter than a block is none', () => {
  assert.equal(barsOf(Array.from({ length: 180_000 }, (_, i) => -20 - (i % 30))).length, mostBars);
  assert.deepEqual(barsOf(levelsOf([new Float32Array(100)])), []);
  assert.deepEqual(barsOf(levelsOf([])), []);
});
