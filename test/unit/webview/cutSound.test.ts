import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cutSound } from '../../../src/webview/transcript/sound/cutSound.ts';
import { root } from '../../host/paths.ts';
import { mp3Frame, mp3Seconds, mux, opusPacket, opusSeconds, wavOf } from '../../support/recordings.ts';

const fixture = (name: string): Buffer => readFileSync(join(root, 'test/fixtures/workspace/recordings', name));
/** The pieces of a sound, as files of their own. */
const filesOf = (bytes: Uint8Array): Buffer[] => [...(cutSound(bytes)?.files ?? [])].map((file) => Buffer.from(file));
const frames = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => mp3Frame(0.4)));
const opus = (count: number, packet = opusPacket(0.4)): Promise<Buffer> =>
  mux(Array(count).fill(packet), { container: 'ogg', codec: 'opus' });

/** A tag as players write it before an MP3, with a picture. */
function tagOf(size: number): Buffer {
  const head = Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1');
  for (const i of [0, 1, 2, 3]) head[9 - i] = (size >> (7 * i)) & 0x7f;
  return Buffer.concat([head, Buffer.alloc(size, 0xff)]);
}

describe('a recording is cut into pieces that are decoded alone', () => {
  test('of each kind whose sound can be counted, and as long as it is', () => {
    for (const [name, seconds] of [
      ['begruessung.wav', 3.4343],
      ['reunion.mp3', 3.924],
      ['aviso.ogg', 3.9589],
      ['promemoria.flac', 4.5986],
    ] as const) {
      const sound = cutSound(fixture(name));
      assert.ok(sound && Math.abs(sound.seconds - seconds) < 0.15, `${name}: ${sound?.seconds}`);
      assert.equal([...sound.files].length, 1, name);
    }
  });

  test('all samples of a WAV are in one of them, once, each behind what says how they are written', () => {
    const data = Buffer.from(Uint8Array.from({ length: 2 * 7_000_000 }, (_, i) => i % 251));
    const wav = wavOf(data, 8_000);
    const files = filesOf(Buffer.concat([wav, Buffer.from('LIST\x04\0\0\0text')]));
    assert.equal(files.length, 3);
    assert.ok(files.every((file) => file.subarray(0, 44).equals(wav.subarray(0, 44))));
    assert.ok(Buffer.concat(files.map((file) => file.subarray(44))).equals(data));
  });

  test('all frames of an MP3 are, the one that says how many there are at the start; tags are not', () => {
    const about = mp3Frame(0);
    about.write('Info', 21, 'latin1');
    const sound = frames(4_000);
    const files = filesOf(Buffer.concat([tagOf(30_000), about, sound, Buffer.from(`TAG${' '.repeat(125)}`)]));
    assert.equal(files.length, 4);
    assert.ok(Buffer.concat(files).equals(Buffer.concat([about, sound])));
    const lengths = files.map((file) => file.length);
    assert.ok(Math.min(...lengths) > Math.max(...lengths) * 0.9, String(lengths));
    const seconds = cutSound(Buffer.concat([about, sound]))?.seconds ?? 0;
    assert.ok(Math.abs(seconds - 4_000 * mp3Seconds) < 1e-6, 'it is no sound itself');
  });

  test('an MP3 with noise between its frames goes on behind it', () => {
    const noise = Buffer.alloc(500, 0x55);
    const sound = cutSound(Buffer.concat([frames(100), noise, frames(100)]));
    assert.ok(Math.abs((sound?.seconds ?? 0) - 200 * mp3Seconds) < 1e-6);
  });

  test('pieces of an Ogg begin with its head and a whole packet', async () => {
    const ogg = await opus(6_000);
    const files = filesOf(ogg);
    assert.equal(files.length, 2);
    const head = ogg.indexOf('OggS', ogg.indexOf('OpusTags'));
    assert.ok(files.every((file) => file.subarray(0, head).equals(ogg.subarray(0, head))));
    assert.ok(files.every((file) => file.toString('latin1', head, head + 4) === 'OggS'));
    assert.ok(Buffer.concat(files.map((file) => file.subarray(head))).equals(ogg.subarray(head)));
    assert.ok(Math.abs((cutSound(ogg)?.seconds ?? 0) - 6_000 * opusSeconds) < 0.1);
  });

  test('a piece of FLAC says nothing of how long the whole is', () => {
    const flac = fixture('promemoria.flac');
    const [file] = filesOf(flac);
    assert.equal(file?.[4], 0x80);
    assert.deepEqual([...(file?.subarray(22, 26) ?? [])], [0, 0, 0, 0]);
    assert.ok(flac.subarray(-1_000).equals(file?.subarray(-1_000) ?? Buffer.alloc(0)));
  });
});

