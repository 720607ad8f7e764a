import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { ServiceError } from '../../src/base/errors.ts';
import { type AudioUpload, translateAudio } from '../../src/service/audio/audio.ts';
import type { Translation } from '../../src/service/audio/audioAnswer.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { type Adjustment, createFieldMemory } from '../../src/service/compat/fieldMemory.ts';
import type { Transport } from '../../src/service/request.ts';
import type { ReferenceService, ReferenceServiceOptions } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { errorText } from '../support/vscodeStub.ts';
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

  test('what a service measured of its segments is kept, where it is a number', async (t) => {
    const at = { start: 0, end: 1, text: ' Hello.' };
    const measures = { avg_logprob: -0.25, no_speech_prob: 0.01, compression_ratio: 1.2 };
    const segments = [
      { id: 0, seek: 0, ...at, tokens: [1, 2], temperature: 0, ...measures },
      { ...at, avg_logprob: null, no_speech_prob: '0.5', compression_ratio: [2] },
      at,
    ];
    const body = JSON.stringify({ text: 'Hello.', segments }).replace('[2]', '1e999');
    const { baseUrl } = await listen(t, () => ({ status: 200, body }));
    const read = await translateAudio(transport, { baseUrl, model: 'a' }, upload(), never);
    const bare = { start: 0, end: 1, text: 'Hello.' };
    assert.deepEqual(read.segments, [
      { ...bare, avgLogprob: -0.25, noSpeechProb: 0.01, compressionRatio: 1.2 },
      bare,
      bare,
    ]);
  });

  test('segments of whisper.cpp are read as it writes them, and a word that it cuts in two is put together', async (t) => {
    const { baseUrl } = await listen(t, () => ({ status: 200, body: fromWhisperCpp }));
    const { segments } = await translateAudio(transport, { baseUrl, model: 'a' }, upload(), never);
    const round = (seconds: number): number => Number(seconds.toFixed(2));
    assert.deepEqual(
      segments?.map(({ start, end, text: words, avgLogprob = 0 }) => [
        round(start),
        round(end),
        words,
        avgLogprob.toFixed(2),
      ]),
      [
        [0, 3.35, 'The harbour master announced that all northbound', '-0.21'],
        [3.35, 4.12, 'ships', '-0.30'],
        [4.12, 5.5, 'wait.', '-0.34'],
      ],
    );
  });

  test('segments that do not follow at once, or are not of whisper.cpp, are no parts of a word', async (t) => {
    const apart = [
      { start: 0, end: 1, text: ' I was going', avg_logprob: -0.2 },
      { start: 5, end: 6, text: 'Okay then', avg_logprob: -0.2 },
      { start: 7, end: 8, text: 'Yes', avg_logprob: -0.2 },
    ];
    const ofOthers = [
      { start: 0, end: 1, text: ' I was going' },
      { start: 1, end: 2, text: 'okay then' },
    ];
    for (const segments of [apart, ofOthers]) {
      const { baseUrl } = await listen(t, () => ({ status: 200, body: { text: 'a', segments } }));
      const read = await translateAudio(transport, { baseUrl, model: 'a' }, upload(), never);
      assert.deepEqual(
        read.segments?.map(({ text }) => text),
        segments.map(({ text }) => text.trim()),
      );
    }
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

  test('quirk 49: a service that refuses verbose_json by name is asked for json, and from then on for that only', async (t) => {
    const formats: string[] = [];
    const { baseUrl } = await listen(t, (body) => {
      const format = formatIn(body);
      formats.push(format);
      return format === 'json'
        ? { status: 200, body: { text: 'Hello.' } }
        : { status: 400, body: { error: { message: 'Not supported here.', param: 'response_format' } } };
    });
    const told: string[] = [];
    const client = createServiceClient(transport);
    const onAdjusted = ({ field }: Adjustment): void => void told.push(field);
    for (const model of ['a', 'a', 'b']) {
      const asked = upload({ responseFormat: 'verbose_json' });
      const called = client.translate({ baseUrl, model }, asked, never, { onAdjusted });
      assert.equal((await called).text, 'Hello.');
    }
    assert.deepEqual(formats, ['verbose_json', 'json', 'json', 'verbose_json', 'json']);
    assert.deepEqual(told, ['response_format=verbose_json', 'response_format=verbose_json']);
  });

  test('quirk 49: a service that has only text is found out once', async (t) => {
    const formats: string[] = [];
    const { baseUrl } = await listen(t, (body) => {
      formats.push(formatIn(body));
      return formats.at(-1) === 'text'
        ? { status: 200, type: 'text/plain', body: 'Hello.\n' }
        : { status: 422, body: { detail: [{ loc: ['body', 'response_format'], msg: 'Input should be text' }] } };
    });
    const memory = createFieldMemory();
    for (const responseFormat of ['verbose_json', 'json'] as const) {
      const called = translateAudio(transport, { baseUrl, model: 'a' }, upload({ responseFormat }), never, { memory });
      assert.equal((await called).text, 'Hello.');
    }
    assert.deepEqual(formats, ['verbose_json', 'json', 'text', 'text']);
  });

  test('a service that refuses every format teaches nothing: once it is well again, it is asked as before', async (t) => {
    const formats: string[] = [];
    let isWell = false;
    const { baseUrl } = await listen(t, (body) => {
      formats.push(formatIn(body));
      return isWell
        ? { status: 200, body: { text: 'Hello.' } }
        : { status: 400, body: { error: { message: 'Not supported here.', param: 'response_format' } } };
    });
    const memory = createFieldMemory();
    const ask = () => translateAudio(transport, { baseUrl, model: 'a' }, upload(), never, { memory });
    assert.equal((await failure(ask())).kind, 'bad-request');
    assert.deepEqual(formats.splice(0), ['json', 'text', '']);
    isWell = true;
    assert.equal((await ask()).text, 'Hello.');
    assert.deepEqual(formats, ['json']);
  });

  test('quirk 24: a prompt that the service does not take is left out, and from then on', async (t) => {
    const prompts: boolean[] = [];
    const { baseUrl } = await listen(t, (body) => {
      prompts.push(body.includes('name="prompt"'));
      return prompts.at(-1)
        ? { status: 400, body: { error: { message: "The parameter 'prompt' is not supported." } } }
        : { status: 200, body: { text: 'Hello.' } };
    });
    const memory = createFieldMemory();
    for (let i = 0; i < 2; i++) {
      await translateAudio(transport, { baseUrl, model: 'a' }, upload(), never, { memory });
    }
    assert.deepEqual(prompts, [true, false, false]);
  });

  for (const [what, type, body, text] of [
    ['text under the name of JSON', 'application/json', 'Hello.\nGood bye.\n', 'Hello.\nGood bye.'],
    ['JSON under the name of text', 'text/plain', '{"text":" Hello. "}', 'Hello.'],
    ['a JSON string', 'application/json', '"Hello.\\n"', 'Hello.'],
    ['text that begins like JSON', 'text/plain', '[music] Hello.', '[music] Hello.'],
    [
      'members nobody knows, and null',
      'application/json',
      '{"text":"Hello.","segments":null,"x_groq":{"id":"1"}}',
      'Hello.',
    ],
    ['silence as text', 'text/plain', '\n', ''],
  ] as const) {
    test(`quirk 49: ${what} is read`, async (t) => {
      const { baseUrl } = await listen(t, () => ({ status: 200, type, body }));
      const translation = await translateAudio(transport, { baseUrl, model: 'a' }, upload(), never);
      assert.deepEqual(translation, { text, segments: undefined });
    });
  }

  for (const [what, type, body, kind] of [
    ['an error with status 200', 'application/json', '{"error":{"message":"The backend is gone."}}', 'server'],
    ['a flat error with status 200', 'text/plain', '{"object":"error","message":"The backend is gone."}', 'server'],
    ['JSON without a text', 'application/json', '{"task":"translate"}', 'malformed'],
    ['an empty body in the place of JSON', 'application/json', '', 'malformed'],
    ['half a JSON object', 'application/json', '{"text":"Hel', 'malformed'],
    ['a web page', 'text/plain', '<html><head><title>Sign in</title></head></html>', 'login-page'],
  ] as const) {
    test(`quirk 10, 28: ${what} is ${kind}`, async (t) => {
      const { baseUrl } = await listen(t, () => ({ status: 200, type, body }));
      assert.equal((await failure(translateAudio(transport, { baseUrl, model: 'a' }, upload(), never))).kind, kind);
    });
  }

  for (const [name, contentType, sent] of [
    ['talk.opus', 'audio/ogg', 'talk.ogg'],
    ['talk.mp3', 'audio/wav', 'talk.wav'],
    ['talk.MPGA', 'audio/mpeg', 'talk.MPGA'],
    ['talk.v2', 'audio/flac', 'talk.flac'],
    ['talk by Dr. Smith', 'audio/mp4', 'talk by Dr. Smith.m4a'],
    ['talk.aac', 'audio/aac', 'talk.aac'],
  ] as const) {
    test(`quirk 48: ${name} with the bytes of ${contentType} is sent as ${sent}`, async (t) => {
      let filename = '';
      const { baseUrl } = await listen(t, (body) => {
        filename = /filename="([^"]*)"/.exec(body)?.[1] ?? '';
        return { status: 200, body: { text: 'Hello.' } };
      });
      writeFileSync(join(folder, name), bytes);
      await translateAudio(
        transport,
        { baseUrl, model: 'a' },
        upload({ path: join(folder, name), contentType }),
        never,
      );
      assert.equal(filename, sent);
    });
  }

  const german = `Auf Deutsch gesagt: ${said}`;
  const fieldsOf = (service: ReferenceService): string[] =>
    service.requests.map(({ parts = [] }) => {
      const value = (name: string): string => parts.find((part) => part.name === name)?.value ?? '-';
      return `${value('translate')} ${value('language')}`;
    });

  for (const responseFormat of ['json', 'text', 'verbose_json'] as const) {
    test(`whisper.cpp answering ${responseFormat} is told to translate, and from then on at once`, async () => {
      const service = await serve({ audioServer: 'whisper.cpp' });
      const memory = createFieldMemory();
      const endpoint = endpointOf(service, 'ggml');
      for (let i = 0; i < 2; i++) {
        const { text, untranslated } = await translateAudio(transport, endpoint, upload({ responseFormat }), never, {
          memory,
        });
        assert.deepEqual([text, untranslated], [said, undefined]);
      }
      assert.deepEqual(fieldsOf(service), ['- -', 'true auto', 'true auto']);
      memory.forget(endpoint.baseUrl);
      assert.equal(memory.audioServer(endpoint.baseUrl, 'ggml'), undefined);
    });
  }

  for (const [server, sentence] of [
    [
      'whisper.cpp',
      /^whisper\.cpp at 127\.0\.0\.1:\d+ was not started .* “--inference-path \/v1\/audio\/translations”/,
    ],
    ['Whisperfile/0.9', /^whisper\.cpp at .*--inference-path/],
    ['uvicorn', /^There is nothing at http:/],
  ] as const) {
    test(`a 404 of ${server} says what helps`, async (t) => {
      const body = 'File Not Found (/v1/audio/translations)';
      const { baseUrl } = await listen(t, () => ({ status: 404, type: 'text/plain', body, server }));
      const failed = await translateAudio(transport, { baseUrl, model: 'a' }, upload(), never).catch((error) => error);
      assert.match(errorText(failed).sentence, sentence);
    });
  }

  test('form fields of the user go before what a server is known to need, and an empty one leaves it out', async () => {
    const service = await serve({ audioServer: 'whisper.cpp' });
    const more = { responseFormat: 'verbose_json' } as const;
    const told = await translate(service, { ...more, extraFields: { translate: 'true', language: 'auto' } });
    assert.equal(told.text, said);
    const own = await translate(service, { ...more, extraFields: { translate: '' } });
    assert.deepEqual([own.text, own.untranslated], [german, { language: 'german' }]);
    assert.deepEqual(fieldsOf(service), ['true auto', '- -']);
  });

  test('a server that a proxy hides is known by the shape of its answer', async (t) => {
    const forms: string[] = [];
    const { baseUrl } = await listen(t, (body) => {
      forms.push(body);
      const text = body.includes('name="translate"') ? 'Hello.' : 'Guten Tag.';
      return { status: 200, body: { text, task: 'transcribe', language: 'german', language_probabilities: { de: 1 } } };
    });
    const options = upload({ responseFormat: 'verbose_json' });
    await translateAudio(transport, { baseUrl, model: 'a' }, options, never);
    assert.match(forms[1] ?? '', /name="translate"\r\n\r\ntrue/);
    assert.equal(forms.length, 2, 'it is asked no third time, whatever it says');
  });

  for (const [what, body, untranslated] of [
    ['task: transcribe and a language', { task: 'transcribe', language: 'german' }, { language: 'german' }],
    ['a language code alone', { language: 'de' }, { language: 'de' }],
    ['task: transcribe alone', { task: 'transcribe' }, {}],
    ['a language that is no name', { task: 'transcribe', language: '[x](command:y)' }, {}],
    ['task: translate of another language', { task: 'translate', language: 'german' }, undefined],
    ['English that was only transcribed', { task: 'transcribe', language: 'english' }, undefined],
    ['an English of some country', { language: 'en-GB' }, undefined],
    ['a language nobody knows', { language: 'unknown' }, undefined],
    ['nothing of either', {}, undefined],
    ['members of other types', { task: 7, language: ['de'] }, undefined],
  ] as const) {
    test(`an answer with ${what} is ${untranslated === undefined ? 'taken for English' : 'no translation'}`, async (t) => {
      const { baseUrl } = await listen(t, () => ({ status: 200, body: { text: 'Hallo.', ...body } }));
      const answer = await translateAudio(transport, { baseUrl, model: 'a' }, upload(), never);
      assert.deepEqual([answer.text, answer.untranslated], ['Hallo.', untranslated]);
    });
  }

  test('silence is no text in another language', async (t) => {
    const body = { text: ' ', task: 'transcribe', language: 'german' };
    const { baseUrl } = await listen(t, () => ({ status: 200, body }));
    const answer = await translateAudio(transport, { baseUrl, model: 'a' }, upload(), never);
    assert.deepEqual([answer.text, answer.untranslated], ['', undefined]);
  });

  test('an extra form field that the service does not know is left out, and said', async () => {
    const service = await serve();
    const told: string[] = [];
    const call = translateAudio(
      transport,
      endpointOf(service, 'parley-whisper'),
      upload({ extraFields: { translate: 'true' } }),
      never,
      { onAdjusted: ({ field }) => told.push(field) },
    );
    assert.equal((await call).text, said);
    assert.deepEqual(told, ['translate']);
  });

  test('an answer of noise without an end is no crash of the reader', async (t) => {
    const { baseUrl } = await listen(t, () => ({
      status: 200,
      type: 'application/json',
      body: ' '.repeat(20_000_000),
    }));
    const error = await failure(translateAudio(transport, { baseUrl, model: 'a' }, upload(), never));
    assert.equal(error.kind, 'malformed');
  });

  test('quirk 50: a model that only transcribes is named as such', async (t) => {
    const message = 'This model does not support the task translate.';
    const { baseUrl } = await listen(t, () => ({ status: 400, body: { error: { message } } }));
    const call = (model: string) => failure(translateAudio(transport, { baseUrl, model }, upload(), never));
    const turbo = await call('whisper-large-v3-turbo');
    assert.deepEqual([turbo.kind, turbo.hint, turbo.message], ['model-not-found', 'transcribes-only', message]);
    assert.equal((await call('whisper-large-v3')).kind, 'bad-request');
  });

  test('a field with a value it cannot have is named, and nothing is sent', async () => {
    const service = await serve();
    for (const [wrong, param, hint] of [
      [{ temperature: 1.5 }, 'temperature', 'a number from 0 to 1'],
      [{ temperature: Number.NaN }, 'temperature', 'a number from 0 to 1'],
      [{ responseFormat: 'srt' }, 'response_format', 'json, verbose_json or text'],
      [{ prompt: 7 }, 'prompt', 'text'],
      [{ fileField: ' ' }, 'fileField', 'text that is not empty'],
      [{ extraFields: 'translate' }, 'parley.audio.extraFields', 'an object'],
      [{ extraFields: { model: 'a' } }, 'parley.audio.extraFields.model', 'no value: Parley sets this field'],
      [{ extraFields: { file: 'a' } }, 'parley.audio.extraFields.file', 'no value: Parley sets this field'],
      [{ extraFields: { 'a"b': 'c' } }, 'parley.audio.extraFields', 'names of letters, digits, and . _ - [ ]'],
      [{ extraFields: { translate: true } }, 'parley.audio.extraFields.translate', 'text'],
    ] as const) {
      const error = await failure(translate(service, wrong as Partial<AudioUpload>));
      assert.deepEqual([error.kind, error.param, error.hint], ['invalid-request', param, hint]);
    }
    const error = await failure(translateAudio(transport, endpointOf(service, ''), upload(), never));
    assert.deepEqual([error.kind, error.param], ['invalid-request', 'model']);
    assert.equal(service.requests.length, 0);
  });

  test('a 400 about anything else is not asked again', async () => {
    const service = await serve();
    service.setFault('400');
    const error = await failure(translate(service, { responseFormat: 'verbose_json' }));
    assert.equal(error.kind, 'bad-request');
    assert.equal(service.requests.length, 1);
  });

  test('a recording of 300 MB is read from the disk while it is sent, not held in memory', async (t) => {
    const large = join(folder, 'large.wav');
    writeFileSync(large, '');
    truncateSync(large, 300_000_000);
    let received = 0;
    const { baseUrl } = await listen(
      t,
      () => ({ status: 200, body: { text: 'Silence.' } }),
      (length) => {
        received += length;
      },
    );
    const script = join(import.meta.dirname, 'audioUpload.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, baseUrl, aviso, large]);
    assert.ok(received > 300_000_000, `${received} bytes arrived`);
    const grown = Number(stdout);
    // Pieces that are sent wait for the garbage collector, about 60 MB of them whatever the size of the file.
    assert.ok(grown < 120_000_000, `peak memory grew by ${Math.round(grown / 1e6)} MB`);
  });
});

