import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { ServiceError } from '../../src/base/errors.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { readText, type ServiceRequest, type Transport } from '../../src/service/request.ts';
import { createTransport, type TransportOptions } from '../../src/service/transport/transport.ts';
import { findFreePort } from '../host/processes.ts';
import { readIssuedPair } from '../service/issued.ts';
import { createReferenceService } from '../service/server.ts';
import { createPatientClock, testKey } from './client.ts';
import { createBareServer } from './sockets.ts';

const { signal } = new AbortController();
const timeouts = { connect: 150, firstByte: 20_000, upload: 20_000, idle: 20_000, total: 0 };
const post = (url: string): ServiceRequest => ({ method: 'POST', url, body: '{"a":1}', apiKey: new ApiKey(testKey) });

/** A transport whose editor's way leads to `place`, whatever host is asked: as an editor's that knows a way around. */
function createPair(place: string, options: Partial<TransportOptions> = {}) {
  const calls: { url: string; init: RequestInit }[] = [];
  const log: string[] = [];
  const fetch = async (input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}) => {
    calls.push({ url: String(input), init });
    return globalThis.fetch(`http://${place}${new URL(String(input)).pathname}`, init);
  };
  const transport = createTransport({
    clock: createPatientClock(),
    retry: { retries: 0, baseMs: 1, maxMs: 1 },
    timeouts,
    certificates: () => [],
    allowInsecure: () => true,
    fetch: fetch as typeof globalThis.fetch,
    log: (line) => log.push(line),
    ...options,
  });
  return { transport, calls, log };
}
async function send(transport: Transport, url: string): Promise<string> {
  const answer = await transport.send(post(url), signal);
  return readText(answer.body, 1e6);
}
const failureOf = (sending: Promise<unknown>): Promise<ServiceError> =>
  sending.then(
    () => assert.fail('It did not fail.'),
    (error: unknown) => (error instanceof ServiceError ? error : assert.fail(String(error))),
  );