describe('a recording is not cut', () => {
  test('that is of another kind, or of no kind', async () => {
    const webm = await mux(Array(50).fill(opusPacket(0.4)), { container: 'webm', codec: 'opus' });
    const law = wavOf(Buffer.alloc(8_000), 8_000, { bytes: 1, tag: 7 });
    for (const bytes of [
      fixture('notiz.m4a'),
      webm,
      law,
      Buffer.from('<html>'),
      Buffer.alloc(0),
      Buffer.alloc(9_000, 0xff),
    ]) {
      assert.equal(cutSound(bytes), undefined);
    }
  });

  test('that is longer than an hour', () => {
    const second = (count: number): Buffer => wavOf(Buffer.alloc(count * 3_000), 3_000, { bytes: 1 });
    assert.ok(cutSound(second(3_600)));
    assert.equal(cutSound(second(3_601)), undefined);
  });

  test('of whose bytes a few would be hours', async () => {
    // Forty-eight frames of two and a half milliseconds in two bytes, as the most that a packet may have.
    const long = Buffer.from([0x83, 48]);
    assert.equal(cutSound(await opus(40_000, long)), undefined);
    assert.ok(cutSound(await opus(1_000, long)));
    const flac = fixture('promemoria.flac');
    const start = flac.subarray(0, flac.indexOf(Buffer.from([0xff, 0xf8]), 42));
    // The head of a frame of 32,768 samples, of which nothing else is there.
    const frame = Buffer.from([0xff, 0xf8, 0xf9, 0x08, 0x00, 0x00]);
    frame[5] = crc8(frame.subarray(0, 5));
    assert.ok(cutSound(Buffer.concat([start, ...Array<Buffer>(100).fill(frame)])));
    assert.equal(cutSound(Buffer.concat([start, ...Array<Buffer>(20_000).fill(frame)])), undefined);
  });

  test('where nearly all of it looks like the begin of a frame', () => {
    const flac = fixture('promemoria.flac');
    const start = flac.subarray(0, flac.indexOf(Buffer.from([0xff, 0xf8]), 42));
    assert.equal(
      cutSound(Buffer.concat([start, Buffer.alloc(1_000_000, Buffer.from([0xff, 0xf8, 0xff, 0xff]))])),
      undefined,
    );
  });

  test('whose numbers are none that a recorder writes', () => {
    const samples = Buffer.alloc(65_000 * 10);
    for (const [rate, channels] of [
      [1, 1],
      [0, 1],
      [8_000, 65_000],
      [8_000, 0],
    ] as const)
      assert.equal(cutSound(wavOf(samples, rate, { channels, bytes: 1 })), undefined, `${rate} ${channels}`);
  });

  test('where another stream begins in it', async () => {
    const [one, other] = await Promise.all([opus(100), opus(100)]);
    assert.equal(cutSound(Buffer.concat([one, other])), undefined);
  });

  test('of which pages of Ogg are missing, but the end of the last one', async () => {
    const ogg = await opus(6_000);
    assert.ok(cutSound(ogg.subarray(0, -100)));
    assert.ok(cutSound(ogg.subarray(0, ogg.lastIndexOf('OggS') + 2)));
    const broken = Buffer.from(ogg);
    broken.write('none', broken.indexOf('OggS', ogg.length / 2));
    assert.equal(cutSound(broken), undefined);
  });

  test('where more of it is passed over than is frames of one rate', () => {
    const other = Buffer.from(frames(2_000));
    for (let at = 2; at < other.length; at += mp3Frame(0).length) other[at] = ((other[at] ?? 0) & 0xf3) | 4;
    assert.equal(cutSound(Buffer.concat([frames(100), other])), undefined);
  });
});

test('whatever bytes come, pieces are parts of them in their order, and nothing is thrown', async () => {
  const files = ['begruessung.wav', 'reunion.mp3', 'aviso.ogg', 'promemoria.flac'].map(fixture);
  files.push(await opus(500));
  const change = fc.record({ at: fc.nat({ max: 400 }), value: fc.nat({ max: 255 }) });
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.array(change, { maxLength: 8 }), fc.nat(), (file, changes, cutOff) => {
      const bytes = Buffer.from(file.subarray(0, cutOff % 3 === 0 ? cutOff % file.length : file.length));
      for (const { at, value } of changes) if (at < bytes.length) bytes[at] = value;
      const sound = cutSound(bytes);
      if (sound === undefined) return;
      assert.ok(sound.seconds > 0 && sound.seconds <= 3_600);
      for (const piece of sound.files) assert.ok(piece.length <= bytes.length + 1_048_576);
    }),
    { numRuns: 400 },
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => void cutSound(bytes)));
});

function crc8(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80 ? ((sum << 1) ^ 7) & 0xff : (sum << 1) & 0xff;
  }
  return sum;
}
