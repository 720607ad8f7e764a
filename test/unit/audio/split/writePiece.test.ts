import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { detectFormat } from '../../../../src/audio/recording/formats.ts';
import type { Container } from '../../../../src/audio/split/container.ts';
import { renumberFrame } from '../../../../src/audio/split/flac/flacFrame.ts';
import { openContainer } from '../../../../src/audio/split/openContainer.ts';
import { planPieces } from '../../../../src/audio/split/plan/planPieces.ts';
import { writePiece } from '../../../../src/audio/split/write/writePiece.ts';
import {
  aacPacket,
  aacSeconds,
  adtsFrame,
  aiffOf,
  framesOf,
  integers,
  isInPause,
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

const folder = mkdtempSync(join(tmpdir(), 'parley-split-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const signal = new AbortController().signal;
const recordings = join(import.meta.dirname, '../../../fixtures/workspace/recordings');

const spoken = turns(14);
const rate = 8_000;
const samples = samplesOf(spoken, rate);

async function openBytes(name: string, bytes: Buffer): Promise<Container> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const format = detectFormat(bytes.subarray(0, 16_384), bytes.length);
  assert.ok(format !== undefined, `${name} has no format`);
  return openContainer(path, format, signal);
}

const makers: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  'talk.wav': () => wavOf(integers(samples), rate),
  'talk.aiff': () => aiffOf(integers(samples, 3, true), rate, { bytes: 3 }),
  'talk.mp3': () => Buffer.concat(framesOf(spoken, mp3Seconds, mp3Frame)),
  'talk.aac': () => Buffer.concat(framesOf(spoken, aacSeconds, (height) => adtsFrame(aacPacket(height)))),
  'talk.m4a': () => mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mp4', codec: 'aac' }),
  'fragments.mp4': () => mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'fragmented', codec: 'aac' }),
  'talk.mov': () => mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mov', codec: 'aac' }),
  'talk.mkv': () => mux(framesOf(spoken, mp3Seconds, mp3Frame), { container: 'mkv', codec: 'mp3' }),
  'talk.webm': () => mux(framesOf(spoken, opusSeconds, opusPacket), { container: 'webm', codec: 'opus' }),
  'talk.opus': () => mux(framesOf(spoken, opusSeconds, opusPacket), { container: 'ogg', codec: 'opus' }),
  'raw.mov': () => {
    const data = integers(samples, 2, true);
    const packets = Array.from({ length: Math.floor(data.length / 1_600) }, (_, i) =>
      data.subarray(i * 1_600, (i + 1) * 1_600),
    );
    return mux(packets, { container: 'mov', codec: 'pcm-s16be', seconds: 0.1 });
  },
};
const forms: Readonly<Record<string, string>> = {
  'talk.wav': 'wav',
  'talk.aiff': 'wav',
  'talk.mp3': 'mp3',
  'talk.aac': 'm4a',
  'talk.m4a': 'm4a',
  'fragments.mp4': 'm4a',
  'talk.mov': 'm4a',
  'talk.mkv': 'mp3',
  'talk.webm': 'webm',
  'talk.opus': 'ogg',
  'raw.mov': 'wav',
};

