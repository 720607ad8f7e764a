import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Output, WebMOutputFormat } from 'mediabunny';
import { createJobs } from '../../../../src/audio/jobs/jobs.ts';
import { openSplit } from '../../../../src/audio/jobs/openSplit.ts';
import { createPieceStore } from '../../../../src/audio/jobs/pieceStore.ts';
import { createServiceWait } from '../../../../src/audio/jobs/serviceWait.ts';
import { proveSoundAlone } from '../../../../src/audio/jobs/soundAlone.ts';
import { translateRecording } from '../../../../src/audio/jobs/translateRecording.ts';
import { mergePieces } from '../../../../src/audio/merge/mergePieces.ts';
import { buildTranslationPrompt } from '../../../../src/audio/prompt/translationPrompt.ts';
import { openRecording } from '../../../../src/audio/recording/recording.ts';
import { bytesOf } from '../../../../src/audio/split/container.ts';
import { openContainer } from '../../../../src/audio/split/openContainer.ts';
import { createSplitter } from '../../../../src/audio/split/splitter.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Translation } from '../../../../src/service/audio/audio.ts';
import {
  boxOf,
  coverBox,
  flacWithPicture,
  id3WithCover,
  oggPage,
  oggWithTheora,
  picture,
  pictureRun,
  silentFilm,
  wavWithCover,
  withInMoov,
} from '../../../support/pictured.ts';
import {
  aacPacket,
  aacSeconds,
  framesOf,
  integers,
  type MuxOptions,
  mp3Frame,
  mp3Seconds,
  mux,
  opusPacket,
  opusSeconds,
  samplesOf,
  turns,
  wavOf,
} from '../../../support/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-alone-'));
const splitter = createSplitter(new URL('../../../../src/audio/split/thread/splitThread.ts', import.meta.url));
after(() => {
  splitter.dispose();
  rmSync(folder, { recursive: true, force: true });
});
const { signal } = new AbortController();
const spoken = turns(2);
const fixtures = join(import.meta.dirname, '../../../fixtures/workspace/recordings');

