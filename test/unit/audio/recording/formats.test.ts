import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type AudioFormat,
  detectFormat,
  isRecordingName,
  isTaken,
  recordingExtensions,
} from '../../../../src/audio/recording/formats.ts';
import {
  aacPacket,
  adtsFrame,
  aiffOf,
  type containers,
  mp3Frame,
  mux,
  opusPacket,
} from '../../../support/recordings.ts';

const nameOf = (head: Buffer): AudioFormat['name'] | undefined => detectFormat(head, head.length)?.name;
const box = (name: string, length = 16): Buffer => {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32BE(length, 0);
  bytes.write(name, 4, 'latin1');
  return bytes;
};

describe('the true format', () => {
  test('of a container is told by its first bytes', async () => {
    const seen: Record<string, string | undefined> = {};
    for (const container of [
      'mp4',
      'mov',
      'fragmented',
      'webm',
      'mkv',
      'ogg',
    ] as const satisfies (keyof typeof containers)[]) {
      const isOpus = container === 'webm' || container === 'ogg';
      const packets = [0, 1, 2].map(() => (isOpus ? opusPacket(1) : aacPacket(1)));
      seen[container] = nameOf(await mux(packets, { container, codec: isOpus ? 'opus' : 'aac' }));
    }
    assert.deepEqual(seen, { mp4: 'mp4', mov: 'mov', fragmented: 'mp4', webm: 'webm', mkv: 'mkv', ogg: 'ogg' });
  });

  test('of Matroska and WebM is told apart by the kind of document', () => {
    const ebml = (kind: string): Buffer => {
      const body = Buffer.concat([Buffer.from([0x42, 0x82, 0x80 + kind.length]), Buffer.from(kind)]);
      return Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 + body.length]), body, Buffer.alloc(64)]);
    };
    assert.equal(nameOf(ebml('matroska')), 'mkv');
    assert.equal(nameOf(ebml('webm')), 'webm');
  });

  test('of QuickTime is told with and without its first box', () => {
    assert.equal(nameOf(Buffer.concat([box('ftyp'), Buffer.alloc(20)]).fill('qt  ', 8, 12)), 'mov');
    assert.equal(nameOf(Buffer.concat([box('ftyp'), Buffer.alloc(20)]).fill('M4A ', 8, 12)), 'mp4');
    assert.equal(nameOf(Buffer.concat([box('wide', 8), box('mdat'), box('moov')])), 'mov');
    assert.equal(nameOf(Buffer.concat([box('moov', 5_000)])), 'mov');
    assert.equal(nameOf(Buffer.concat([box('free'), Buffer.from('something else')])), undefined);
  });

  test('of AIFF is told with its length', () => {
    for (const compression of ['', 'sowt']) {
      const aiff = aiffOf(Buffer.alloc(88_200 * 2), 44_100, { compression });
      assert.deepEqual(detectFormat(aiff.subarray(0, 16_384), aiff.length), {
        name: 'aiff',
        contentType: 'audio/aiff',
        playerType: 'audio/aiff',
        durationSeconds: 2,
      });
    }
  });

  test('of frames is told, and of a WAV with lengths of 64 bits', () => {
    const adts = adtsFrame(aacPacket(1));
    assert.equal(nameOf(Buffer.concat([adts, adts, adts])), 'aac');
    assert.equal(nameOf(Buffer.concat([mp3Frame(1), mp3Frame(1)])), 'mp3');
    assert.equal(nameOf(Buffer.from('RF64\xff\xff\xff\xffWAVEds64', 'latin1')), 'wav');
  });

  test('says whether services take the file as it is', () => {
    const names = ['flac', 'wav', 'ogg', 'webm', 'mp4', 'mp3', 'aac', 'aiff', 'mov', 'mkv'] as const;
    assert.deepEqual(
      names.filter((name) => !isTaken({ name })),
      ['aac', 'aiff', 'mov', 'mkv'],
    );
  });

  test('has each name that can be picked once', () => {
    assert.equal(new Set(recordingExtensions).size, recordingExtensions.length);
    for (const name of ['aac', 'aiff', 'opus', 'mov', 'mkv', 'm4v', 'oga'])
      assert.ok(isRecordingName(`talk.${name}`), name);
  });

  test('knows of M4A that it has no pictures, and of no other file that may have some', () => {
    const headOf = (brand: string): Buffer => Buffer.from(`\0\0\0\x20ftyp${brand}\0\0\0\0`, 'latin1');
    assert.equal(detectFormat(headOf('M4A '), 1_000)?.mayHavePictures, undefined);
    assert.equal(detectFormat(headOf('isom'), 1_000)?.mayHavePictures, true);
  });
});
