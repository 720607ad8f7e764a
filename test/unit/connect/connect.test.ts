import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { knownServices } from '../../../src/connect/knownServices.ts';
import { findLocalServices, type LocalService, usualPorts } from '../../../src/connect/localServices.ts';
import { createTone } from '../../../src/connect/tone.ts';
import { isInsecure, normaliseBaseUrl, possibleBaseUrls } from '../../../src/service/endpoint.ts';
import { guessPurpose, type ModelPurpose, suggestModel } from '../../../src/service/models/modelPurpose.ts';
import { readModels } from '../../../src/service/models/models.ts';

const never = new AbortController().signal;

/** A program on a port of this machine; its authorization headers are remembered. */
async function listen(t: TestContext, answer: RequestListener, host = '127.0.0.1') {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    answer(request, response);
  });
  server.listen(0, host);
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, keys };
}

async function find(...ports: number[]): Promise<LocalService[]> {
  const found: LocalService[] = [];
  const asked = ports.map((port) => ({ port, program: 'Some program' }));
  await findLocalServices(asked, (service) => found.push(service), never, 1000);
  return found;
}

const json =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

describe('the services of this machine', () => {
  test('are found by their list of models, which is asked for without a key', async (t) => {
    const program = await listen(t, json({ object: 'list', data: [{ id: 'llama-3' }, { id: 'nomic-embed-text' }] }));
    const [service] = await find(program.port);
    assert.equal(service?.baseUrl, `http://localhost:${program.port}/v1`);
    assert.deepEqual(
      service.models?.map(({ id, purpose }) => [id, purpose]),
      [
        ['llama-3', 'chat'],
        ['nomic-embed-text', 'embeddings'],
      ],
    );
    assert.deepEqual(program.keys, [undefined]);
  });

  test('are found on ::1 as well, and with no model yet', async (t) => {
    const program = await listen(t, json({ object: 'list', data: null }), '::1');
    assert.deepEqual((await find(program.port))[0]?.models, []);
  });

  test('are offered without their models where they want a key', async (t) => {
    const program = await listen(t, json({ error: { message: 'Unauthorized' } }, 401));
    const found = await find(program.port);
    assert.equal(found.length, 1);
    assert.equal(found[0]?.models, undefined);
  });

  test('are not what answers with a page, an error, other JSON, or nothing in time', async (t) => {
    const programs = await Promise.all([
      listen(t, (_request, response) => response.end('<html>hello</html>')),
      listen(t, json({ error: 'no such path' }, 404)),
      listen(t, json({ status: 'ok' })),
      listen(t, (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()),
      listen(t, (request) => request.socket.destroy()),
      listen(t, () => {}),
    ]);
    const gone = await listen(t, json([]));
    assert.deepEqual(await find(...programs.map(({ port }) => port)), []);
    assert.ok(programs.every(({ keys }) => keys.every((key) => key === undefined)));
    assert.deepEqual(gone.keys, [], 'no port is asked that was not named');
  });

  test('are looked for at four ports', () => {
    assert.deepEqual(
      usualPorts.map(({ port }) => port),
      [11434, 1234, 8080, 8000],
    );
  });
});

test('the well-known addresses are base addresses as they are stored, over https', () => {
  for (const { baseUrl } of knownServices) {
    assert.deepEqual(normaliseBaseUrl(baseUrl), { ok: true, baseUrl });
    assert.match(baseUrl, /^https:\/\//);
  }
});

describe('quirk 42: an address', () => {
  for (const [typed, meant] of [
    ['https://host/v1', ['https://host/v1']],
    ['https://host/openai/v1/', ['https://host/openai/v1']],
    ['https://host/openai', ['https://host/openai', 'https://host/openai/v1']],
    ['https://host', ['https://host', 'https://host/v1']],
    ['https://host/?a=b', ['https://host', 'https://host/v1']],
    ['https://host/v1beta/openai/', ['https://host/v1beta/openai']],
    ['https://host/v1/chat/completions?api-version=1', ['https://host/v1']],
    ['https://host/api/chat/completions', ['https://host/api', 'https://host/api/v1']],
    ['https://v1.host/api', ['https://v1.host/api', 'https://v1.host/api/v1']],
  ] as const) {
    test(`typed as ${typed} may mean ${meant.join(' or ')}`, () => {
      const address = normaliseBaseUrl(typed);
      assert.ok(address.ok);
      assert.deepEqual(possibleBaseUrls(address.baseUrl), meant);
    });
  }
});

test('quirk 43: plain http is insecure, but for this machine', () => {
  for (const baseUrl of ['http://box:8080/v1', 'http://10.0.0.1/v1', 'http://0.0.0.0/v1', 'http://localhost.evil/v1'])
    assert.ok(isInsecure(baseUrl), baseUrl);
  for (const baseUrl of ['https://box/v1', 'http://localhost:1/v1', 'http://127.0.0.1/v1', 'http://[::1]:1/v1'])
    assert.ok(!isInsecure(baseUrl), baseUrl);
});

describe('a model', () => {
  const names: [name: string, purpose: ModelPurpose][] = [
    ['gpt-5-mini', 'chat'],
    ['llama-3.3-70b-versatile', 'chat'],
    ['gpt-4o-audio-preview', 'chat'],
    ['text-embedding-3-small', 'embeddings'],
    ['nomic-embed-text:latest', 'embeddings'],
    ['BAAI/bge-m3', 'embeddings'],
    ['whisper-large-v3', 'audio'],
    ['gpt-4o-transcribe', 'audio'],
    ['gpt-4o-mini-tts', 'other'],
    ['gpt-realtime', 'other'],
    ['dall-e-3', 'other'],
    ['omni-moderation-latest', 'other'],
    ['bge-reranker-v2', 'other'],
  ];
  for (const [name, purpose] of names) {
    test(`named ${name} seems to be for ${purpose}`, () => assert.equal(guessPurpose(name), purpose));
  }

  const entries: [entry: object, purpose: ModelPurpose][] = [
    [{ id: 'm', type: 'embedding' }, 'embeddings'],
    [{ id: 'm', type: 'chat' }, 'chat'],
    [{ id: 'm', type: 'vlm' }, 'chat'],
    [{ id: 'm', type: 'rerank' }, 'other'],
    [{ id: 'm', object: 'model', type: 'model' }, 'chat'],
    [{ id: 'm', task: 'automatic-speech-recognition' }, 'audio'],
    [{ id: 'm', task: 'text-to-speech' }, 'other'],
    [{ id: 'm', pipeline_tag: 'feature-extraction' }, 'embeddings'],
    [{ id: 'm', capabilities: ['embed'] }, 'embeddings'],
    [{ id: 'my-embed-chat', capabilities: { completion_chat: true, vision: false } }, 'chat'],
    [{ id: 'm-embed', capabilities: { completion_chat: false } }, 'embeddings'],
    [{ id: 'm', type: null, capabilities: { audio_transcription: true } }, 'audio'],
  ];
  for (const [entry, purpose] of entries) {
    test(`listed as ${JSON.stringify(entry)} is for ${purpose}`, async () => {
      assert.equal((await readModels({ data: [entry] }))?.[0]?.purpose, purpose);
    });
  }

  test('goes by its name where its id is an address', async () => {
    const id = 'azureml://registries/azure-openai/models/gpt-4o-mini/versions/1';
    assert.deepEqual(
      (await readModels([{ id, name: 'gpt-4o-mini' }]))?.map((model) => model.id),
      ['gpt-4o-mini'],
    );
    assert.deepEqual(
      (await readModels([{ id }]))?.map((model) => model.id),
      [id],
    );
    assert.deepEqual((await readModels([{ id: 'org/m:free', name: 'M (free)' }]))?.[0]?.id, 'org/m:free');
  });

  test('is listed though other members of the list are bad', async () => {
    const list = [null, { id: 'a' }, 5, { name: '' }, ['x'], 'b', { id: 7 }];
    assert.deepEqual(
      (await readModels({ data: list }))?.map((model) => model.id),
      ['a', 'b'],
    );
    assert.equal(await readModels({ data: [null, 5] }), undefined);
  });

  test('is suggested where one serves, and never one that cannot translate before one that can', async () => {
    const models = await readModels([
      'distil-whisper-large-v3-en',
      'gpt-4o-transcribe',
      'llama-3',
      'whisper-large-v3',
      'whisper-large-v3-turbo',
    ]);
    assert.equal(suggestModel(models ?? [], 'audio')?.id, 'whisper-large-v3');
    assert.equal(suggestModel(models ?? [], 'chat')?.id, 'llama-3');
    assert.equal(suggestModel(models ?? [], 'embeddings'), undefined);
  });
});

test('the recording of the test call is a WAV file of one second', () => {
  const file = Buffer.from(createTone());
  assert.equal(file.length, 44 + 32_000);
  assert.equal(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16), 'RIFFWAVEfmt ');
  assert.equal(file.readUInt32LE(40), 32_000);
  const samples = Array.from({ length: 16_000 }, (_, i) => file.readInt16LE(44 + 2 * i));
  assert.ok(samples.some((sample) => sample > 900) && samples.every((sample) => Math.abs(sample) <= 1000));
});
