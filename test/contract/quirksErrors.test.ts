import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { ApiKey, cleanApiKey } from '../../src/service/apiKey.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { Transport } from '../../src/service/request.ts';
import type { CorpusCase } from '../corpus/case.ts';
import { errorBodyCases } from '../corpus/errorBodies.ts';
import { type CorpusService, serveCorpus } from '../corpus/serve.ts';
import { createPatientClock, createTestTransport } from './client.ts';

const never = new AbortController().signal;

interface Asked {
  error: ServiceError;
  text: string;
}

/** Asks where the answer must be a failure. */
async function failureOf(
  transport: Transport,
  baseUrl: string,
  options: { stream?: boolean; key?: string; signal?: AbortSignal; onWait?: (ms: number) => void } = {},
): Promise<Asked> {
  const { stream = false, key = 'Zx81-very-own-key', signal = never, onWait } = options;
  const endpoint = { baseUrl, apiKey: new ApiKey(key), model: 'm' };
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  let text = '';
  try {
    const request = { messages, stream, ...(onWait === undefined ? {} : { onWait }) };
    for await (const event of createChatClient(transport).chat(endpoint, request, signal)) {
      if (event.type === 'text') text += event.text;
    }
  } catch (error) {
    assert.ok(error instanceof ServiceError, inspect(error));
    return { error, text };
  }
  return assert.fail('no error');
}

type Play = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** A service that plays what the test says; closed with the test, as is the transport. */
async function play(t: TestContext, answer: Play, transport = createTestTransport()) {
  let count = 0;
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response, ++count));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    await transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { transport, baseUrl, requests: () => count };
}

const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const limit = { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } };

describe('every refusal of the corpus, on a real socket', () => {
  let service: CorpusService;
  let transport: Transport;
  before(async () => {
    service = await serveCorpus(errorBodyCases);
    transport = createTestTransport();
  });
  after(async () => {
    await transport.close();
    await service.close();
  });
  const ask = (each: CorpusCase) => failureOf(transport, service.baseUrl(each), { stream: each.stream ?? false });

  for (const each of errorBodyCases) {
    const { expected, name, quirks = [] } = each;
    if (expected.ok) continue;
    test(`quirk ${quirks.join(', ')}: ${name}`, async () => {
      const { error } = await ask(each);
      assert.ok([expected.kind].flat().includes(error.kind), `${error.kind}: ${error.message}`);
      if (expected.says !== undefined) assert.ok(error.message.includes(expected.says), error.message);
      assert.doesNotMatch(error.message, /\[object|<html|\n/);
    });
  }

  test('quirk 26: what the model wrote in vain is kept, and in no log', async () => {
    const each = errorBodyCases.find(({ name }) => name.includes('tool_use_failed')) as CorpusCase;
    const { error } = await ask(each);
    assert.equal(error.failedGeneration, '<function=open_file{"path": "a.ts"</function>');
    assert.equal(error.requestId, 'req_01jbd6g2qdfw2adyrt2az8hz4w');
    assert.doesNotMatch(inspect([error, JSON.stringify(error)], { depth: 9, showHidden: true }), /open_file/);
  });

  test('quirk 56: no error shows the key or a token, however it is written down', async () => {
    const secrets = /Zx81|hunter22|Qw3rty|Tz8kLm2|Mn7bVc5|AbCdEf1234|abcd\*|eyJhb/;
    for (const each of errorBodyCases) {
      const { error } = await ask(each);
      const written = [error.message, error.stack, JSON.stringify(error), inspect(error, { depth: 9 }), String(error)];
      assert.doesNotMatch(written.join('\n'), secrets, each.name);
    }
  });
});

describe('a refusal that is answered in full', () => {
  test('quirk 27: the request id is that of the service, or of the gateway before it', async (t) => {
    const ids = [
      { 'x-request-id': 'req_1' },
      { 'request-id': 'req_2' },
      { 'apim-request-id': 'req_3' },
      { 'cf-ray': 'ray' },
    ];
    const { transport, baseUrl } = await play(t, (_, response, count) => send(response, 400, limit, ids[count - 1]));
    const met: unknown[] = [];
    for (const _ of ids) met.push((await failureOf(transport, baseUrl)).error.requestId);
    assert.deepEqual(met, ['req_1', 'req_2', 'req_3', 'ray']);
  });

  test('quirk 42: where nothing is found, the address to try instead is named', async (t) => {
    const { transport, baseUrl } = await play(t, (_, response) => void response.writeHead(404).end('Not Found'));
    const origin = new URL(baseUrl).origin;
    const hint = async (path: string) => (await failureOf(transport, origin + path)).error.hint;
    assert.equal(await hint('/v1/v1'), `${origin}/v1`);
    assert.equal(await hint('/openai'), `${origin}/openai/v1`);
    assert.equal(await hint('/v1/chat/completions'), `${origin}/v1`);
    assert.equal(await hint('/v1'), undefined);
  });

  test('quirk 56: a key in an unknown shape is not shown, nor the part a service left of it', async (t) => {
    const key = 'correct.horse.battery.staple';
    const said = `Bad key "${key}", that is ${key.slice(0, 16)}... or ${encodeURIComponent(key)} or ${btoa(key)}`;
    const { transport, baseUrl } = await play(t, (_, response) => send(response, 401, { error: said }));
    const { error } = await failureOf(transport, baseUrl, { key });
    assert.match(error.message, /^Bad key/);
    assert.doesNotMatch(inspect([error, error.stack, JSON.stringify(error)]), /horse|battery|Y29ycmVjd/);
  });

  test('quirk 44: a key that was pasted with what stood around it is cleaned before it goes into a header', async (t) => {
    const seen: unknown[] = [];
    const { transport, baseUrl } = await play(t, (request, response) => {
      seen.push(request.headers.authorization);
      send(response, 401, {});
    });
    for (const pasted of ['"k-1"\r\n', 'Bearer k-1', "Authorization: Bearer 'k-1'", '\u00a0k-1\t']) {
      await failureOf(transport, baseUrl, { key: cleanApiKey(pasted) ?? '' });
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 4 }, () => 'Bearer k-1'),
    );
    for (const pasted of ['', ' " " ', 'k\n1', 'ключ', 'k\u200b1']) assert.equal(cleanApiKey(pasted), undefined);
  });
});

