import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceError } from '../../../src/base/errors.ts';
import { translateAudio } from '../../../src/service/audio/audio.ts';
import { createFieldMemory } from '../../../src/service/compat/fieldMemory.ts';
import { errorFromAnswer } from '../../../src/service/errors/errorFromAnswer.ts';
import type { Transport } from '../../../src/service/request.ts';

const endpoint = { baseUrl: 'https://a.example/v1', model: 'whisper', apiKey: undefined };
const upload = {
  ...{ path: '/r/a.mp3', contentType: 'audio/mpeg', fileField: 'file', prompt: '', temperature: 0 },
  responseFormat: 'json',
} as const;

/** The kind of error that a recording meets where the service answers so. */
async function kindFor(status: number, message: string): Promise<string> {
  const transport: Transport = {
    async send({ url }) {
      const body = JSON.stringify({ error: { message } });
      throw errorFromAnswer(status, { 'content-type': 'application/json' }, body, { url, key: undefined, now: 0 });
    },
    close: async () => {},
  };
  return translateAudio(transport, endpoint, upload, new AbortController().signal).then(
    () => 'none',
    (error: ServiceError) => error.kind,
  );
}

describe('a recording that is refused', () => {
  it('quirk 47: as too large is known as such, however the service says it', async () => {
    const refusals: [status: number, message: string][] = [
      [413, ''],
      [413, 'Input is too large'],
      [413, 'Input file too large: request body'],
      [400, 'Maximum file size exceeded'],
      [400, 'Audio file is too large: 31 MB, limit 25 MB'],
      [400, 'File size exceeds the limit of 25 MB'],
      [422, 'file too large'],
      [400, 'audio duration 6240 seconds is longer than 1500 seconds which is the maximum for this model'],
    ];
    for (const [status, message] of refusals) assert.equal(await kindFor(status, message), 'too-large', message);
  });

  it('for something else is no larger for it', async () => {
    const refusals: [status: number, message: string, kind: string][] = [
      [400, 'Invalid file format. Supported formats: flac, mp3', 'bad-request'],
      [400, 'The file name is too long', 'bad-request'],
      [422, 'Input should be greater than or equal to 0', 'bad-request'],
      [400, 'The prompt is too long: at most 224 tokens', 'context-length'],
      [401, 'file too large', 'auth'],
    ];
    for (const [status, message, kind] of refusals) assert.equal(await kindFor(status, message), kind, message);
  });
});

describe('the memory of what a service takes', () => {
  it('keeps the lowest limit of uploads: an answer to an earlier request may come late', () => {
    const memory = createFieldMemory();
    for (const bytes of [12e6, 6e6, 9e6]) memory.setUploadLimit(endpoint.baseUrl, 'm', bytes);
    assert.equal(memory.uploadLimit(endpoint.baseUrl, 'm'), 6e6);
    memory.forget(endpoint.baseUrl);
    assert.equal(memory.uploadLimit(endpoint.baseUrl, 'm'), undefined);
  });

  it('forgets a limit of uploads after a week, and what was learned before limits were dated', () => {
    const day = 24 * 3_600_000;
    let now = 100 * day;
    const store = new Map<string, unknown>();
    const memory = createFieldMemory(store, () => now);
    const known = (): unknown => [memory.uploadLimit(endpoint.baseUrl, 'm'), memory.all()[0]?.uploadLimit];
    memory.setUploadLimit(endpoint.baseUrl, 'm', 1.5e6);
    now += 7 * day - 1;
    assert.deepEqual(known(), [1.5e6, 1.5e6]);
    now += 1;
    assert.deepEqual(known(), [undefined, undefined]);
    // A new one is not held against an old one.
    memory.setUploadLimit(endpoint.baseUrl, 'm', 9e6);
    assert.deepEqual(known(), [9e6, 9e6]);
    now -= 2 * day;
    assert.deepEqual(known(), [undefined, undefined], 'a clock that was set back');
    store.set('service.learned', [[`${endpoint.baseUrl} m`, { adjustments: [], uploadLimit: 1.5e6 }]]);
    assert.equal(memory.uploadLimit(endpoint.baseUrl, 'm'), undefined);
  });

  it('gives way to what the user sets, until the service refuses that, too', () => {
    const memory = createFieldMemory();
    const limit = (set?: number): number | undefined => memory.uploadLimit(endpoint.baseUrl, 'm', set);
    memory.setUploadLimit(endpoint.baseUrl, 'm', 1.5e6);
    assert.deepEqual([limit(), limit(25e6), limit(10e6)], [1.5e6, undefined, undefined]);
    memory.setUploadLimit(endpoint.baseUrl, 'm', 12e6, 25e6);
    assert.deepEqual([limit(25e6), limit(10e6)], [12e6, undefined]);
    memory.setUploadLimit(endpoint.baseUrl, 'm', 14e6, 25e6);
    assert.equal(limit(25e6), 12e6);
  });
});
