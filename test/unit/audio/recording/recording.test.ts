import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { detectFormat, isRecordingName } from '../../../../src/audio/recording/formats.ts';
import { largestRecording, openRecording, type Recording, stampAt } from '../../../../src/audio/recording/recording.ts';
import { type ErrorKind, ServiceError } from '../../../../src/base/errors.ts';
import { sentenceOf } from '../../../support/vscodeStub.ts';

const recordings = join(import.meta.dirname, '../../../fixtures/workspace/recordings');
const folder = mkdtempSync(join(tmpdir(), 'parley-probe-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function probe(path: string): Promise<Recording> {
  const file = await openRecording(path);
  await file.close();
  return file.recording;
}

async function kindOf(path: string): Promise<string> {
  const error = await probe(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ServiceError ? `${error.kind} ${error.hint}` : String(error);
}

/** A WAV header of 16 kHz, 16 bit, one channel, whose data chunk claims a length. */
function wav(claimed: number, bytes: number): Buffer {
  const head = Buffer.alloc(44 + bytes);
  head.write('RIFF', 0, 'latin1');
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt32LE(32_000, 28);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(claimed, 40);
  return head;
}

describe('probing a recording', () => {
  test('tells the format of each real recording, and the length where the header gives it', async () => {
    const seen: Record<string, unknown> = {};
    for (const name of ['begruessung.wav', 'promemoria.flac', 'aviso.ogg', 'reunion.mp3', 'notiz.m4a']) {
      const { format, fileName, size } = await probe(join(recordings, name));
      assert.equal(fileName, name);
      assert.ok(size > 1000);
      seen[name] = [format.contentType, format.playerType, format.durationSeconds?.toFixed(1)];
    }
    assert.deepEqual(seen, {
      'begruessung.wav': ['audio/wav', 'audio/wav', '3.4'],
      'promemoria.flac': ['audio/flac', 'audio/flac', '4.6'],
      'aviso.ogg': ['audio/ogg', 'audio/ogg; codecs="vorbis"', undefined],
      'reunion.mp3': ['audio/mpeg', 'audio/mpeg', undefined],
      'notiz.m4a': ['audio/mp4', 'audio/mp4; codecs="mp4a.40.2"', undefined],
    });
  });

  test('goes by the bytes, not by the name', async () => {
    const { format } = await probe(fileWith('really.mp3', wav(32_000, 32_000)));
    assert.equal(format.name, 'wav');
    assert.equal(format.durationSeconds, 1);
  });

  test('takes the length from the file when the header of a WAV was never finished', () => {
    for (const claimed of [0, 0xffffffff]) {
      assert.equal(detectFormat(wav(claimed, 64_000), 44 + 64_000)?.durationSeconds, 2);
    }
  });

  test('says what is wrong with a file that cannot be translated', async () => {
    assert.equal(await kindOf(join(folder, 'gone.mp3')), 'file-missing gone.mp3');
    assert.equal(await kindOf(fileWith('empty.ogg', '')), 'file-empty empty.ogg');
    assert.equal(
      await kindOf(fileWith('notes.mp3', 'These are notes, not a recording.\n'.repeat(50))),
      'not-audio notes.mp3',
    );
    assert.equal(
      await kindOf(fileWith('picture.wav', Buffer.from('89504e470d0a1a0a0000000d', 'hex'))),
      'not-audio picture.wav',
    );
    assert.equal(await kindOf(fileWith('riff.wav', 'RIFF\0\0\0\0ACONLIST')), 'not-audio riff.wav');
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
    assert.equal(await kindOf(fileWith('large.flac', pointer)), 'git-lfs-pointer large.flac');
    assert.equal(await kindOf(folder), `not-audio ${folder.split('/').at(-1)}`);
  });

  test('does not wait at a pipe, nor read a bomb of terabytes, and says what cannot be read', async () => {
    const pipe = join(folder, 'pipe.wav');
    spawnSync('mkfifo', [pipe]);
    assert.equal(await kindOf(pipe), 'not-audio pipe.wav');
    const bomb = fileWith('bomb.wav', wav(0xffffffff, 100));
    truncateSync(bomb, 2 ** 40);
    assert.equal(await kindOf(bomb), 'too-large bomb.wav');
    symlinkSync(join(folder, 'loop.wav'), join(folder, 'loop.wav'));
    await assert.rejects(probe(join(folder, 'loop.wav')), { kind: 'file-missing', param: 'unreadable' });
  });

  test('has a sentence of its own for each that names the file', () => {
    const sentence = (kind: ErrorKind, param?: string): string =>
      sentenceOf(new ServiceError(kind, { hint: 'a.wav', ...(param === undefined ? {} : { param }) }));
    const sentences = [
      sentence('file-missing'),
      sentence('file-missing', 'unreadable'),
      sentence('file-empty'),
      sentence('not-audio'),
      sentence('too-large', 'recording'),
      sentence('git-lfs-pointer'),
    ];
    assert.equal(new Set(sentences).size, sentences.length);
    for (const each of sentences) assert.match(each, /a\.wav/);
  });

  test('finds MPEG frames without a tag, after leading zeros too, but not a lone sync word', () => {
    // 32 kbit/s at 16 kHz, version 2: frames of 144 bytes.
    const frame = Buffer.alloc(144);
    frame.writeUInt32BE(0xfff34800);
    assert.equal(detectFormat(Buffer.concat([Buffer.alloc(100), frame, frame]), 388)?.name, 'mp3');
    assert.equal(detectFormat(Buffer.concat([frame, Buffer.alloc(200)]), 344), undefined);
  });

  test('never throws, whatever the bytes', () => {
    const starts = ['', 'fLaC', 'RIFF\0\0\0\0WAVE', 'OggS', '\x1a\x45\xdf\xa3', '\0\0\0 ftyp', '\xff\xfb'];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), fc.nat(), (start, rest, size) => {
        const found = detectFormat(Buffer.concat([Buffer.from(start, 'latin1'), rest]), size);
        const seconds = found?.durationSeconds;
        assert.ok(seconds === undefined || (Number.isFinite(seconds) && seconds > 0));
      }),
    );
  });

  test('knows the nine extensions in any case', () => {
    assert.equal(isRecordingName('/a/Meeting.MP3'), true);
    assert.equal(isRecordingName('/a/b.Opus'), true);
    assert.equal(isRecordingName('/a/mp3'), false);
    assert.equal(isRecordingName('/a/b.txt'), false);
  });
});