describe('asking again, on a real socket', () => {
  const forms: [name: string, headers: Record<string, string>, message: string, waitMs: number][] = [
    ['seconds', { 'retry-after': '3' }, '', 3_000],
    ['0', { 'retry-after': '0' }, '', 0],
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '9' }, '', 1_500],
    ['a reset', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '7.66s' }, '', 7_660],
    ['the words', {}, 'Please try again in 1.5s.', 1_500],
  ];
  for (const [name, headers, message, waitMs] of forms) {
    test(`quirk 29: waits as ${name} say`, async (t) => {
      const waits: number[] = [];
      const { transport, baseUrl, requests } = await play(t, (_, response, count) =>
        count === 1
          ? send(response, 429, { error: { ...limit.error, message } }, headers)
          : send(response, 400, { error: 'enough' }),
      );
      await failureOf(transport, baseUrl, { onWait: (ms) => waits.push(Math.round(ms)) });
      assert.deepEqual([requests(), waits], [2, waitMs === 0 ? [] : [waitMs]]);
    });
  }

  test('quirk 29: a date is waited for, and a wait of more than a minute is given back at once', async (t) => {
    const waits: number[] = [];
    const inMs = (ms: number) => ({ 'retry-after': new Date(Date.now() + ms).toUTCString() });
    const { transport, baseUrl, requests } = await play(t, (_, response, count) =>
      send(response, 429, limit, inMs(count === 1 ? 10_000 : 600_000)),
    );
    const { error } = await failureOf(transport, baseUrl, { onWait: (ms) => waits.push(ms) });
    assert.equal(requests(), 2);
    assert.ok(waits.length === 1 && (waits[0] ?? 0) > 8_000 && (waits[0] ?? 0) <= 10_000, `${waits}`);
    assert.ok((error.retryAfterMs ?? 0) > 580_000, `${error.retryAfterMs}`);
  });

  test('quirk 30: an account without quota is asked once', async (t) => {
    const quota = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } };
    const { transport, baseUrl, requests } = await play(t, (_, response) =>
      send(response, 429, quota, { 'retry-after': '1' }),
    );
    assert.equal((await failureOf(transport, baseUrl)).error.kind, 'quota');
    assert.equal(requests(), 1);
  });

  test('quirk 31: three tries for what says "later", one for what says "no"', async (t) => {
    let status = 0;
    const { transport, baseUrl, requests } = await play(t, (_, response) => send(response, status, { error: 'x' }));
    for (status of [408, 409, 425, 429, 498, 500, 502, 503, 504, 520, 529]) {
      const earlier = requests();
      await failureOf(transport, baseUrl);
      assert.equal(requests() - earlier, 3, `${status}`);
    }
    for (status of [400, 401, 403, 404, 405, 413, 422, 424, 499]) {
      const earlier = requests();
      await failureOf(transport, baseUrl);
      assert.equal(requests() - earlier, 1, `${status}`);
    }
  });

  test('quirk 32: x-should-retry is obeyed, both ways', async (t) => {
    let [status, word] = [500, 'false'];
    const { transport, baseUrl, requests } = await play(t, (_, response) =>
      send(response, status, { error: 'x' }, { 'x-should-retry': word }),
    );
    await failureOf(transport, baseUrl);
    assert.equal(requests(), 1);
    [status, word] = [400, 'true'];
    await failureOf(transport, baseUrl);
    assert.equal(requests(), 4);
  });

  test('quirk 33: of eight requests that meet a limit together one goes first, and all get through', async (t) => {
    const held: ServerResponse[] = [];
    let arrivedWithTheFirst = 0;
    const limitThenAnswer: Play = async (_, response, count) => {
      if (count <= 8) {
        held.push(response);
        if (count === 8) for (const each of held) send(each, 429, limit, { 'retry-after-ms': '30' });
        return;
      }
      if (count === 9) {
        for (let turn = 0; turn < 50; turn++) await setImmediate();
        arrivedWithTheFirst = requests();
      }
      send(response, 400, { error: 'through' });
    };
    const { transport, baseUrl, requests } = await play(t, limitThenAnswer, createTestTransport({}, systemClock));
    const all = await Promise.all(Array.from({ length: 8 }, () => failureOf(transport, baseUrl)));
    assert.deepEqual(new Set(all.map(({ error }) => error.message)), new Set(['through']));
    assert.deepEqual([arrivedWithTheFirst, requests()], [9, 16]);
  });

  test('quirk 34: a stop during the wait ends it at once, and nothing is sent again', async (t) => {
    const { transport, baseUrl, requests } = await play(
      t,
      (_, response) => send(response, 429, limit, { 'retry-after': '50' }),
      createTestTransport({}, systemClock),
    );
    const stop = new AbortController();
    const { error } = await failureOf(transport, baseUrl, { signal: stop.signal, onWait: () => stop.abort() });
    assert.deepEqual([error.kind, requests()], ['cancelled', 1]);
  });

  test('quirk 34: a stop while others hold the gate ends the wait, too', async (t) => {
    const { transport, baseUrl, requests } = await play(
      t,
      (_, response) => send(response, 503, limit, { 'retry-after': '50' }),
      createTestTransport({}, systemClock),
    );
    const [first, second] = [new AbortController(), new AbortController()];
    let later: Promise<Asked> | undefined;
    const onWait = (): void => {
      later ??= failureOf(transport, baseUrl, { signal: second.signal, onWait: () => second.abort() });
    };
    const waiting = failureOf(transport, baseUrl, { signal: first.signal, onWait });
    await new Promise<void>((resolve) => second.signal.addEventListener('abort', () => resolve()));
    assert.equal((await later)?.error.kind, 'cancelled');
    first.abort();
    assert.equal((await waiting).error.kind, 'cancelled');
    assert.equal(requests(), 1);
  });
});

describe('quirk 41: a failure on the way', () => {
  const { signal } = new AbortController();
  const kindAt = async (url: string): Promise<string> => {
    const transport = createTestTransport({}, createPatientClock());
    try {
      await transport.send({ method: 'GET', url }, signal);
      return 'none';
    } catch (error) {
      return error instanceof ServiceError ? error.kind : String(error);
    } finally {
      await transport.close();
    }
  };
  test('is told by its kind: nobody listens, a name that does not exist', async () => {
    assert.equal(await kindAt('http://127.0.0.1:9/v1/models'), 'refused');
    assert.equal(await kindAt('https://no-such-host.invalid/v1/models'), 'dns');
  });
});