/** Puts packets into a WebM, with what is told to their decoder. */
async function muxConfig(
  packets: readonly Buffer[],
  codec: 'vorbis',
  decoderConfig: AudioDecoderConfig,
): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  for (const [i, packet] of packets.entries()) {
    await source.add(new EncodedPacket(packet, 'key', i * 0.02, 0.02), { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? assert.fail('nothing was written'));
}

let made = 0;
/** Translates a recording with all that is real but the service. @returns the bytes of each request, and whether it was the file */
async function sentOf(name: string, bytes: Buffer): Promise<{ bytes: Buffer; isFile: boolean }[]> {
  const path = join(folder, `${made++}-${name}`);
  writeFileSync(path, bytes);
  const file = await openRecording(path);
  const sent: { bytes: Buffer; isFile: boolean }[] = [];
  const work: Parameters<typeof translateRecording>[2] = {
    store: createPieceStore(join(folder, `pieces${made}`)),
    limit: { bytes: 25 * 1024 ** 2, learn: () => {} },
    request: { baseUrl: 'https://a.example/v1', model: 'm', options: {} },
    parallel: 1,
    wait: createServiceWait(systemClock),
    promptFor: async () => buildTranslationPrompt({ instruction: '', glossary: [] }),
    carryOver: (prompt) => prompt,
    async send(upload) {
      sent.push({ bytes: readFileSync(upload.path), isFile: upload.path === path });
      return { text: 'said', segments: undefined };
    },
    openSplit: (recording, stop) => openSplit(splitter, recording, stop),
    proveAlone: (recording, stop) => proveSoundAlone(splitter, recording, stop),
    merge: mergePieces,
    now: Date.now,
  };
  try {
    const jobs = createJobs<Translation | undefined>(() => {});
    await jobs.run(path, signal, (job) => translateRecording(file.recording, String(made).repeat(64), work, job));
  } finally {
    await file.close();
  }
  return sent;
}

const sound = (container: MuxOptions['container'], hasPictures = false): Promise<Buffer> =>
  container === 'webm' || container === 'ogg'
    ? mux(framesOf(spoken, opusSeconds, opusPacket), { container, codec: 'opus', hasPictures })
    : mux(framesOf(spoken, aacSeconds, aacPacket), { container, codec: 'aac', hasPictures });
const mp3 = (): Buffer => Buffer.concat(framesOf(spoken, mp3Seconds, mp3Frame));
const wav = (): Buffer => wavOf(integers(samplesOf(spoken, 8_000)), 8_000);
const flac = (): Buffer => readFileSync(join(fixtures, 'promemoria.flac'));
/** An M4A whose table stands at its end, as a telephone writes it. */
const m4a = async (): Promise<Buffer> => asM4a(await sound('mov'));
function asM4a(file: Buffer): Buffer {
  file.write('M4A ', 8, 'latin1');
  return file;
}

/** Kinds of files with pictures in them, by where those are. */
const pictured: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  'film.mp4': () => sound('mp4', true),
  'fragments.mp4': () => sound('fragmented', true),
  'film.webm': () => sound('webm', true),
  'film.mkv': () => sound('mkv', true),
  'film.mov': () => sound('mov', true),
  'named-as-sound.m4a': async () => asM4a(await sound('mov', true)),
  'theora.ogg': async () => oggWithTheora(await sound('ogg')),
  'cover.mp3': () => Buffer.concat([id3WithCover(), mp3()]),
  'cover-between.mp3': () => Buffer.concat([mp3(), id3WithCover(), mp3()]),
  'behind.mp3': () => Buffer.concat([mp3(), picture]),
  'cover.m4a': async () => withInMoov(await m4a(), coverBox()),
  'free-box.m4a': async () => Buffer.concat([await m4a(), boxOf('free', picture)]),
  'uuid-box.m4a': async () => Buffer.concat([await m4a(), boxOf('uuid', picture)]),
  'data.m4a': async () => Buffer.concat([await m4a(), boxOf('mdat', picture)]),
  'behind.m4a': async () => Buffer.concat([await m4a(), picture]),
  'cover.flac': () => flacWithPicture(flac()),
  'behind.flac': () => Buffer.concat([flac(), picture]),
  'tag.flac': () => Buffer.concat([flac(), id3WithCover()]),
  'cover.wav': () => wavWithCover(wav()),
  'junk.wav': () => wavWithCover(wav(), 'JUNK'),
  'behind.wav': () => Buffer.concat([wav(), picture]),
  'behind.ogg': async () => Buffer.concat([await sound('ogg'), picture]),
  'behind.webm': async () => Buffer.concat([await sound('webm'), picture]),
};

