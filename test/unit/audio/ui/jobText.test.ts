import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AudioJob } from '../../../../src/audio/jobs/audioJob.ts';
import type { PieceProgress } from '../../../../src/audio/jobs/pieces.ts';
import { ServiceError } from '../../../../src/base/errors.ts';
import { audioStateText, stateText } from '../../../support/vscodeStub.ts';

const now = new Date(2026, 10, 28, 14, 5, 0).getTime();
const progress: PieceProgress = {
  ...{ pieces: 12, done: 3, failedAt: [], seconds: 0, secondsDone: 0, secondsSent: 0, bytes: 0, bytesSent: 0 },
};
const said = (job: Partial<AudioJob>): string =>
  audioStateText({ path: '/r/a.mp3', fileName: 'a.mp3', state: 'sending', ...job }, now);

describe('a row of the list of translations', () => {
  it('says that the service asks to wait only where it did, and the time as code search says it', () => {
    const waitsUntil = now + 9_000;
    const waiting = (isWaitAsked: boolean) => said({ progress: { ...progress, waitsUntil, isWaitAsked } });
    assert.equal(waiting(true), '3 of 12 pieces · the service asks to wait until 2:05:09 PM');
    assert.equal(waiting(false), '3 of 12 pieces · trying again at 2:05:09 PM');
    assert.equal(said({ progress: { ...progress, waitsUntil: now, isWaitAsked: true } }), '3 of 12 pieces');
    const error = new ServiceError('server', { status: 500, url: 'https://model.test/v1' });
    const searching = { kind: 'waiting', until: waitsUntil, done: 1, of: 2 } as const;
    const inSearch = (state: typeof searching | (typeof searching & { error: unknown })) =>
      stateText({ state, status: undefined });
    assert.match(inSearch({ ...searching, error }) ?? '', / Trying again at 2:05:09 PM; /);
    assert.match(inSearch(searching) ?? '', /^The service asks to wait until 2:05:09 PM; /);
  });

  it('says what came of a recording, and how much of it is there', () => {
    assert.equal(said({ state: 'done', result: 'text' }), 'translated');
    assert.equal(said({ state: 'done', result: 'no-speech' }), 'no speech');
    const missing = { end: 128, promised: 211 };
    assert.equal(said({ state: 'done', result: 'text', missing }), 'translated · the file ends at 2:08 of 3:31');
    assert.match(
      said({ state: 'done', missing: { end: 9, rest: 4_000 } }),
      /· 4 kB behind the sound could not be read$/,
    );
    assert.equal(said({ state: 'done', result: 'untranslated' }), 'transcribed, not translated');
    assert.equal(said({ state: 'cancelled', progress }), 'cancelled · 3 of 12 pieces');
    assert.equal(said({ state: 'interrupted', kept: { done: 3, pieces: 5 } }), 'interrupted · 3 of 5 pieces');
    assert.equal(said({ state: 'interrupted' }), 'interrupted');
    assert.equal(said({ state: 'interrupted', progress: { ...progress, done: 0 } }), 'interrupted');
    const error = new ServiceError('auth', { status: 401, url: 'https://model.test/v1' });
    assert.match(said({ state: 'failed', progress, error }), /^3 of 12 pieces · .*model\.test/);
    const refused = new ServiceError('bad-request', {
      status: 415,
      url: 'https://model.test/v1',
      message: 'No such codec.',
    });
    const ended = { ...progress, done: 0, failedAt: [0, 60] };
    assert.match(
      said({ state: 'failed', progress: ended, error: refused }),
      /^2 of 12 pieces failed, which begin at 0:00, 1:00\. Not sent: 10\. .*No such codec/,
    );
  });
});
