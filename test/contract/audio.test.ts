import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { probeRecording } from '../../src/audio/probe.ts';
import { createTranslator } from '../../src/audio/translate.ts';
import { type AudioUpload, type Translation, translateAudio } from '../../src/service/audio.ts';
import { ServiceError } from '../../src/service/errors.ts';
import type { Transport } from '../../src/service/transport.ts';
import type { ReferenceService, ReferenceServiceOptions } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { createTestTransport, endpointOf } from './client.ts';

const recordings = join(import.meta.dirname, '../fixtures/workspace/recordings');
const aviso = join(recordings, 'aviso.ogg');
const bytes = readFileSync(aviso);
const said = 'Notice to mariners. High tide comes at six.';
const never = new AbortController().signal;

const upload = (more: Partial<AudioUpload> = {}): AudioUpload => ({
  path: aviso,
  contentType: 'audio/ogg',
  fileField: 'file',
  prompt: 'Harbour terms.',
  responseFormat: 'json',
  temperature: 0.2,
  ...more,
});

describe('audio translation on a real socket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-audio-'));
  let transport: Transport;
  const services: ReferenceService[] = [];
  before(() => {
    transport = createTestTransport();
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });
  after(async () => {
    await transport.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(options: ReferenceServiceOptions = {}): Promise<ReferenceService> {
    const service = await createReferenceService(options);
    services.push(service);
    return service;
  }

  const translate = (
    service: ReferenceService,
    more: Partial<AudioUpload> = {},
    signal = never,
  ): Promise<Translation> => translateAudio(transport, endpointOf(service, 'parley-whisper'), upload(more), signal);

  async function failure(call: Promise<unknown>): Promise<ServiceError> {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  }

  test('the form has model, prompt, response_format, temperature and the file last, byte for byte', async () => {
    const service = await serve();
    assert.deepEqual(await translate(service), { text: said, segments: undefined });
    const parts = service.requests[0]?.parts ?? [];
    assert.deepEqual(
      parts.map(({ name, value }) => [name, value]),
      [
        ['model', 'parley-whisper'],
        ['prompt', 'Harbour terms.'],
        ['response_format', 'json'],
        ['temperature', '0.2'],
        ['file', undefined],
      ],
    );
    const file = parts.at(-1);
    assert.equal(file?.filename, 'aviso.ogg');
    assert.equal(file?.contentType, 'audio/ogg');
    assert.equal(file?.length, bytes.length);
    assert.equal(file?.sha256, createHash('sha256').update(bytes).digest('hex'));
  });

  test('the file is in the field that the setting names', async () => {
    const service = await serve({ fileField: 'audio' });
    assert.equal((await translate(service, { fileField: 'audio' })).text, said);
    assert.equal((await failure(translate(service, { fileField: 'file' }))).kind, 'bad-request');
  });

  test('an empty prompt is left out', async () => {
    const service = await serve();
    await translate(service, { prompt: '' });
    assert.deepEqual(
      service.requests[0]?.parts?.map(({ name }) => name),
      ['model', 'response_format', 'temperature', 'file'],
    );
  });

  test('a file name of any script arrives as it is', async () => {
    const service = await serve();
    const name = 'Öffnungszeiten „neu“ 日本.ogg';
    writeFileSync(join(folder, name), bytes);
    assert.equal((await translate(service, { path: join(folder, name) })).text, said);
    assert.equal(service.requests[0]?.parts?.at(-1)?.filename, name);
  });

  test('verbose_json brings times, and text is read as text', async () => {
    const service = await serve();
    const { segments } = await translate(service, { responseFormat: 'verbose_json' });
    assert.deepEqual(
      segments?.map(({ text }) => text),
      ['Notice to mariners.', 'High tide comes at six.'],
    );
    assert.ok(segments.every(({ start, end }) => start < end));
    assert.deepEqual(await translate(service, { responseFormat: 'text' }), { text: said, segments: undefined });
  });

  test('a stop closes the socket at once', async () => {
    const service = await serve();
    service.setFault('slow-first-byte');
    const stop = new AbortController();
    const translating = failure(translate(service, {}, stop.signal));
    await service.waitForRequest((request) => request.parts !== undefined);
    stop.abort();
    assert.equal((await translating).kind, 'cancelled');
    assert.ok(await service.waitForRequest((request) => request.aborted));
  });

  test('a file that vanished or is empty is named, and nothing is sent', async () => {
    const service = await serve();
    const gone = await failure(translate(service, { path: join(folder, 'gone.mp3') }));
    assert.deepEqual([gone.kind, gone.hint], ['file-missing', 'gone.mp3']);
    writeFileSync(join(folder, 'empty.mp3'), '');
    const empty = await failure(translate(service, { path: join(folder, 'empty.mp3') }));
    assert.deepEqual([empty.kind, empty.hint], ['file-empty', 'empty.mp3']);
    assert.equal(service.requests.length, 0);
  });

  test('413, 401 and an unknown kind of answer are told apart', async () => {
    const small = await serve({ maxUploadBytes: 1000 });
    const tooLarge = await failure(translate(small));
    assert.deepEqual([tooLarge.kind, tooLarge.status], ['too-large', 413]);
    const strict = await serve({ key: 'another-key' });
    assert.equal((await failure(translate(strict))).kind, 'auth');
    const broken = await serve();
    for (const [fault, kind] of [
      ['html', 'login-page'],
      ['garbage', 'malformed'],
      ['cut', 'reset'],
    ] as const) {
      broken.setFault(fault);
      assert.equal((await failure(translate(broken))).kind, kind, fault);
    }
  });

  test('a service that refuses verbose_json by name is asked for json, and from then on for that only', async () => {
    const formats: string[] = [];
    const { server, baseUrl } = await listen((body) => {
      const format = /name="response_format"\r\n\r\n(\w+)/.exec(body)?.[1] ?? '';
      formats.push(format);
      return format === 'json'
        ? { status: 200, body: { text: 'Hello.' } }
        : { status: 400, body: { error: { message: 'Not supported here.', param: 'response_format' } } };
    });
    const log: string[] = [];
    const translator = createTranslator(transport, (line) => log.push(line));
    const recording = await probeRecording(aviso);
    const options = { prompt: '', responseFormat: 'verbose_json', temperature: 0, fileField: 'file' } as const;
    for (const model of ['a', 'a', 'b']) {
      assert.equal((await translator({ baseUrl, model }, recording, options, never)).text, 'Hello.');
    }
    assert.deepEqual(formats, ['verbose_json', 'json', 'json', 'verbose_json', 'json']);
    assert.equal(log.length, 2);
    assert.ok(log[0]?.includes('verbose_json'));
    server.close();
  });

  test('a 400 about anything else is not asked again', async () => {
    const service = await serve();
    service.setFault('400');
    const translator = createTranslator(transport, () => {});
    const options = { prompt: '', responseFormat: 'verbose_json', temperature: 0, fileField: 'file' } as const;
    const error = await failure(
      translator(endpointOf(service, 'parley-whisper'), await probeRecording(aviso), options, never),
    );
    assert.equal(error.kind, 'bad-request');
    assert.equal(service.requests.length, 1);
  });

  test('a recording of 300 MB is read from the disk while it is sent, not held in memory', async () => {
    const large = join(folder, 'large.wav');
    writeFileSync(large, '');
    truncateSync(large, 300_000_000);
    let received = 0;
    const { server, baseUrl } = await listen(
      () => ({ status: 200, body: { text: 'Silence.' } }),
      (length) => {
        received += length;
      },
    );
    const script = join(import.meta.dirname, 'audioUpload.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, baseUrl, aviso, large]);
    server.close();
    assert.ok(received > 300_000_000, `${received} bytes arrived`);
    const grown = Number(stdout);
    // Pieces that are sent wait for the garbage collector, about 60 MB of them whatever the size of the file.
    assert.ok(grown < 120_000_000, `peak memory grew by ${Math.round(grown / 1e6)} MB`);
  });
});

/** A server that answers each request from the first kilobytes of its body, and holds no more of it. */
async function listen(
  answer: (body: string) => { status: number; body: object },
  onBytes: (length: number) => void = () => {},
) {
  const server = createServer(async (request, response) => {
    let head = '';
    for await (const chunk of request as AsyncIterable<Buffer>) {
      onBytes(chunk.length);
      if (head.length < 4096) head += chunk.toString('latin1');
    }
    const { status, body } = answer(head);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}
