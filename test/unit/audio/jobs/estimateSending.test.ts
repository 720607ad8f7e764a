import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { estimateSending } from '../../../../src/audio/jobs/estimateSending.ts';
import { createPieceStore, type PieceStore, wholeRecording } from '../../../../src/audio/jobs/pieceStore.ts';
import type { SplitRecording } from '../../../../src/audio/jobs/pieces.ts';
import type { Candidate } from '../../../../src/audio/jobs/translate.ts';
import { buildTranslationPrompt } from '../../../../src/audio/prompt/translationPrompt.ts';
import type { TrackInfo } from '../../../../src/audio/recording/trackInfo.ts';
import { ServiceError } from '../../../../src/base/errors.ts';

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

function candidateOf(size: number, format: Partial<Candidate['recording']['format']> = {}): Candidate {
  const all = { name: 'mp3', contentType: 'audio/mpeg', playerType: 'audio/mpeg', ...format } as const;
  const recording = { path: '/r/a.mp3', fileName: 'a.mp3', size, mtimeMs: 0, change: '', stamp: '', format: all };
  return { recording, sha256: 'c'.repeat(64), saved: undefined };
}

/** @param sound what is found in a file that is looked into; without it, the file tells nothing */
function estimate(
  candidates: Candidate[],
  sound?: Pick<SplitRecording, 'durationSeconds' | 'soundBytes' | 'tracks' | 'track'>,
  glossary: string[] = [],
) {
  let looked = 0;
  const work = {
    store,
    request,
    limit: { bytes: 25 * MB, learn: () => {} },
    promptFor: async () => buildTranslationPrompt({ instruction: '', glossary }),
    openSplit: async () => {
      looked++;
      if (sound === undefined) throw new ServiceError('not-audio');
      return { ...sound, close: async () => {} } as SplitRecording;
    },
  };
  return estimateSending(candidates, work, never).then((estimate) => ({ ...estimate, looked }));
}

describe('what is about to be sent', () => {
  it('is known by the lengths that recordings tell', async () => {
    const { seconds, unknown, requests, looked } = await estimate([
      candidateOf(2 * MB, { durationSeconds: 60 }),
      candidateOf(60 * MB, { durationSeconds: 3_600 }),
    ]);
    assert.deepEqual({ seconds, unknown, requests, looked }, { seconds: 3_660, unknown: 0, requests: 4, looked: 0 });
  });

  it('is estimated by the size of those that tell no length', async () => {
    const { seconds, unknown, recordings } = await estimate(Array.from({ length: 1_000 }, () => candidateOf(480_000)));
    assert.deepEqual(
      { minutes: seconds / 60, unknown, recordings },
      { minutes: 1_000, unknown: 1_000, recordings: 1_000 },
    );
  });

  it('is the sound of a video alone', async () => {
    const video = candidateOf(900 * MB, { name: 'mp4', durationSeconds: 3_600, mayHavePictures: true });
    const { requests, seconds } = await estimate([video], { durationSeconds: 3_599, soundBytes: 40 * MB });
    assert.deepEqual({ requests, seconds }, { requests: 2, seconds: 3_600 });
  });

  it('is nothing of one whose answer is on the disk already', async () => {
    const candidate = candidateOf(2 * MB, { durationSeconds: 90 });
    const { prompt } = buildTranslationPrompt({ instruction: '', glossary: [] });
    const whole = { ...request, ...wholeRecording, sha256: candidate.sha256, prompt };
    await store.save(whole, { text: 'said', segments: undefined });
    const { seconds, requests, unknown } = await estimate([candidate]);
    assert.deepEqual({ seconds, requests, unknown }, { seconds: 0, requests: 0, unknown: 0 });
  });

  it('is what is left of one that was begun before', async () => {
    const candidate = candidateOf(60 * MB, { durationSeconds: 90 });
    const pieces = [0, 30, 60].map((start, index) => ({
      ...{ index, start, end: start + 30, from: start, to: start + 31 },
      ...{ startsQuiet: true, endsQuiet: true },
    }));
    const { sha256 } = candidate;
    await store.savePlan(sha256, { pieces, prompt: 'as it was' });
    await store.save(
      { ...request, sha256, from: 0, to: 31, prompt: 'as it was' },
      { text: 'Said.', segments: undefined },
    );
    const { requests, seconds } = await estimate([candidate]);
    assert.deepEqual({ requests, seconds }, { requests: 2, seconds: 60 });
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
