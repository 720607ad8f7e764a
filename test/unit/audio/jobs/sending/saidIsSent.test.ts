/** What is said before recordings are sent is what is sent then, with the splitter as it is. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { createJobs } from '../../../../../src/audio/jobs/jobs.ts';
import { openSplit } from '../../../../../src/audio/jobs/openSplit.ts';
import { createPieceStore } from '../../../../../src/audio/jobs/pieceStore.ts';
import { estimateSending, type SendingEstimate } from '../../../../../src/audio/jobs/sending/estimateSending.ts';
import type { RecordingWork } from '../../../../../src/audio/jobs/sending/sendingWork.ts';
import { createServiceWait } from '../../../../../src/audio/jobs/serviceWait.ts';
import { proveSoundAlone } from '../../../../../src/audio/jobs/soundAlone.ts';
import type { Candidate } from '../../../../../src/audio/jobs/translate.ts';
import { translateRecording } from '../../../../../src/audio/jobs/translateRecording.ts';
import { buildTranslationPrompt } from '../../../../../src/audio/prompt/translationPrompt.ts';
import { openRecording } from '../../../../../src/audio/recording/recording.ts';
import { createSplitter } from '../../../../../src/audio/split/splitter.ts';
import { ServiceError } from '../../../../../src/base/errors.ts';
import type { Translation } from '../../../../../src/service/audio/audio.ts';
import { createFakeClock } from '../../../../support/fakeClock.ts';
import { muxTracks } from '../../../../support/muxTracks.ts';
import {
  aacPacket,
  aacSeconds,
  adtsFrame,
  aiffOf,
  framesOf,
  integers,
  mp3Frame,
  mp3Seconds,
  mux,
  opusPacket,
  opusSeconds,
  samplesOf,
  turns,
  wavOf,
} from '../../../../support/recordings.ts';

const never = new AbortController().signal;
const splitter = createSplitter(new URL('../../../../../src/audio/split/thread/splitThread.ts', import.meta.url));
after(() => splitter.dispose());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-said-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Sent {
  bytes: number;
  contentType: string;
  magic: string;
}

/** A service that notes what it gets, and how recordings are sent to it. */
function serviceOf(
  mostBytes: number,
  refuse: (sent: Sent, count: number) => ServiceError | undefined = () => undefined,
) {
  const sent: Sent[] = [];
  let isKnown = false;
  const limit = {
    bytes: mostBytes,
    learn(bytes: number) {
      limit.bytes = Math.min(limit.bytes, bytes);
    },
  };
  const work: RecordingWork = {
    store: createPieceStore(join(folder, 'pieces')),
    limit,
    request: { baseUrl: 'https://a.example/v1', model: 'm', options: {} },
    parallel: 2,
    wait: createServiceWait(createFakeClock()),
    promptFor: async () => buildTranslationPrompt({ instruction: 'names', glossary: [] }),
    carryOver: (prompt) => prompt,
    async send({ path, contentType }) {
      const file = readFileSync(path);
      const one = { bytes: file.length, contentType, magic: file.toString('latin1', 0, 4) };
      const refused = refuse(one, sent.length);
      sent.push(one);
      if (refused !== undefined) throw refused;
      return { text: 'said', segments: undefined };
    },
    openSplit: (recording, signal, track) => openSplit(splitter, recording, signal, track),
    proveAlone: (recording, signal) => proveSoundAlone(splitter, recording, signal),
    encodedRefusal: {
      get isKnown() {
        return isKnown;
      },
      learn() {
        isKnown = true;
      },
    },
    merge: async (pieces) => ({ text: pieces.map(() => 'said').join(' '), segments: undefined }),
    now: () => 0,
  };
  return { work, sent, limit };
}

async function candidateOf(name: string, bytes: Buffer): Promise<Candidate> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const file = await openRecording(path);
  const sha256 = await file.hash(never);
  await file.close();
  return { recording: file.recording, sha256, saved: undefined };
}

async function send({ recording, sha256 }: Candidate, work: RecordingWork): Promise<string | undefined> {
  const jobs = createJobs<Translation | undefined>(() => {});
  const done = await jobs.run(recording.path, never, (job) => translateRecording(recording, sha256, work, job));
  return done?.text;
}

