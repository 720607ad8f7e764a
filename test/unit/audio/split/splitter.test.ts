import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { detectFormat } from '../../../../src/audio/recording/formats.ts';
import { openContainer } from '../../../../src/audio/split/openContainer.ts';
import { createSplitter, type RecordingSplitter, type Splitter } from '../../../../src/audio/split/splitter.ts';
import { writePiece } from '../../../../src/audio/split/write/writePiece.ts';
import { ServiceError } from '../../../../src/base/errors.ts';
import {
  aacPacket,
  aacSeconds,
  framesOf,
  integers,
  lengthOf,
  mp3Frame,
  mp3Seconds,
  mux,
  opusPacket,
  opusSeconds,
  randomFrom,
  samplesOf,
  turns,
  wavOf,
} from '../../../support/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-splitter-'));
const recordings: RecordingSplitter[] = [];
const splitters: Splitter[] = [];
after(async () => {
  await Promise.all(recordings.map((recording) => recording.close()));
  for (const splitter of splitters) splitter.dispose();
  rmSync(folder, { recursive: true, force: true });
});
const signal = new AbortController().signal;
const script = new URL('../../../../src/audio/split/thread/splitThread.ts', import.meta.url);
const stuckScript = new URL('../../../support/stuckSplitter.ts', import.meta.url);
const spoken = turns(10);

function splitterOf(
  name: string,
  bytes: Buffer,
  { thread = script, pause = undefined as number | undefined } = {},
): RecordingSplitter {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const format = detectFormat(bytes.subarray(0, 16_384), bytes.length) ?? { name: 'mp4' as const };
  const splitter = createSplitter(thread, pause);
  splitters.push(splitter);
  const recording = splitter.of(path, format);
  recordings.push(recording);
  return recording;
}

const mp3 = (): Buffer => Buffer.concat(framesOf(spoken, mp3Seconds, mp3Frame));
const m4a = (): Promise<Buffer> => mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mp4', codec: 'aac' });