describe('the two ways to a service', () => {
  let around: Server;
  let place: string;
  before(async () => {
    around = createServer((request, response) => {
      if (request.url === '/refused') response.writeHead(401).end('{"error":"no"}');
      else if (request.url === '/broken') request.socket.destroy();
      else response.end('by the editor');
    });
    await new Promise<void>((resolve) => around.listen(0, '127.0.0.1', resolve));
    place = `127.0.0.1:${(around.address() as AddressInfo).port}`;
  });
  after(() => around.close());

  /** Where the direct way cannot get through, and why. */
  const obstacles: Record<
    string,
    () => Promise<{ origin: string; options?: Partial<TransportOptions>; end?: () => unknown }>
  > = {
    dns: async () => ({ origin: 'https://harbour.invalid' }),
    tls: async () => {
      const secure = await createReferenceService({ tls: readIssuedPair() });
      return { origin: `https://0.0.0.0:${secure.port}`, end: secure.close };
    },
    refused: async () => ({ origin: `http://0.0.0.0:${await findFreePort()}` }),
    proxy: async () => ({
      origin: 'https://harbour.invalid',
      options: { proxy: `http://127.0.0.1:${await findFreePort()}` },
    }),
    timeout: async () => {
      const silent = await createBareServer();
      return { origin: `https://0.0.0.0:${silent.port}`, end: silent.close };
    },
    reset: async () => {
      const rude = await createBareServer((socket) => socket.on('data', () => socket.destroy()));
      return { origin: `https://0.0.0.0:${rude.port}`, end: rude.close };
    },
  };
  for (const [kind, raise] of Object.entries(obstacles)) {
    test(`quirk 41: where the direct one fails by “${kind}”, the editor's is taken, and kept for that origin`, async () => {
      const { origin, options, end } = await raise();
      const { transport, calls, log } = createPair(place, options);
      assert.equal(await send(transport, `${origin}/v1`), 'by the editor');
      assert.equal(calls.length, 1);
      await end?.();
      assert.equal(await send(transport, `${origin}/v1`), 'by the editor');
      assert.equal(calls.length, 2);
      assert.equal(log.filter((line) => line.startsWith(`${origin} `)).length, 1);
      await transport.close();
    });

    test(`the setting “direct” leaves “${kind}” as it is, and “editor” never tries`, async () => {
      const { origin, options, end } = await raise();
      const direct = createPair(place, { ...options, path: 'direct' });
      const failure = await failureOf(send(direct.transport, `${origin}/v1`));
      assert.equal(failure.kind, kind);
      assert.equal(failure.url, `${origin}/v1`);
      assert.equal(direct.calls.length, 0);
      const editor = createPair(place, { ...options, path: 'editor' });
      assert.equal(await send(editor.transport, `${origin}/v1`), 'by the editor');
      await Promise.all([direct.transport.close(), editor.transport.close()]);
      await end?.();
    });
  }

  test('a refusal of the service by the editor’s way is an answer, and that way is kept', async () => {
    const { transport, calls } = createPair(place);
    assert.equal((await failureOf(send(transport, 'https://harbour.invalid/refused'))).kind, 'auth');
    assert.equal(await send(transport, 'https://harbour.invalid/v1'), 'by the editor');
    assert.equal(calls.length, 2);
    await transport.close();
  });

  test('where both fail, the direct way’s reason is said', async () => {
    const { transport } = createPair(`127.0.0.1:${await findFreePort()}`);
    assert.equal((await failureOf(send(transport, 'https://harbour.invalid/v1'))).kind, 'dns');
    await transport.close();
  });

  test('what the editor’s way may have sent is not sent again, and its own error is said', async () => {
    const { transport, calls } = createPair(place, { retry: { retries: 2, baseMs: 1, maxMs: 1 } });
    assert.equal((await failureOf(send(transport, 'https://harbour.invalid/broken'))).kind, 'reset');
    assert.equal(calls.length, 1);
    const refused = `http://0.0.0.0:${await findFreePort()}/broken`;
    assert.equal((await failureOf(send(transport, refused))).kind, 'reset');
    assert.equal(calls.length, 2);
    await transport.close();
  });

  test('a way that was kept and breaks is forgotten', async () => {
    const service = createServer((_request, response) => response.end('direct'));
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo;
    await new Promise((resolve) => service.close(resolve));
    const { transport, calls } = createPair(place);
    const origin = `http://0.0.0.0:${port}`;
    assert.equal(await send(transport, `${origin}/v1`), 'by the editor');
    assert.equal((await failureOf(send(transport, `${origin}/broken`))).kind, 'reset');
    await new Promise<void>((resolve) => service.listen(port, '127.0.0.1', resolve));
    assert.equal(await send(transport, `${origin}/v1`), 'direct');
    assert.equal(calls.length, 2);
    await transport.close();
    service.close();
  });

  test('the editor’s is not tried for this machine, nor once a request was sent, nor when it was stopped', async () => {
    const { transport, calls } = createPair(place);
    assert.equal((await failureOf(send(transport, `http://127.0.0.1:${await findFreePort()}/v1`))).kind, 'refused');
    const rude = await createBareServer((socket) => socket.on('data', () => socket.destroy()));
    assert.equal((await failureOf(send(transport, `http://0.0.0.0:${rude.port}/v1`))).kind, 'reset');
    const silent = await createBareServer();
    const controller = new AbortController();
    const sending = transport.send(post(`https://0.0.0.0:${silent.port}/v1`), controller.signal);
    await silent.opened();
    controller.abort();
    assert.equal((await failureOf(sending)).kind, 'cancelled');
    assert.equal(calls.length, 0);
    await transport.close();
    await rude.close();
    await silent.close();
  });

  test('quirk 40: the editor’s fetch gets no dispatcher, only what belongs to every fetch', async () => {
    const { transport, calls } = createPair(place, { path: 'editor' });
    await send(transport, 'https://harbour.invalid/v1');
    assert.deepEqual(Object.keys(calls[0]?.init ?? {}).sort(), ['body', 'headers', 'method', 'redirect', 'signal']);
    assert.equal(calls[0]?.init.redirect, 'manual');
    await transport.close();
  });

  test('quirk 40: nothing of undici reaches the editor’s way: a form is one of the global objects', async () => {
    const forms: unknown[] = [];
    const fetch = (async (_input: unknown, init: RequestInit) => {
      forms.push(init.body);
      return new Response('{}');
    }) as typeof globalThis.fetch;
    const { transport } = createPair(place, { path: 'editor', fetch });
    const file = { field: 'file', path: import.meta.filename, contentType: 'audio/wav' };
    const request = { method: 'POST', url: 'https://harbour.invalid/v1', body: { fields: [], file } } as const;
    assert.equal(await readText((await transport.send(request, signal)).body, 10), '{}');
    const [form] = forms;
    assert.ok(form instanceof FormData);
    assert.ok(form.get('file') instanceof Blob);
    await transport.close();
  });
});