describe('what leaves', () => {
  for (const [name, make] of Object.entries(pictured)) {
    test(`of ${name} is its sound, and no picture`, async () => {
      const bytes = await make();
      assert.ok(bytes.includes(pictureRun), 'there is a picture');
      const sent = await sentOf(name, bytes);
      assert.equal(sent.length, 1);
      assert.equal(sent[0]?.isFile, false);
      assert.equal(sent[0]?.bytes.includes(pictureRun), false);
    });
  }

  test('of a film without sound is nothing, and that is said', async () => {
    for (const container of ['mp4', 'webm', 'mov', 'mkv'] as const) {
      const film = await silentFilm(container);
      await assert.rejects(sentOf(`silent.${container}`, film), { kind: 'not-audio', param: 'none' }, container);
    }
  });

  test('of a file that cannot be looked into is nothing', async () => {
    const cut = (await m4a()).subarray(0, -600);
    await assert.rejects(sentOf('cut.m4a', cut), { kind: 'not-audio' });
    await assert.rejects(sentOf('film.mpeg', Buffer.concat([Buffer.from('000001ba', 'hex'), Buffer.alloc(9_000, 1)])), {
      kind: 'not-audio',
    });
    const nothing = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(5_000, 1)]);
    await assert.rejects(sentOf('none.flac', nothing), { kind: 'not-audio' });
  });

  test('of a file that is sound alone is the file, byte for byte', async () => {
    const names = ['aviso.ogg', 'begruessung.wav', 'notiz.m4a', 'promemoria.flac', 'reunion.mp3'];
    const files = [
      ...names.map((name) => [name, readFileSync(join(fixtures, name))] as const),
      ['talk.mp3', mp3()] as const,
      ['talk.wav', wav()] as const,
      ['talk.m4a', await m4a()] as const,
      ['talk.ogg', await sound('ogg')] as const,
    ];
    for (const [name, bytes] of files) {
      const [only, ...others] = await sentOf(name, bytes);
      assert.deepEqual([only?.isFile, others.length], [true, 0], name);
    }
  });

  test('of a codec that is not copied is the file where there is nothing else in it, and else nothing', async () => {
    const alac = async (): Promise<Buffer> => {
      const file = await m4a();
      file.write('alac', file.indexOf('mp4a'), 'latin1');
      file.write('alac', file.indexOf('esds'), 'latin1');
      return file;
    };
    assert.equal((await sentOf('song.m4a', await alac()))[0]?.isFile, true);
    await assert.rejects(sentOf('cover.m4a', withInMoov(await alac(), coverBox())), {
      kind: 'not-audio',
      param: 'alac',
    });
  });

  test('of an Ogg with a cover in its comment is another file', async () => {
    const ogg = await sound('ogg');
    const [second, third] = [ogg.indexOf('OggS', 4), ogg.indexOf('OggS', ogg.indexOf('OggS', 4) + 4)];
    const serial = ogg.readUInt32LE(14);
    const image = picture.subarray(0, 200);
    const block = Buffer.alloc(42);
    for (const [i, field] of [3, 10].entries()) block.writeUInt32BE(field, 4 * i);
    block.write('image/jpeg', 8, 'latin1');
    block.writeUInt32BE(image.length, 38);
    const comment = `METADATA_BLOCK_PICTURE=${Buffer.concat([block, image]).toString('base64')}`;
    const length = Buffer.alloc(12);
    length.writeUInt32LE(1, 4);
    length.writeUInt32LE(comment.length, 8);
    const tags = Buffer.concat([Buffer.from('OpusTags'), length, Buffer.from(comment)]);
    const page = oggPage(tags, { serial, number: 1 });
    const [only] = await sentOf('cover.opus', Buffer.concat([ogg.subarray(0, second), page, ogg.subarray(third)]));
    assert.equal(only?.isFile, false);
    assert.equal(only?.bytes.includes('PICTURE'), false);
  });

  test('of Vorbis has no cover, though one is in what its decoder is told', async () => {
    const source = await openContainer(join(fixtures, 'aviso.ogg'), { name: 'ogg' }, signal);
    const description = bytesOf(source.config?.description);
    const [head, tail] = [
      description.subarray(3, 33),
      description.subarray(description.indexOf('\x05vorbis', 0, 'latin1')),
    ];
    const comment = Buffer.concat([Buffer.from('\x03vorbis', 'latin1'), Buffer.alloc(8), pictureRun, Buffer.from([1])]);
    const packets: Buffer[] = [];
    for await (const { bytes } of source.packets(source.start, source.end, signal)) packets.push(Buffer.from(bytes));
    await source.close();
    const config = {
      ...{ codec: 'vorbis', sampleRate: source.sampleRate, numberOfChannels: source.channels },
      description: Buffer.concat([Buffer.from([2, head.length, comment.length]), head, comment, tail]),
    };
    const film = await muxConfig(packets, 'vorbis', config);
    assert.ok(film.includes(pictureRun));
    const [only] = await sentOf('cover.webm', film);
    assert.ok((only?.bytes.length ?? 0) > 5_000);
    assert.equal(only?.bytes.includes(pictureRun), false);
  });

  test('holds no picture, whatever the container, and however many there are and where', async () => {
    const places = Object.keys(pictured);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        fc.integer({ min: 0, max: 4_000 }),
        fc.constantFrom('none', 'behind', 'before'),
        async (name, length, more) => {
          const image = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64 + length, 1)]);
          const bytes = await (pictured[name] as () => Buffer | Promise<Buffer>)();
          const tag = id3WithCover(image);
          const all = more === 'behind' ? [bytes, image] : more === 'before' ? [tag, bytes] : [bytes];
          const sent = await sentOf(name, Buffer.concat(all)).catch((error: { kind?: string }) => {
            assert.equal(error.kind, 'not-audio');
            return [];
          });
          for (const { bytes: out } of sent) assert.equal(out.includes(pictureRun), false);
        },
      ),
      { numRuns: 40, seed: 33 },
    );
  });
});
