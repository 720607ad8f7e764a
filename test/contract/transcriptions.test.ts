import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { type AudioUpload, hasTranscriptions, translateAudio } from '../../src/service/audio/audio.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { createFieldMemory, type FieldMemory } from '../../src/service/compat/fieldMemory.ts';
import type { Endpoint } from '../../src/service/endpoint.ts';
import type { Transport } from '../../src/service/request.ts';
import type { ReferenceService, ReferenceServiceOptions } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { createTestTransport, endpointOf } from './client.ts';

const never = new AbortController().signal;
const model = 'parley-whisper';
const upload = (more: Partial<AudioUpload> = {}): AudioUpload => ({
  task: 'transcribe',
  path: join(import.meta.dirname, '../fixtures/workspace/recordings/aviso.ogg'),
  contentType: 'audio/ogg',
  fileField: 'file',
  prompt: '',
  responseFormat: 'verbose_json',
  temperature: 0,
  ...more,
});

describe('audio transcription on a real socket', () => {
  let transport: Transport;
  const services: ReferenceService[] = [];
  before(() => {
    transport = createTestTransport();
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });
  after(() => transport.close());

  async function serve(options: ReferenceServiceOptions = {}): Promise<ReferenceService> {
    const service = await createReferenceService(options);
    services.push(service);
    return service;
  }

  const transcribe = (service: ReferenceService, more: Partial<AudioUpload> = {}, memory?: FieldMemory) =>
    translateAudio(transport, endpointOf(service, model), upload(more), never, { memory });
  const fieldsOf = ({ requests }: ReferenceService, at = -1) =>
    (requests.at(at)?.parts ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));

  test('the path is that of transcriptions, the language and both kinds of times are asked for', async () => {
    const service = await serve({ transcriptions: true });
    const { text, language, untranslated, segments } = await transcribe(service, { language: 'de', prompt: 'Hafen' });
    assert.equal(service.requests[0]?.path, '/openai/v1/audio/transcriptions');
    assert.deepEqual(fieldsOf(service), [
      ['model', model],
      ['prompt', 'Hafen'],
      ['language', 'de'],
      ['timestamp_granularities[]', 'segment'],
      ['timestamp_granularities[]', 'word'],
      ['response_format', 'verbose_json'],
      ['temperature', '0'],
    ]);
    assert.equal(text, 'Gesagt wird: Notice to mariners. Gesagt wird: High tide comes at six.');
    assert.deepEqual([language, untranslated], ['german', undefined]);
    assert.deepEqual(
      segments?.map(({ words }) => words?.map((word) => word.text)),
      [
        ['Gesagt', 'wird:', 'Notice', 'to', 'mariners'],
        ['Gesagt', 'wird:', 'High', 'tide', 'comes', 'at', 'six'],
      ],
    );
  });

  test('without a language none is sent, and a translation has none of these fields', async () => {
    const service = await serve({ transcriptions: true });
    await transcribe(service);
    assert.ok(!fieldsOf(service).some(([name]) => name === 'language'));
    await translateAudio(transport, endpointOf(service, model), upload({ task: 'translate', language: 'de' }), never);
    assert.equal(service.requests[1]?.path, '/openai/v1/audio/translations');
    assert.deepEqual(
      fieldsOf(service).map(([name]) => name),
      ['model', 'response_format', 'temperature'],
    );
  });

  test('a service without times of words is asked again without them, once and for all', async () => {
    const service = await serve({ transcriptions: 'plain' });
    const memory = createFieldMemory();
    const { segments } = await transcribe(service, {}, memory);
    assert.equal(segments?.length, 2);
    assert.equal(service.requests.length, 2);
    await transcribe(service, {}, memory);
    assert.equal(service.requests.length, 3);
    assert.ok(!fieldsOf(service).some(([name]) => name.startsWith('timestamp')));
  });

  test('what has a service translate does not go along; other fields of the user do', async () => {
    const service = await serve({ transcriptions: true, audioServer: 'whisper.cpp' });
    await transcribe(service, { language: 'de', extraFields: { task: 'translate', translate: 'true', beam: '5' } });
    const names = fieldsOf(service).map(([name]) => name);
    assert.deepEqual(
      names.filter((name) => ['task', 'translate', 'beam'].includes(name)),
      ['beam'],
    );
  });

  test('whisper.cpp is told to find out the language, and never to translate', async () => {
    const service = await serve({ transcriptions: true, audioServer: 'whisper.cpp' });
    const memory = createFieldMemory();
    const first = await transcribe(service, {}, memory);
    assert.match(first.text, /^Auf Deutsch gesagt:/);
    assert.deepEqual([first.language, first.untranslated, first.isTranslated], ['german', undefined, undefined]);
    assert.deepEqual(
      service.requests.map((_, at) =>
        fieldsOf(service, at).filter(([name]) => /^(language|translate)$/.test(name ?? '')),
      ),
      [[], [['language', 'auto']]],
    );
    await translateAudio(transport, endpointOf(service, model), upload({ task: 'translate' }), never, { memory });
    assert.ok(fieldsOf(service).some(([name, value]) => name === 'translate' && value === 'true'));
  });

  test('whether there is such a path is found by one request without a file, and remembered', async () => {
    const service = await serve({ transcriptions: true });
    const client = createServiceClient(transport);
    const endpoint = endpointOf(service, model);
    assert.equal(await client.transcribes(endpoint, never), true);
    assert.equal(await client.transcribes(endpoint, never), true);
    assert.deepEqual(
      service.requests.map(({ path, parts }) => [path, parts?.map(({ name, value }) => [name, value])]),
      [['/openai/v1/audio/transcriptions', [['model', model]]]],
    );
    assert.equal(client.memory.transcriptions(endpoint.baseUrl, model), true);
  });

  test('a service without it is not asked again, either', async () => {
    const service = await serve();
    const client = createServiceClient(transport);
    for (let time = 0; time < 2; time++)
      assert.equal(await client.transcribes(endpointOf(service, model), never), false);
    assert.equal(service.requests.length, 1);
  });

  test('a refused key says nothing, and it is asked again later', async () => {
    const service = await serve({ transcriptions: true });
    const client = createServiceClient(transport);
    service.setFault('401');
    assert.equal(await client.transcribes(endpointOf(service, model), never), undefined);
    service.setFault(undefined);
    assert.equal(await client.transcribes(endpointOf(service, model), never), true);
  });

  const answers: readonly (readonly [what: string, status: number, body: string, found: boolean | undefined])[] = [
    ['a missing file by FastAPI', 422, '{"detail":[{"loc":["body","file"],"msg":"Field required"}]}', true],
    ['a missing file in words', 400, '{"error":{"message":"could not read the multipart form: no file"}}', true],
    ['whisper.cpp, with status 200', 200, '{"error":"no \'file\' field in the request"}', true],
    ['405', 405, 'Method Not Allowed', false],
    ['501', 501, '{"error":"not implemented"}', false],
    ['a page that is not there', 404, '<html><title>404</title></html>', false],
    ['403', 403, '{"error":{"message":"no access to audio files"}}', undefined],
    ['429', 429, '{"error":{"message":"slow down"}}', undefined],
    ['503', 503, 'busy', undefined],
    [
      'a model that is not there',
      404,
      '{"error":{"message":"The model `x` does not exist","code":"model_not_found"}}',
      undefined,
    ],
    ['an address that is not known', 400, '{"error":{"message":"Unknown route /v1/audio/transcriptions"}}', undefined],
    ['an answer to anything', 200, '{"ok":true}', undefined],
  ];
  for (const [what, status, body, found] of answers) {
    test(`one request tells: ${what}`, async () => {
      let count = 0;
      const server = createServer((request: IncomingMessage, response: ServerResponse) => {
        count++;
        request.resume();
        request.on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      try {
        assert.equal(await hasTranscriptions(transport, { baseUrl, model } as Endpoint, never), found);
        assert.equal(count, 1);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    });
  }
});