describe('writing pieces', () => {
  for (const [name, make] of Object.entries(makers)) {
    test(`of ${name}: cut in pauses, in a form that services take, as long as planned, the same bytes each time`, async () => {
      const container = await openBytes(name, await make());
      assert.equal(container.form.extension, forms[name]);
      assert.ok(Math.abs(container.end - lengthOf(spoken)) < 0.15, `${container.end} of ${lengthOf(spoken)}`);
      const { headerBytes } = container.form;
      const mostBytes = 64 * 1024 + headerBytes + Math.round(container.byteCount(0, container.end) / 3);
      const pieces = await planPieces(container, { mostBytes, signal });
      assert.ok(pieces.length >= 3 && pieces.length <= 6, `${pieces.length} pieces`);
      for (const { start, index } of pieces) {
        if (index > 0) assert.ok(isInPause(spoken, start), `${start} is in no pause`);
      }
      for (const piece of pieces) {
        const path = join(folder, 'pieces', `${name}-${piece.index}.${container.form.extension}`);
        const written = await writePiece(container, piece, path, { signal, mostBytes });
        assert.equal(written.contentType, container.form.contentType);
        assert.equal(written.bytes, statSync(path).size);
        assert.ok(written.bytes <= mostBytes - 64 * 1024);
        const bytes = readFileSync(path);
        const format = detectFormat(bytes.subarray(0, 16_384), bytes.length);
        assert.ok(format !== undefined);
        const again = await openContainer(path, format, signal);
        assert.ok(
          Math.abs(again.end - again.start - (piece.to - piece.from)) < 0.003,
          `${again.end} ${piece.to - piece.from}`,
        );
        assert.ok(Math.abs(again.start) < 0.003);
        await again.close();
        await writePiece(container, piece, `${path}.again`, { signal });
        assert.ok(readFileSync(`${path}.again`).equals(bytes), 'other bytes the second time');
      }
      await container.close();
    });
  }

  test('copies each packet once, in order, and none of another place', async () => {
    const packets = framesOf(spoken, aacSeconds, aacPacket).map((packet, i) => {
      packet.writeUInt32BE(i, packet.length - 4);
      return packet;
    });
    const container = await openBytes(
      'numbered.m4a',
      await mux(packets, { container: 'mp4', codec: 'aac', start: 0.5 }),
    );
    assert.equal(container.start, 0.5);
    const path = join(folder, 'part.m4a');
    const from = container.packetStart(10);
    const to = container.packetStart(12);
    await writePiece(container, { from, to }, path, { signal });
    const part = await openContainer(path, { name: 'mp4' }, signal);
    const numbers: number[] = [];
    for await (const { bytes } of part.packets(part.start, part.end, signal)) {
      numbers.push(Buffer.from(bytes).readUInt32BE(bytes.length - 4));
    }
    const first = Math.round((from - 0.5) / aacSeconds);
    assert.deepEqual(
      numbers,
      Array.from({ length: Math.round((to - from) / aacSeconds) }, (_, i) => first + i),
    );
    await part.close();
    await container.close();
  });

  test('leaves samples as they are: 24 bits, two channels, any rate; and turns those of AIFF round', async () => {
    const stereo = integers(samples.subarray(0, 40_000), 3);
    const wav = await openBytes('stereo.wav', wavOf(stereo, 48_000, { channels: 2, bytes: 3 }));
    assert.deepEqual([wav.codec, wav.channels, wav.sampleRate], ['pcm-s24', 2, 48_000]);
    const path = join(folder, 'part.wav');
    await writePiece(wav, { from: 0.1, to: 0.2 }, path, { signal });
    const part = readFileSync(path);
    assert.ok(part.subarray(44).equals(stereo.subarray(4_800 * 6, 9_600 * 6)));
    assert.deepEqual([part.readUInt16LE(22), part.readUInt32LE(24), part.readUInt16LE(34)], [2, 48_000, 24]);
    await wav.close();

    for (const bytes of [1, 2, 3, 4]) {
      const aiff = await openBytes(
        'big.aiff',
        aiffOf(integers(samples.subarray(0, 8_000), bytes, true), rate, { bytes }),
      );
      await writePiece(aiff, { from: 0, to: 1 }, path, { signal });
      const expected = integers(samples.subarray(0, 8_000), bytes).map((byte) => (bytes === 1 ? byte ^ 0x80 : byte));
      assert.ok(
        readFileSync(path)
          .subarray(44, 44 + 8_000 * bytes)
          .equals(expected),
        `${bytes} bytes`,
      );
      await aiff.close();
    }
  });

  test('numbers the frames of FLAC anew, with the checksums that an encoder gives them', async () => {
    const container = await openContainer(join(recordings, 'promemoria.flac'), { name: 'flac' }, signal);
    const frames: Uint8Array[] = [];
    for await (const { bytes } of container.packets(container.start, container.end, signal)) frames.push(bytes);
    assert.ok(frames.length > 10);
    for (const [i, frame] of frames.entries()) {
      const same = Buffer.from(renumberFrame(frame, i, i * 4096));
      assert.ok(same.equals(frame), `frame ${i}`);
      // A number of more bytes, and back.
      const other = renumberFrame(frame, 3_000_000, 0);
      assert.notEqual(other.length, frame.length);
      assert.ok(Buffer.from(renumberFrame(other, i, 0)).equals(frame));
    }
    const path = join(folder, 'part.flac');
    const from = container.packetStart(2);
    const written = await writePiece(container, { from, to: container.end }, path, { signal });
    const bytes = readFileSync(path);
    const left = frames.slice(container.packetCount(0, from));
    const numbered = left.map((frame, i) => renumberFrame(frame, i, 0));
    assert.ok(bytes.subarray(42).equals(Buffer.concat(numbered)));
    assert.equal(detectFormat(bytes, bytes.length)?.durationSeconds?.toFixed(4), written.duration.toFixed(4));
    await container.close();
  });

  test('finds each frame of FLAC, of one that was put together from two as well, and short ones at the end', async () => {
    const file = readFileSync(join(recordings, 'promemoria.flac'));
    const read = async (name: string, bytes: Buffer): Promise<number[]> => {
      const container = await openBytes(name, bytes);
      const lengths: number[] = [];
      for await (const { bytes } of container.packets(container.start, container.end, signal))
        lengths.push(bytes.length);
      await container.close();
      return lengths;
    };
    const lengths = await read('one.flac', file);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const frames = file.subarray(file.length - total);
    assert.equal(frames.readUInt16BE(0), 0xfff8);
    const seconds = detectFormat(file, file.length)?.durationSeconds ?? 0;
    const container = await openContainer(join(recordings, 'promemoria.flac'), { name: 'flac' }, signal);
    assert.ok(Math.abs(container.end - seconds) < 1e-6, String(container.end));
    await container.close();
    assert.deepEqual(await read('two.flac', Buffer.concat([file, frames])), [...lengths, ...lengths]);
    const tag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]);
    assert.deepEqual(await read('tagged.flac', Buffer.concat([file, tag])), lengths);
    // Of a file that is cut off, the frame that is not whole is left out.
    assert.deepEqual(await read('cut.flac', file.subarray(0, -5)), lengths.slice(0, -1));
  });

  test('takes the sound of a video, and none of its pictures', async () => {
    for (const container of ['mkv', 'mp4', 'webm'] as const) {
      const codec = container === 'webm' ? 'opus' : 'aac';
      const frames =
        codec === 'opus' ? framesOf(spoken, opusSeconds, opusPacket) : framesOf(spoken, aacSeconds, aacPacket);
      const bytes = await mux(frames, { container, codec, hasPictures: true });
      const opened = await openBytes(`film.${container}`, bytes);
      assert.equal(opened.hasPictures, true);
      const path = join(folder, `sound.${opened.form.extension}`);
      const written = await writePiece(opened, { from: opened.start, to: opened.end }, path, { signal });
      const sound = frames.reduce((sum, frame) => sum + frame.length, 0);
      assert.ok(written.bytes < sound + opened.form.headerBytes + frames.length * opened.form.packetBytes);
      const copy = await openContainer(path, { name: container === 'webm' ? 'webm' : 'mp4' }, signal);
      assert.deepEqual([copy.hasPictures, copy.byteCount(-1, 1e6)], [false, sound]);
      await copy.close();
      await opened.close();
    }
  });

  test('copies the right packets of an Ogg whose clock jumps', async () => {
    const packets = framesOf(spoken, opusSeconds, opusPacket).map((packet, i) => {
      packet.writeUInt32BE(i, packet.length - 4);
      return packet;
    });
    const file = await mux(packets, { container: 'ogg', codec: 'opus' });
    // From the middle on, all pages say that they end a minute later.
    let page = 0;
    for (let at = file.indexOf('OggS'); at >= 0; at = file.indexOf('OggS', at + 4)) {
      if (page++ < 20) continue;
      file.writeBigUInt64LE(file.readBigUInt64LE(at + 6) + 48_000n * 60n, at + 6);
    }
    assert.ok(page > 25, `${page} pages`);
    const container = await openBytes('jumps.ogg', file);
    const numbers: number[] = [];
    const from = container.packetStart(container.end * 0.8);
    for await (const { bytes } of container.packets(from, container.end, signal)) {
      numbers.push(Buffer.from(bytes).readUInt32BE(bytes.length - 4));
    }
    const first = container.packetCount(-1, from);
    assert.deepEqual(
      numbers,
      Array.from({ length: container.packetCount(from, 1e6) }, (_, i) => first + i),
    );
    await container.close();
  });

  test('says how long an MP3 is, in a frame before its first', async () => {
    const container = await openBytes('length.mp3', Buffer.concat(framesOf(spoken, mp3Seconds, mp3Frame)));
    const path = join(folder, 'part.mp3');
    await writePiece(container, { from: 0, to: mp3Seconds * 100 }, path, { signal });
    const bytes = readFileSync(path);
    const at = bytes.indexOf('Xing');
    assert.ok(at > 0 && at < 60);
    assert.equal(bytes.readUInt32BE(at + 8), 100);
    assert.equal(bytes.readUInt32BE(at + 12), bytes.length);
    await container.close();
  });

  test('keeps what it writes for its user alone, and leaves nothing where it fails', async () => {
    const container = await openBytes('talk.wav', await (makers['talk.wav'] as () => Buffer)());
    const place = join(folder, 'private');
    const path = join(place, 'piece.wav');
    const whole = { from: 0, to: container.end };
    await writePiece(container, whole, path, { signal });
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    rmSync(path);

    await assert.rejects(writePiece(container, whole, path, { signal, mostBytes: 1_000 }), {
      kind: 'too-large',
      param: 'piece',
      hint: 'talk.wav',
    });
    const stop = new AbortController();
    const stopped = writePiece(container, whole, path, { signal: stop.signal, onProgress: () => stop.abort() });
    await assert.rejects(stopped, { kind: 'cancelled' });
    await assert.rejects(writePiece(container, whole, path, { signal: AbortSignal.abort() }), { kind: 'cancelled' });
    assert.deepEqual(readdirSync(place), []);

    writeFileSync(join(folder, 'file'), '');
    await assert.rejects(writePiece(container, whole, join(folder, 'file', 'piece.wav'), { signal }), {
      kind: 'storage',
    });
    assert.ok(!existsSync(path));
    await container.close();
  });
});