describe('a recording in a thread', () => {
  test('is looked at, planned, written and drawn', async () => {
    const splitter = splitterOf('talk.mp3', mp3());
    const sound = await splitter.open({ signal });
    assert.deepEqual(
      [sound.codec, sound.channels, sound.sampleRate, sound.hasPictures, sound.form.contentType],
      ['mp3', 1, 44_100, false, 'audio/mpeg'],
    );
    assert.ok(Math.abs(sound.end - lengthOf(spoken)) < 0.1);
    const pieces = await splitter.plan({ mostBytes: 64 * 1024 + 2_000 + sound.bytes / 2, signal });
    assert.ok(pieces.length >= 2);
    const shares: number[] = [];
    for (const piece of pieces) {
      const path = join(folder, `piece-${piece.index}.mp3`);
      const written = await splitter.write(piece, path, { signal, onProgress: (share) => shares.push(share) });
      assert.equal(readFileSync(path).length, written.bytes);
      assert.equal(written.duration, piece.to - piece.from);
    }
    assert.ok(shares.every((share) => share >= 0 && share <= 1));
    const peaks = await splitter.peaks(20, { signal });
    assert.equal(peaks?.length, 20);
    assert.equal(Math.max(...(peaks ?? [])), 1);
    // Another thread gives the same.
    await splitter.close();
    assert.deepEqual(await splitter.plan({ mostBytes: 64 * 1024 + 2_000 + sound.bytes / 2, signal }), pieces);
  });

  test('leaves its thread to the next recording, but not while it works', async () => {
    const path = join(folder, 'first.wav');
    writeFileSync(path, wavOf(integers(samplesOf(turns(100), 8_000)), 8_000));
    writeFileSync(join(folder, 'second.mp3'), mp3());
    const splitter = createSplitter(script);
    splitters.push(splitter);
    const first = splitter.of(path, { name: 'wav' });
    const { end } = await first.open({ signal });
    await first.close();
    const second = splitter.of(join(folder, 'second.mp3'), { name: 'mp3' });
    assert.equal((await second.open({ signal })).codec, 'mp3');
    // The first gets another thread, and is what it was.
    assert.equal((await first.open({ signal })).end, end);
    const writing = first.write({ from: 0, to: end }, join(folder, 'closed.wav'), { signal });
    const closed = assert.rejects(writing, { kind: 'cancelled' });
    await first.close();
    await closed;
    assert.equal((await second.plan({ mostBytes: 1e9, signal })).length, 1);
    await second.close();
  });

  test('is written without its pictures, in one piece', async () => {
    const splitter = splitterOf(
      'sound.mkv',
      await mux(framesOf(spoken, aacSeconds, aacPacket), { container: 'mkv', codec: 'aac' }),
    );
    const { start, end, form } = await splitter.open({ signal });
    assert.equal(form.extension, 'm4a');
    const { bytes, contentType } = await splitter.write({ from: start, to: end }, join(folder, 'sound.m4a'), {
      signal,
    });
    assert.equal(contentType, 'audio/mp4');
    assert.equal(detectFormat(readFileSync(join(folder, 'sound.m4a')), bytes)?.name, 'mp4');
  });

  test('ends at once when it is stopped, in the middle of a loop too, and leaves no file', async () => {
    const endless = splitterOf('endless.mp3', mp3(), { thread: stuckScript });
    const stop = new AbortController();
    const stuck = endless.write({ from: 0, to: 10 }, join(folder, 'none', 'piece.mp3'), { signal: stop.signal });
    stop.abort();
    await assert.rejects(stuck, { kind: 'cancelled' });

    const long = splitterOf('long.wav', wavOf(integers(samplesOf(turns(200), 8_000)), 8_000));
    const { end } = await long.open({ signal });
    const place = join(folder, 'stopped');
    const stopWriting = new AbortController();
    const options = { signal: stopWriting.signal, onProgress: () => stopWriting.abort() };
    await assert.rejects(long.write({ from: 0, to: end }, join(place, 'piece.wav'), options), { kind: 'cancelled' });
    assert.deepEqual(readdirSync(place), []);
    // It goes on with the next call.
    assert.equal((await long.open({ signal })).end, end);
    await assert.rejects(long.open({ signal: AbortSignal.abort() }), { kind: 'cancelled' });
  });

  test('is given up when it does not get on, or takes all memory', async () => {
    const endless = splitterOf('endless.mp3', mp3(), { thread: stuckScript, pause: 300 });
    await assert.rejects(endless.open({ signal }), { kind: 'not-audio', hint: 'endless.mp3' });
    const hungry = splitterOf('hungry.mp3', mp3(), { thread: stuckScript });
    await assert.rejects(hungry.open({ signal }), { kind: 'not-audio', hint: 'hungry.mp3' });
  });

  test('is given up when its tables claim four thousand million packets', async () => {
    const file = await m4a();
    const at = file.indexOf('stts');
    // One entry: so many packets of such a length.
    file.writeUInt32BE(1, at + 8);
    file.writeUInt32BE(0xffffffff, at + 12);
    const splitter = splitterOf('bomb.m4a', file);
    const outcome = await splitter.open({ signal }).catch((error: unknown) => error);
    assert.ok(!(outcome instanceof ServiceError) || outcome.kind === 'not-audio');

    // The same in a table that the library unrolls.
    const box = Buffer.concat([
      Buffer.from('00000018', 'hex'),
      Buffer.from('ctts'),
      Buffer.from('0000000000000001ffffffff00000001', 'hex'),
    ]);
    const unrolled = splitterOf('unrolled.mp4', withBox(await m4a(), box), { pause: 2_000 });
    await assert.rejects(unrolled.open({ signal }), { kind: 'not-audio', hint: 'unrolled.mp4' });
  });

  test('says which codec no service takes, and that there is no sound', async () => {
    const packets = framesOf(spoken, 0.032, () => Buffer.from('0b77f8c01e40e1df', 'hex'));
    const splitter = splitterOf('film.mkv', await mux(packets, { container: 'mkv', codec: 'ac3' }));
    await assert.rejects(splitter.open({ signal }), { kind: 'not-audio', hint: 'film.mkv', param: 'ac3' });
    const alac = await m4a();
    alac.write('alac', alac.indexOf('mp4a'), 'latin1');
    alac.write('alac', alac.indexOf('esds'), 'latin1');
    await assert.rejects(splitterOf('song.m4a', alac).open({ signal }), {
      kind: 'not-audio',
      hint: 'song.m4a',
      param: 'alac',
    });
    const silent = await m4a();
    silent.write('text', silent.indexOf('soun'), 'latin1');
    await assert.rejects(splitterOf('silent.mp4', silent).open({ signal }), { kind: 'not-audio', param: 'none' });
  });
});