/** What is said, then what is sent. */
async function both(candidates: Candidate[], { work, sent }: ReturnType<typeof serviceOf>) {
  const said = await estimateSending(candidates, work, never);
  const before = sent.length;
  for (const candidate of candidates) await send(candidate, work).catch(() => undefined);
  return { said, sent: sent.slice(before) };
}

const bytesOf = ({ requests }: Pick<SendingEstimate, 'requests'>): number =>
  requests.reduce((sum, { bytes }) => sum + bytes, 0);

function assertSame({ said, sent }: Awaited<ReturnType<typeof both>>): void {
  assert.equal(said.requests.length, sent.length);
  const bytes = sent.reduce((sum, each) => sum + each.bytes, 0);
  const off = Math.abs(bytesOf(said) - bytes) / bytes;
  assert.ok(off < 0.05, `${bytesOf(said)} bytes are said, ${bytes} are sent`);
}

const rate = 16_000;
/** A buzz with pauses, of which FLAC leaves less than half. */
const voice = (seconds: number): Float64Array =>
  Float64Array.from({ length: seconds * rate }, (_, i) => {
    const t = i / rate;
    const loud = Math.max(0, Math.sin(2 * Math.PI * 0.4 * t)) ** 2;
    return 0.2 * loud * [1, 2, 3, 5, 8].reduce((sum, h) => sum + Math.sin(2 * Math.PI * 130 * h * t + h) / h, 0);
  });
const mp3 = (seconds: number): Buffer => Buffer.concat(framesOf(turns(seconds / 2), mp3Seconds, mp3Frame));
const wav = (seconds: number): Buffer => wavOf(integers(voice(seconds)), rate);

const packetsOf = (codec: 'aac' | 'opus', seconds: number): Buffer[] =>
  codec === 'aac'
    ? framesOf(turns(seconds / 2), aacSeconds, (height) => aacPacket(height, 300))
    : framesOf(turns(seconds / 2), opusSeconds, opusPacket);

const recordings: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  'talk.mp3': () => mp3(60),
  'noise.wav': () => wavOf(integers(samplesOf(turns(20), 8_000)), 8_000),
  'voice.wav': () => wav(60),
  'voice.aiff': () => aiffOf(integers(voice(60), 2, true), rate),
  'talk.aac': () => Buffer.concat(packetsOf('aac', 60).map(adtsFrame)),
  'talk.mp4': () => mux(packetsOf('aac', 60), { container: 'mp4', codec: 'aac' }),
  'film.mp4': () => mux(packetsOf('aac', 60), { container: 'mp4', codec: 'aac', hasPictures: true }),
  'film.mkv': () => mux(packetsOf('aac', 60), { container: 'mkv', codec: 'aac', hasPictures: true }),
  'film.webm': () => mux(packetsOf('opus', 120), { container: 'webm', codec: 'opus', hasPictures: true }),
  'talk.ogg': () => mux(packetsOf('opus', 120), { container: 'ogg', codec: 'opus' }),
};