describe('hashing a recording', () => {
  const never = new AbortController().signal;
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

  test('reads it piece by piece, however long it is', async (t) => {
    const text = `fLaC${'x'.repeat(600_000)}`;
    const file = await openRecording(fileWith('big.flac', text));
    t.after(() => file.close());
    assert.equal(await file.hash(never), sha256(text));
    assert.equal(await file.hash(never), sha256(text), 'again');
  });

  test('ends as soon as it is stopped', async (t) => {
    const file = await openRecording(fileWith('long.flac', 'fLaC'));
    t.after(() => file.close());
    await assert.rejects(file.hash(AbortSignal.abort()), { kind: 'cancelled' });
    // Terabytes would be read for an hour; a file of holes costs no disk.
    truncateSync(join(folder, 'long.flac'), largestRecording);
    const long = await openRecording(join(folder, 'long.flac'));
    t.after(() => long.close());
    const stop = new AbortController();
    const hashing = long.hash(stop.signal);
    stop.abort();
    await assert.rejects(hashing, { kind: 'cancelled' });
  });

  test('is of the file that was opened, whatever was put in its place', async (t) => {
    const path = fileWith('first.flac', 'fLaC first');
    const file = await openRecording(path);
    t.after(() => file.close());
    renameSync(fileWith('second.flac', 'fLaC second'), path);
    assert.equal(await file.hash(never), sha256('fLaC first'));
    assert.notEqual(await stampAt(path), file.recording.stamp);
  });

  test('takes no more than was there of a file that grows, and what is left of one that shrank', async (t) => {
    const path = fileWith('growing.flac', 'fLaC one');
    const file = await openRecording(path);
    t.after(() => file.close());
    writeFileSync(path, 'fLaC one two');
    assert.equal(await file.hash(never), sha256('fLaC one'));
    truncateSync(path, 4);
    assert.equal(await file.hash(never), sha256('fLaC'));
  });
});
