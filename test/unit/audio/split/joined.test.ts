import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { openRecording } from '../../../../src/audio/recording/recording.ts';
import type { Container } from '../../../../src/audio/split/container.ts';
import { infoFrame } from '../../../../src/audio/split/frames/xing.ts';
import { openContainer } from '../../../../src/audio/split/openContainer.ts';
import { planPieces } from '../../../../src/audio/split/plan/planPieces.ts';
import { writePiece } from '../../../../src/audio/split/write/writePiece.ts';
import { id3WithCover, pictureRun } from '../../../support/pictured.ts';
import {
  aacPacket,
  aacSeconds,
  adtsFrame,
  aiffOf,
  framesOf,
  integers,
  lengthOf,
  mp3Frame,
  mp3Seconds,
  mux,
  opusPacket,
  opusSeconds,
  samplesOf,
  turns,
  wavOf,
} from '../../../support/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-joined-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();
const spoken = turns(4);
const fixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../../fixtures/workspace/recordings', name));

let made = 0;
async function open(...files: Buffer[]): Promise<Container> {
  const path = join(folder, `recording${made++}`);
  writeFileSync(path, Buffer.concat(files));
  const { recording, close } = await openRecording(path);
  await close();
  return openContainer(path, recording.format, signal);
}
/** The seconds that are heard in all pieces; each is read again, as a service does. Pieces overlap by nothing here: all fits. */
async function heardIn(sound: Container, mostBytes = 25e6): Promise<number> {
  let heard = 0;
  for (const piece of await planPieces(sound, { mostBytes, signal })) {
    const path = join(folder, `piece${made++}`);
    await writePiece(sound, piece, path, { signal });
    const { recording, close } = await openRecording(path);
    await close();
    const again = await openContainer(path, recording.format, signal);
    assert.ok(
      Math.abs(again.end - again.start - (piece.to - piece.from)) < 0.05,
      'a piece is as long as it was planned',
    );
    heard += piece.end - piece.start;
    assert.equal(readFileSync(path).includes(pictureRun), false);
    await again.close();
  }
  return heard;
}
const near = (found: number, expected: number, why = ''): void =>
  assert.ok(Math.abs(found - expected) < 0.25, `${found} for ${expected} ${why}`);

const opus = (channels = 1): Promise<Buffer> =>
  mux(framesOf(spoken, opusSeconds, opusPacket), { container: 'ogg', codec: 'opus' }).then((file) => {
    if (channels === 1) return file;
    const at = file.indexOf('OpusHead');
    file.writeUInt8(channels, at + 9);
    return file;
  });
const mp3 = (): Buffer => Buffer.concat(framesOf(spoken, mp3Seconds, mp3Frame));
/** MPEG-2 layer III at 16 kHz, mono, 64 kbit/s, in which nothing is said. */
const slowFrame = Buffer.concat([Buffer.from('fff388c4', 'hex')], 288);
const slowSeconds = 576 / 16_000;
const slow = (): Buffer => Buffer.concat(framesOf(spoken, slowSeconds, () => slowFrame));
const adts = (): Buffer => Buffer.concat(framesOf(spoken, aacSeconds, (height) => adtsFrame(aacPacket(height))));
const wav = (rate: number): Buffer => wavOf(integers(samplesOf(spoken, rate)), rate);
const length = lengthOf(spoken);