describe('what is said before sending is what is sent', () => {
  for (const [name, make] of Object.entries(recordings)) {
    for (const limit of [25e6, 300_000]) {
      it(`of ${name}, ${limit === 25e6 ? 'in one' : 'in pieces'}`, async () => {
        const result = await both([await candidateOf(name, await make())], serviceOf(limit));
        assertSame(result);
        if (limit === 25e6) assert.equal(result.sent.length, 1);
      });
    }
  }

  it('of one that goes as it is, to the byte', async () => {
    const candidate = await candidateOf('talk.mp3', mp3(60));
    const { said, sent } = await both([candidate], serviceOf(25e6));
    assert.equal(bytesOf(said), sent[0]?.bytes);
    assert.equal(bytesOf(said), statSync(candidate.recording.path).size);
    assert.ok(said.requests.every(({ isExact }) => isExact));
  });

  it('of one that was begun: only what is missing', async () => {
    const service = serviceOf(300_000, (_, count) =>
      count >= 2 && count < 20 ? new ServiceError('auth', { status: 401 }) : undefined,
    );
    const candidate = await candidateOf('talk.mp3', mp3(120));
    const whole = await estimateSending([candidate], service.work, never);
    await assert.rejects(send(candidate, service.work));
    const taken = 2;
    service.sent.length = 20;
    const result = await both([candidate], service);
    assertSame(result);
    assert.equal(result.said.kept, taken);
    assert.equal(result.said.requests.length, whole.requests.length - taken);
    assert.ok(result.said.seconds < whole.seconds);
    assert.equal((await estimateSending([candidate], service.work, never)).requests.length, 0);
  });

  it('of one that was begun where more was taken, and is gone on with where less is, or more', async () => {
    for (const next of [200_000, 25e6]) {
      const service = serviceOf(400_000, (_, count) =>
        count === 1 ? new ServiceError('auth', { status: 401 }) : undefined,
      );
      service.work = { ...service.work, parallel: 1 };
      const candidate = await candidateOf('talk.mp3', mp3(next > 1e6 ? 200 : 180));
      await assert.rejects(send(candidate, service.work));
      service.limit.bytes = next;
      const result = await both([candidate], service);
      assertSame(result);
      assert.equal(result.said.kept, 1);
      assert.ok(result.said.requests.every(({ bytes }) => bytes <= next));
    }
  });

  it('of one for which less is taken than is set', async () => {
    const service = serviceOf(25e6, ({ bytes }) =>
      bytes > 700_000 ? new ServiceError('too-large', { status: 413 }) : undefined,
    );
    await send(await candidateOf('first.mp3', mp3(100)), service.work);
    assert.ok(service.limit.bytes < 25e6);
    assertSame(await both([await candidateOf('second.mp3', mp3(200))], service));
  });

  it('of the same bytes under two names, and of what cannot be read', async () => {
    const bytes = mp3(20);
    const twice = [await candidateOf('one.mp3', bytes), await candidateOf('two.mp3', bytes)];
    const broken = await candidateOf('broken.mkv', (await muxTracks('mkv', [{ codec: 'ac3' }], 5)).subarray(0, 900));
    const { work } = serviceOf(25e6);
    const said = await estimateSending([...twice, broken], work, never);
    assert.deepEqual([said.recordings, said.requests.length, said.unreadable], [1, 1, 1]);
  });

  it('of a track that was chosen: no text of the whole is taken for it', async () => {
    const service = serviceOf(25e6);
    const candidate = await candidateOf('two.mp4', await muxTracks('mp4', [{}, { length: 400 }], 20));
    const { prompt } = await service.work.promptFor(candidate.recording);
    const whole = { ...service.work.request, from: 0, to: Number.POSITIVE_INFINITY, sha256: candidate.sha256, prompt };
    await service.work.store.save(whole, { text: 'of the first', segments: undefined });
    assert.equal(await send(candidate, service.work), 'of the first');
    service.work = { ...service.work, chosenTrack: () => 2 };
    const result = await both([candidate], service);
    assertSame(result);
    assert.equal(result.sent.length, 1);
  });
});

describe('a WAV that FLAC halves', () => {
  it('goes as FLAC, also where it is not cut; one that FLAC does not halve goes as it is', async () => {
    const { sent } = await both([await candidateOf('voice.wav', wav(60))], serviceOf(25e6));
    assert.deepEqual([sent[0]?.magic, sent[0]?.contentType], ['fLaC', 'audio/flac']);
    assert.ok((sent[0]?.bytes ?? 0) < 60 * rate);
    const noise = integers(samplesOf(turns(20), 8_000));
    const other = await both([await candidateOf('noise.wav', wavOf(noise, 8_000))], serviceOf(25e6));
    assert.equal(other.sent[0]?.magic, 'RIFF');
  });

  it('goes as it is to a service that refuses FLAC, which is remembered', async () => {
    const service = serviceOf(25e6, ({ magic }) =>
      magic === 'fLaC' ? new ServiceError('bad-request', { status: 400 }) : undefined,
    );
    assert.equal(await send(await candidateOf('voice.wav', wav(60)), service.work), 'said');
    assert.deepEqual(
      service.sent.map(({ magic }) => magic),
      ['fLaC', 'RIFF'],
    );
    const result = await both([await candidateOf('other.wav', wav(70))], service);
    assertSame(result);
    assert.equal(result.sent[0]?.magic, 'RIFF');
  });

  it('that is refused as it is, too, says why', async () => {
    const service = serviceOf(25e6, () => new ServiceError('bad-request', { status: 400, message: 'no model' }));
    await assert.rejects(send(await candidateOf('voice.wav', wav(60)), service.work), { kind: 'bad-request' });
    assert.equal(service.sent.length, 2);
    assert.equal(service.work.encodedRefusal?.isKnown, false);
  });
});