interface Answer {
  status: number;
  body: object | string;
  type?: string;
  server?: string;
}

const formatIn = (body: string): string => /name="response_format"\r\n\r\n(\w+)/.exec(body)?.[1] ?? '';

/** A server that answers each request from the first kilobytes of its body, and holds no more of it. */
async function listen(
  t: TestContext,
  answer: (body: string) => Answer,
  onBytes: (length: number) => void = () => {},
): Promise<{ baseUrl: string }> {
  const server = createServer(async (request, response) => {
    let head = '';
    for await (const chunk of request as AsyncIterable<Buffer>) {
      onBytes(chunk.length);
      if (head.length < 4096) head += chunk.toString('latin1');
    }
    const { status, body, type = 'application/json', server: name } = answer(head);
    response
      .writeHead(status, { 'content-type': type, ...(name && { server: name }) })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

/**
 * `verbose_json` in the shape of `format_verbose_json` (whisper.cpp, examples/server-common.cpp): times are floats, segments are cut after
 * 60 characters whatever stands there, each has its words and no `compression_ratio`, and each line of the text is a segment.
 */
const fromWhisperCpp = `{"task":"translate","language":"german","duration":5.5,
"text":" The harbour master announced that all north\\nbound ships\\n wait.\\n","segments":[
{"id":0,"text":" The harbour master announced that all north","start":0.0,"end":3.3500001430511475,"words":[
{"word":" The","start":0.0,"end":0.11999999731779099,"probability":0.9312},
{"word":" harbour","start":0.11999999731779099,"end":0.6000000238418579,"probability":0.8713}],
"tokens":[440,27114],"temperature":0.0,"avg_logprob":-0.2098127007484436,"no_speech_prob":0.0102},
{"id":1,"text":"bound ships","start":3.3500001430511475,"end":4.12,"words":[{"word":"bound","probability":0.7}],"tokens":[1],
"temperature":0.0,"avg_logprob":-0.3,"no_speech_prob":0.0102},
{"id":2,"text":" wait.","start":4.12,"end":5.5,"words":[],"tokens":[],"temperature":0.0,"avg_logprob":-0.34,"no_speech_prob":0.0102}],
"detected_language":"german","detected_language_probability":0.98,"language_probabilities":{"de":0.98}}`;