describe('files that were joined end to end', () => {
  const joined: Readonly<Record<string, () => Promise<readonly [files: Buffer[], seconds: number, parts: number]>>> = {
    'two Opus': async () => [[await opus(), await opus()], 2 * length, 1],
    'two Vorbis': async () => [[fixture('aviso.ogg'), fixture('aviso.ogg')], 0, 1],
    'Opus and Vorbis': async () => [[await opus(), fixture('aviso.ogg'), await opus()], 0, 3],
    'two MP3': async () => [[mp3(), mp3()], 2 * length, 1],
    'MP3 of two rates': async () => [[mp3(), slow()], 2 * length, 2],
    'MP3 of two rates, back and forth, with a cover between': async () => [
      [mp3(), id3WithCover(), slow(), id3WithCover(), mp3()],
      3 * length,
      3,
    ],
    'two ADTS': async () => [[adts(), adts()], 2 * length, 1],
    'two FLAC': async () => [[fixture('promemoria.flac'), fixture('promemoria.flac')], 0, 1],
    'two FLAC with a cover between': async () => [
      [fixture('promemoria.flac'), id3WithCover(), fixture('promemoria.flac')],
      0,
      1,
    ],
    'two WAV': async () => [[wav(8_000), wav(8_000)], 2 * length, 1],
    'WAV of two rates': async () => [[wav(8_000), wav(16_000)], 2 * length, 2],
    'WAV and MP3': async () => [[wav(8_000), mp3()], 2 * length, 2],
    'two AIFF': async () => {
      const aiff = aiffOf(integers(samplesOf(spoken, 8_000), 2, true), 8_000);
      return [[aiff, aiff], 2 * length, 1];
    },
    'two M4A': async () => {
      const file = await mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mp4', codec: 'aac' });
      return [[file, file], 2 * length, 1];
    },
    'two WebM': async () => {
      const file = await mux(framesOf(spoken, opusSeconds, opusPacket), { container: 'webm', codec: 'opus' });
      return [[file, file], 2 * length, 1];
    },
    'Matroska and WebM': async () => {
      const first = await mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mkv', codec: 'aac' });
      const second = await mux(framesOf(spoken, opusSeconds, opusPacket), { container: 'webm', codec: 'opus' });
      return [[first, second], 2 * length, 2];
    },
  };
  for (const [name, make] of Object.entries(joined)) {
    test(`${name}: all of it is heard, in order, in pieces of one kind each`, async () => {
      const [files, seconds, parts] = await make();
      let alone = seconds;
      if (alone === 0) {
        for (const file of files.filter((file) => !file.subarray(0, 3).equals(Buffer.from('ID3')))) {
          const sound = await open(file);
          alone += sound.end - sound.start;
          await sound.close();
        }
      }
      const sound = await open(...files);
      assert.equal(sound.parts?.length ?? 1, parts);
      near(sound.end - sound.start, alone);
      near(await heardIn(sound), alone, 'in pieces');
      const small = 64 * 1024 + 30_000 + Math.round(sound.byteCount(sound.start, sound.end) / 5);
      if (alone > 20) near(await heardIn(sound, small), alone, 'in small pieces');
      // A piece that is too large by now is cut where it is.
      const [, last] = (await planPieces(sound, { mostBytes: 25e6, signal })).reverse();
      if (last !== undefined)
        assert.deepEqual((await planPieces(sound, { mostBytes: 25e6, signal, part: last })).length, 1);
      assert.equal(sound.rest, undefined);
      await sound.close();
    });
  }

  test('of MP3, however many of whatever rates: each frame once, in order', async () => {
    const frames = { fast: mp3Frame(0.5), slow: slowFrame };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('fast' as const, 'slow' as const), fc.integer({ min: 8, max: 400 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.boolean(),
        async (runs, hasTags) => {
          const all = runs.flatMap(([kind, count]) => Array.from({ length: count }, () => frames[kind]));
          const files = runs.map(([kind, count]) => Buffer.concat(Array.from({ length: count }, () => frames[kind])));
          const sound = await open(...files.flatMap((file, i) => (hasTags && i > 0 ? [id3WithCover(), file] : [file])));
          const found: number[] = [];
          for await (const { bytes } of sound.packets(sound.start, sound.end, signal)) found.push(bytes.length);
          await sound.close();
          assert.deepEqual(
            found,
            all.map((frame) => frame.length),
          );
        },
      ),
      { numRuns: 40, seed: 5 },
    );
  });
});