/** Puts a box into the table of samples of an MP4 whose tables come first. */
function withBox(file: Buffer, box: Buffer): Buffer {
  const end = file.indexOf('stts') - 4;
  const longer = Buffer.concat([file.subarray(0, end), box, file.subarray(end)]);
  for (const name of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
    const at = longer.indexOf(name) - 4;
    longer.writeUInt32BE(longer.readUInt32BE(at) + box.length, at);
  }
  return longer;
}

describe('a damaged recording', () => {
  const random = randomFrom(5);
  /** The same file with some bytes changed, or its end missing. */
  const damage = (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes);
    for (let i = 0; i < 1 + random() * 8; i++)
      copy[Math.floor(random() ** 3 * copy.length)] = Math.floor(random() * 256);
    return random() < 0.3 ? copy.subarray(0, Math.floor(random() * copy.length)) : copy;
  };
  /** Opens it and copies all of it; gives what went wrong, but for what a ServiceError says. */
  async function look(path: string, name: 'mp3' | 'wav' | 'aac'): Promise<unknown> {
    try {
      const container = await openContainer(path, { name }, signal);
      try {
        assert.ok(container.end >= container.start && Number.isFinite(container.end));
        await container.levels(container.start, container.end, signal);
        await writePiece(container, { from: container.start, to: container.end }, `${path}.piece`, { signal });
      } finally {
        await container.close();
      }
      return undefined;
    } catch (error) {
      return error instanceof ServiceError ? undefined : error;
    }
  }

  test('of our own formats ends in one clear error, or in what could be saved', async () => {
    const small = turns(3);
    const files = {
      mp3: Buffer.concat(framesOf(small, mp3Seconds, mp3Frame)),
      wav: wavOf(integers(samplesOf(small, 8_000)), 8_000),
      aac: Buffer.concat(framesOf(small, aacSeconds, aacPacket)),
    };
    const path = join(folder, 'damaged');
    for (const [name, bytes] of Object.entries(files)) {
      for (let i = 0; i < 60; i++) {
        writeFileSync(path, damage(bytes));
        assert.equal(await look(path, name as keyof typeof files), undefined);
      }
    }
  });

  test('of a container ends in one clear error, or in what could be saved', async () => {
    const small = turns(3);
    const files = {
      'a.m4a': await mux(framesOf(small, aacSeconds, aacPacket), { container: 'mp4', codec: 'aac' }),
      'b.mp4': await mux(framesOf(small, aacSeconds, aacPacket), { container: 'fragmented', codec: 'aac' }),
      'c.webm': await mux(framesOf(small, opusSeconds, opusPacket), { container: 'webm', codec: 'opus' }),
      'd.ogg': await mux(framesOf(small, opusSeconds, opusPacket), { container: 'ogg', codec: 'opus' }),
    };
    for (const [name, bytes] of Object.entries(files)) {
      for (let i = 0; i < 6; i++) {
        const splitter = splitterOf(name, damage(bytes), { pause: 5_000 });
        const outcome = await splitter
          .open({ signal })
          .then(({ start, end }) => splitter.write({ from: start, to: end }, join(folder, 'saved'), { signal }))
          .catch((error: unknown) => error);
        await splitter.close();
        if (outcome instanceof Error) assert.ok(outcome instanceof ServiceError, String(outcome.stack));
      }
    }
  });

  test('of which the middle is missing keeps the times of what is there', async () => {
    const whole = framesOf(spoken, mp3Seconds, mp3Frame);
    const holed = Buffer.concat([...whole.slice(0, 200), Buffer.from('garbage'.repeat(500)), ...whole.slice(200)]);
    const path = join(folder, 'holed.mp3');
    writeFileSync(path, holed);
    const container = await openContainer(path, { name: 'mp3' }, signal);
    // The last frame before the hole is not followed by another, and so may be none.
    assert.ok(Math.abs(container.packetCount(-1, 1e6) - whole.length) <= 1);
    const piece = join(folder, 'holed-piece.mp3');
    await writePiece(container, { from: container.packetStart(2), to: container.end }, piece, { signal });
    assert.equal(readFileSync(piece).includes('garbage'), false);
    await container.close();
  });
});
