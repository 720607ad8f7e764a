import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { detectFormat, isRecordingName, isTaken } from '../../../../src/audio/recording/formats.ts';
import { openRecording } from '../../../../src/audio/recording/recording.ts';
import { unreadName } from '../../../../src/audio/recording/unreadFormats.ts';
import type { Container } from '../../../../src/audio/split/container.ts';
import { openContainer } from '../../../../src/audio/split/openContainer.ts';
import { writePiece } from '../../../../src/audio/split/write/writePiece.ts';
import { ServiceError } from '../../../../src/base/errors.ts';
import { cafOf, cafOfAac, mp2Frame, mp2Seconds, w64Of } from '../../../support/rareFormats.ts';
import {
  aacPacket,
  aacSeconds,
  framesOf,
  integers,
  lengthOf,
  mux,
  samplesOf,
  turns,
  wavOf,
} from '../../../support/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-rare-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();
const spoken = turns(3);
const samples = samplesOf(spoken, 8_000);
const length = lengthOf(spoken);

async function open(bytes: Buffer): Promise<Container> {
  const path = join(folder, 'recording');
  writeFileSync(path, bytes);
  const { recording, close } = await openRecording(path);
  await close();
  return openContainer(path, recording.format, signal);
}
async function written(sound: Container): Promise<Buffer> {
  const path = join(folder, 'piece');
  await writePiece(sound, { from: sound.start, to: sound.end }, path, { signal });
  await sound.close();
  return readFileSync(path);
}

describe('a recording in a rarer format', () => {
  test('of samples becomes the WAV that it would be', async () => {
    const wav = wavOf(integers(samples), 8_000);
    const lpcm = { format: 'lpcm', rate: 8_000, bytesPerPacket: 2, bits: 16 };
    const forms = {
      w64: w64Of(wav),
      'caf, as on a Mac': cafOf(integers(samples, 2, true), lpcm),
      'caf, the other way round': cafOf(integers(samples), { ...lpcm, flags: 2 }),
    };
    for (const [name, bytes] of Object.entries(forms)) {
      const sound = await open(bytes);
      assert.ok(Math.abs(sound.end - length) < 0.01, name);
      assert.ok((await written(sound)).equals(wav), name);
    }
  });

  test('of AAC in a Core Audio file keeps its packets', async () => {
    const packets = framesOf(spoken, aacSeconds, aacPacket);
    const sound = await open(cafOfAac(packets));
    assert.ok(Math.abs(sound.end - length) < 0.05);
    const found: Buffer[] = [];
    for await (const { bytes } of sound.packets(sound.start, sound.end, signal)) found.push(Buffer.from(bytes));
    assert.ok(Buffer.concat(found).equals(Buffer.concat(packets)));
    assert.equal(sound.form.extension, 'm4a');
    assert.ok((await written(sound)).length > 1_000);
  });

  test('of MPEG layer II goes as MPEG audio; of 3GP as the MP4 that it is', async () => {
    const sound = await open(Buffer.concat(framesOf(spoken, mp2Seconds, () => mp2Frame)));
    assert.deepEqual([sound.codec, sound.form.contentType], ['mp2', 'audio/mpeg']);
    assert.ok(Math.abs(sound.end - length) < 0.05);
    await sound.close();
    const film = await mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mp4', codec: 'aac' });
    film.write('3gp6', 8, 'latin1');
    const telephone = await open(film);
    assert.equal(telephone.codec, 'aac');
    await telephone.close();
  });

  test('that nobody here reads is known by its name, and is not said to be no audio', async () => {
    const unread = {
      AMR: Buffer.from('#!AMR\n\x3c\0\0\0\0\0\0\0', 'latin1'),
      WMA: Buffer.concat([Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), Buffer.alloc(200)]),
      alac: cafOf(Buffer.alloc(90), { format: 'alac', rate: 44_100 }),
    };
    for (const [param, bytes] of Object.entries(unread))
      await assert.rejects(open(bytes), { kind: 'not-audio', param });
    await assert.rejects(open(Buffer.from('RIFX is none of them, nor is this.')), {
      kind: 'not-audio',
      param: undefined,
    });
  });

  test('is offered, and never sent as it is', () => {
    for (const name of ['caf', 'w64', 'mp2'] as const) {
      assert.ok(isRecordingName(`talk.${name}`), name);
      assert.equal(isTaken({ name }), false);
    }
    assert.equal(isTaken({ name: 'unread' }), false);
    for (const name of ['talk.3gp', 'talk.amr', 'talk.wma', 'talk.awb', 'talk.avi', 'TALK.W64'])
      assert.ok(isRecordingName(name));
  });

  test('of a kind that nobody here reads is told by its name, and text in a recording’s place is not', () => {
    const stream = Buffer.alloc(188 * 8);
    for (let at = 0; at < stream.length; at += 188) stream.writeUInt8(0x47, at);
    const camera = Buffer.alloc(192 * 8);
    for (let at = 4; at < camera.length; at += 192) camera.writeUInt8(0x47, at);
    const named: [Buffer, string | undefined][] = [
      [Buffer.from('RIFF\x10\0\0\0AVI LIST', 'latin1'), 'AVI'],
      [Buffer.from('FLV\x01\x05\0\0\0\x09', 'latin1'), 'FLV'],
      [Buffer.from('.snd\0\0\0\x18', 'latin1'), 'AU'],
      [Buffer.from('wvpk\x20\x05\0\0', 'latin1'), 'WavPack'],
      [Buffer.from('\0\0\x01\xba\x44\0', 'latin1'), 'MPEG-PS'],
      [stream, 'MPEG-TS'],
      [camera, 'MPEG-TS'],
      [Buffer.from('Gang of Four, a transcript: GGGG'.repeat(60)), undefined],
      [Buffer.from('MAChine learning, a talk'), undefined],
      [Buffer.alloc(2_000), undefined],
      [Buffer.alloc(0), undefined],
    ];
    for (const [head, name] of named) {
      assert.equal(unreadName(head), name);
      assert.equal(detectFormat(head, head.length)?.name, name && 'unread');
    }
  });

  test('that is damaged ends in one clear error, or in what could be saved', async () => {
    const packets = framesOf(turns(1), aacSeconds, aacPacket);
    const files = [cafOfAac(packets), w64Of(wavOf(integers(samples.subarray(0, 8_000)), 8_000))];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        async (file, changes, share) => {
          const bytes = Buffer.from(file.subarray(0, Math.ceil(file.length * share)));
          for (const [at, value] of changes) if (at < bytes.length && at > 16) bytes.writeUInt8(value, at);
          try {
            const sound = await open(bytes);
            assert.ok(sound.end >= sound.start && Number.isFinite(sound.end));
            await written(sound);
          } catch (error) {
            assert.ok(error instanceof ServiceError, String(error));
          }
        },
      ),
      { numRuns: 200, seed: 11 },
    );
  });
});