describe('a tag before what is no MP3', () => {
  test('is looked behind, however long it is', async () => {
    for (const tag of [id3WithCover(), id3WithCover(Buffer.alloc(90_000, 1))]) {
      const path = join(folder, 'tagged.mp3');
      for (const [file, name] of [
        [fixture('promemoria.flac'), 'flac'],
        [adts(), 'aac'],
        [mp3(), 'mp3'],
      ] as const) {
        writeFileSync(path, Buffer.concat([tag, file]));
        const { recording, close } = await openRecording(path);
        await close();
        assert.equal(recording.format.name, name);
        const sound = await openContainer(path, recording.format, signal);
        assert.equal(sound.codec, name);
        assert.ok(sound.end > 2);
        await sound.close();
      }
    }
  });
});

test('a file of more recordings than are taken says so, and is not called damaged', async () => {
  const short = wavOf(integers(samplesOf(turns(1), 8_000).subarray(0, 1_600)), 8_000);
  const sound = await open(...Array.from({ length: 200 }, () => short));
  await sound.close();
  await assert.rejects(open(...Array.from({ length: 320 }, () => short)), { kind: 'not-audio', param: 'parts' });
});

describe('a file that is cut off', () => {
  const cut = async (file: Buffer): Promise<Container> => open(file.subarray(0, Math.floor(file.length * 0.6)));

  test('says where it ends, and what it promised', async () => {
    const frames = framesOf(spoken, mp3Seconds, mp3Frame);
    const [first] = frames;
    assert.ok(first !== undefined);
    const files = {
      wav: wav(8_000),
      aiff: aiffOf(integers(samplesOf(spoken, 8_000), 2, true), 8_000),
      mp3: Buffer.concat([infoFrame(first, frames.length, frames.length * first.length), ...frames]),
      mp4: await mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mp4', codec: 'aac' }),
      webm: await mux(framesOf(spoken, opusSeconds, opusPacket), { container: 'webm', codec: 'opus' }),
    };
    for (const [name, file] of Object.entries(files)) {
      const sound = await cut(file);
      near(sound.promised ?? 0, length, name);
      assert.ok(sound.end > length * 0.5 && sound.end < length * 0.75, `${name} ${sound.end}`);
      await sound.close();
      const whole = await open(file);
      assert.equal(whole.promised, undefined, `${name} is whole`);
      await whole.close();
    }
    const flac = await cut(fixture('promemoria.flac'));
    assert.ok((flac.promised ?? 0) > flac.end + 1);
    await flac.close();
  });

  test('of WebM or Matroska is heard to its last whole block, wherever the cut is', async () => {
    const frames = Array.from({ length: 1_500 }, () => opusPacket(1));
    const seconds = frames.length * opusSeconds;
    for (const container of ['webm', 'mkv'] as const) {
      const file = await mux(frames, { container, codec: 'opus' });
      for (const share of [0.2, 0.41, 0.57, 0.83, 0.96]) {
        const sound = await open(file.subarray(0, Math.floor(file.length * share)));
        assert.ok(Math.abs(sound.end - seconds * share) < 0.5, `${container} ${share}: ${sound.end}`);
        near(await heardIn(sound), sound.end, container);
        await sound.close();
      }
    }
  });

  test('is heard to its end where it promises nothing, and is not taken for a film where it tells nothing', async () => {
    const ogg = await cut(await opus());
    assert.ok(ogg.end > length * 0.5, `${ogg.end}`);
    await ogg.close();
    const telephone = await mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mov', codec: 'aac' });
    await assert.rejects(cut(telephone), { kind: 'not-audio', param: 'cut' });
  });
});

describe('what stands behind the end', () => {
  test('and is no sound is counted, but for padding and tags', async () => {
    const stray = Buffer.alloc(20_000, 'stray ');
    const files = [
      wav(8_000),
      await opus(),
      await mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mp4', codec: 'aac' }),
    ];
    for (const file of files) {
      const sound = await open(file, stray);
      assert.equal(sound.rest, stray.length);
      near(sound.end, length);
      await sound.close();
      for (const more of [Buffer.alloc(20_000), Buffer.from('TAG'.padEnd(128))]) {
        const fine = await open(file, more);
        assert.equal(fine.rest, undefined);
        near(fine.end, length);
        await fine.close();
      }
    }
  });
});
