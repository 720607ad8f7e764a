import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createPieceStore, type PieceStore, wholeRecording } from '../../../../../src/audio/jobs/pieceStore.ts';
import type { SplitRecording } from '../../../../../src/audio/jobs/pieces.ts';
import { estimateSending } from '../../../../../src/audio/jobs/sending/estimateSending.ts';
import { proveSoundAlone } from '../../../../../src/audio/jobs/soundAlone.ts';
import type { Candidate } from '../../../../../src/audio/jobs/translate.ts';
import { buildTranslationPrompt } from '../../../../../src/audio/prompt/translationPrompt.ts';
import type { TrackInfo } from '../../../../../src/audio/recording/trackInfo.ts';
import { ServiceError } from '../../../../../src/base/errors.ts';

const MB = 1024 ** 2;
const never = new AbortController().signal;
const request = { baseUrl: 'https://a.example/v1', model: 'm', options: {} };

let folder: string;
let store: PieceStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-estimate-'));
  store = createPieceStore(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function candidateOf(size: number, format: Partial<Candidate['recording']['format']> = {}, number = 0): Candidate {
  const all = { name: 'mp3', contentType: 'audio/mpeg', playerType: 'audio/mpeg', ...format } as const;
  const recording = { path: '/r/a.mp3', fileName: 'a.mp3', size, mtimeMs: 0, change: '', stamp: '', format: all };
  return { recording, sha256: String(number).padStart(64, 'c'), saved: undefined };
}

type Sound = Pick<SplitRecording, 'durationSeconds' | 'soundBytes' | 'tracks' | 'track'>;

/** @param sound what is found in a file that is looked into; without it, the service alone can read the file */
function estimate(candidates: Candidate[], sound?: Sound, glossary: string[] = []) {
  const isAlone = sound?.tracks === undefined;
  const looker = {
    of: () => ({
      look: async () => ({ isAlone, ...(sound && { seconds: sound.durationSeconds }) }),
      close: async () => {},
    }),
  };
  const work = {
    store,
    request,
    limit: { bytes: 25 * MB, learn: () => {} },
    promptFor: async () => buildTranslationPrompt({ instruction: '', glossary }),
    proveAlone: (recording: Candidate['recording'], signal: AbortSignal) => proveSoundAlone(looker, recording, signal),
    openSplit: async () => {
      if (sound === undefined) throw new ServiceError('not-audio');
      const { durationSeconds, soundBytes } = sound;
      const count = Math.ceil(soundBytes / (24 * MB));
      const pieces = Array.from({ length: count }, (_, index) => {
        const [start, end] = [(index * durationSeconds) / count, ((index + 1) * durationSeconds) / count];
        return {
          index,
          start,
          end,
          from: start,
          to: end,
          startsQuiet: true,
          endsQuiet: true,
          bytes: soundBytes / count,
        };
      });
      return { ...sound, plan: async () => pieces, close: async () => {} } as unknown as SplitRecording;
    },
  };
  return estimateSending(candidates, work, never);
}

describe('what is about to be sent', () => {
  it('is known by the lengths that recordings tell', async () => {
    const { seconds, unknown, requests, pieces } = await estimate([candidateOf(2 * MB, { durationSeconds: 60 }, 1)], {
      durationSeconds: 61,
      soundBytes: 2 * MB,
    });
    assert.deepEqual([seconds, unknown, pieces], [61, 0, 0]);
    assert.deepEqual(requests, [{ seconds: 61, bytes: 2 * MB, isExact: true }]);
  });

  it('is estimated by the size of those that tell no length', async () => {
    const all = Array.from({ length: 1_000 }, (_, index) => candidateOf(480_000, {}, index));
    const { seconds, unknown, recordings } = await estimate(all);
    assert.deepEqual([seconds / 60, unknown, recordings], [1_000, 1_000, 1_000]);
  });

  it('is nothing of what cannot be read', async () => {
    const { requests, recordings, unreadable } = await estimate([candidateOf(60 * MB)]);
    assert.deepEqual([requests.length, recordings, unreadable], [0, 0, 1]);
  });

  it('is the sound of a video alone', async () => {
    const video = candidateOf(900 * MB, { name: 'mp4', durationSeconds: 3_600, mayHavePictures: true });
    const { requests, seconds, pieces } = await estimate([video], { durationSeconds: 3_599, soundBytes: 40 * MB });
    assert.deepEqual([requests.length, pieces, Math.round(seconds)], [2, 2, 3_599]);
  });

  it('says what a tenth of the bytes would do for', async () => {
    const sound = { durationSeconds: 600, soundBytes: 100 * MB };
    const { convertible } = await estimate([candidateOf(100 * MB)], sound);
    assert.deepEqual(convertible, { bytes: 100 * MB, asSpeech: 600 * 6_000 });
    const small = await estimate([candidateOf(10 * MB)], { durationSeconds: 600, soundBytes: 10 * MB });
    assert.equal(small.convertible, undefined);
  });

  it('is nothing of one whose answer is on the disk already', async () => {
    const candidate = candidateOf(2 * MB, { durationSeconds: 90 });
    const { prompt } = buildTranslationPrompt({ instruction: '', glossary: [] });
    const whole = { ...request, ...wholeRecording, sha256: candidate.sha256, prompt };
    await store.save(whole, { text: 'said', segments: undefined });
    const { seconds, requests, unknown, recordings } = await estimate([candidate]);
    assert.deepEqual([seconds, requests.length, unknown, recordings], [0, 0, 0, 0]);
  });

  it('is what is left of one that was begun before', async () => {
    const candidate = candidateOf(60 * MB, { durationSeconds: 90 });
    const pieces = [0, 30, 60].map((start, index) => ({
      ...{ index, start, end: start + 30, from: start, to: start + 31 },
      ...{ startsQuiet: true, endsQuiet: true, bytes: MB },
    }));
    const { sha256 } = candidate;
    await store.savePlan(sha256, { pieces, prompt: 'as it was' });
    await store.save(
      { ...request, sha256, from: 0, to: 31, prompt: 'as it was' },
      { text: 'Said.', segments: undefined },
    );
    const { requests, seconds, kept } = await estimate([candidate]);
    assert.deepEqual([requests.length, seconds, kept], [2, 60, 1]);
  });

  it('names the tracks that may be meant, where there are several', async () => {
    const track = (number: number, more: Partial<TrackInfo> = {}): TrackInfo => ({
      ...{ number, codec: 'aac', isDefault: true, isAside: false, isSilent: false, canCopy: true },
      ...more,
    });
    const of = async (...tracks: TrackInfo[]): Promise<unknown> => {
      const video = candidateOf(2 * MB, { name: 'mp4', mayHavePictures: true });
      const sound = { durationSeconds: 9, soundBytes: MB, tracks, track: 2 };
      const { several } = await estimate([video], sound);
      return several.map(({ tracks: meant, chosen }) => [meant.map(({ number }) => number), chosen.number]);
    };
    assert.deepEqual(await of(track(1), track(2)), [[[1, 2], 2]]);
    assert.deepEqual(await of(track(1), track(2), track(3, { isSilent: true })), [[[1, 2], 2]]);
    // There is nothing to choose between one and silence, or what cannot be sent.
    assert.deepEqual(await of(track(1, { isSilent: true }), track(2)), []);
    assert.deepEqual(await of(track(1, { canCopy: false }), track(2)), []);
    assert.deepEqual((await estimate([candidateOf(MB)])).several, []);
  });

  it('says how many terms of the glossary have room in the prompt', async () => {
    const glossary = Array.from({ length: 400 }, (_, at) => `Term ${at}`);
    const { terms, ofTerms } = await estimate([candidateOf(MB, { durationSeconds: 60 })], undefined, glossary);
    assert.equal(ofTerms, 400);
    assert.ok(terms > 10 && terms < 400, `${terms}`);
  });
});
