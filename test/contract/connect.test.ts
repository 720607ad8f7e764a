import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { type Check, checkEndpoint } from '../../src/connect/check.ts';
import { createServiceClient } from '../../src/service/client.ts';
import type { Purpose } from '../../src/service/models/modelPurpose.ts';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { createTestTransport, endpointOf } from './client.ts';

describe('the test call', () => {
  const transport = createTestTransport();
  const { signal } = new AbortController();
  let service: ReferenceService;
  before(async () => {
    service = await createReferenceService();
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  let time = 0;
  const check = (purpose: Purpose, model: string, stream = true): Promise<Check> => {
    const now = (): number => {
      time += 40;
      return time;
    };
    const client = createServiceClient(transport);
    return checkEndpoint(purpose, endpointOf(service, model), { client, stream, fileField: 'file', now }, signal);
  };

  test('for chat finds whether the answer streams', async () => {
    const url = `${service.baseUrl}/chat/completions`;
    const found = { purpose: 'chat', url, milliseconds: 40 };
    assert.deepEqual(await check('chat', 'parley-chat'), { ...found, streamed: true });
    assert.deepEqual(await check('chat', 'fault-ndjson'), { ...found, streamed: true });
    assert.deepEqual(await check('chat', 'fault-json-for-stream'), { ...found, streamed: false });
    assert.deepEqual(await check('chat', 'parley-chat', false), found);
  });

  test('for embeddings finds their length', async () => {
    const { dimensions, error } = await check('embeddings', 'parley-embed');
    assert.equal(dimensions, 256);
    assert.equal(error, undefined);
  });

  test('for audio sends a second of tone, and leaves no file behind', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('parley-tone-'));
    const { error, url } = await check('audio', 'parley-whisper');
    assert.equal(error, undefined);
    assert.equal(url, `${service.baseUrl}/audio/translations`);
    const request = service.requests.find(({ path }) => path.endsWith('/audio/translations'));
    const file = request?.parts?.find(({ filename }) => filename !== undefined);
    assert.deepEqual([file?.filename, file?.contentType, file?.length], ['tone.wav', 'audio/wav', 32_044]);
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith('parley-tone-')),
      before,
    );
  });

  for (const purpose of ['chat', 'embeddings', 'audio'] as const) {
    test(`for ${purpose} gives a failure as an outcome`, async () => {
      const { error, url } = await check(purpose, 'fault-404');
      assert.equal(error?.kind, 'not-found');
      assert.ok(url.startsWith(service.baseUrl));
    });
  }
});
