import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { ServiceError } from '../../src/base/errors.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { readText, type ServiceRequest, type Transport } from '../../src/service/request.ts';
import { createTransport, type TransportOptions } from '../../src/service/transport/transport.ts';
import { readAuthority, readIssuedPair } from '../service/issued.ts';
import { createReferenceService } from '../service/server.ts';
import { createPatientClock, testKey } from './client.ts';
import { createBareServer, openAnswer, wholeAnswer } from './sockets.ts';

const unlimited = { connect: 0, firstByte: 0, upload: 0, idle: 0, total: 0 };
const apiKey = new ApiKey(testKey);
const { signal } = new AbortController();

const open = (options: Partial<TransportOptions> = {}): Transport =>
  createTransport({
    clock: createPatientClock(),
    timeouts: unlimited,
    certificates: () => [readAuthority()],
    ...options,
  });
/** Sends one request by a transport of its own, and reads the answer to its end. */
async function send(request: ServiceRequest, options: Partial<TransportOptions> = {}): Promise<string> {
  const transport = open(options);
  try {
    return await sendBy(transport, request);
  } finally {
    await transport.close();
  }
}
async function sendBy(transport: Transport, request: ServiceRequest): Promise<string> {
  const { body } = await transport.send(request, signal);
  const text = await readText(body, 1e9);
  // By the next turn the connection is free for another request.
  await new Promise(setImmediate);
  return text;
}
const failureOf = (sending: Promise<unknown>): Promise<ServiceError> =>
  sending.then(
    () => assert.fail('It did not fail.'),
    (error: unknown) => {
      assert.ok(error instanceof ServiceError, String(error));
      return error;
    },
  );
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const bytesOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
};
const post = (url: string, body: ServiceRequest['body'] = '{"a":1}'): ServiceRequest =>
  ({ method: 'POST', url, body, apiKey }) as ServiceRequest;
const get = (url: string): ServiceRequest => ({ method: 'GET', url, apiKey });

/** Both ways; the editor's fetch is played by Node's own. */
const ways: [name: string, options: Partial<TransportOptions>][] = [
  ['the direct way', { path: 'direct' }],
  ['the editor’s way', { path: 'editor', fetch: globalThis.fetch }],
];

let folder: string;
let upload: Exclude<ServiceRequest['body'], string | undefined>;
const recording = randomBytes(300_000);
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-transport-'));
  const path = join(folder, 'a "harbour".wav');
  await writeFile(path, recording);
  upload = { fields: [['model', 'parley-whisper']], file: { field: 'file', path, contentType: 'audio/wav' } };
});
after(() => rm(folder, { recursive: true, force: true }));

describe('the time of a request', () => {
  test('quirk 35: an answer that begins after ten minutes, and pauses as long, is read where no limit is set', async () => {
    // undici keeps time by a clock of its own, which can be put forward.
    const undiciTime = createRequire(import.meta.url)('undici/lib/util/timers.js') as { tick(ms: number): void };
    // A timer counts from the first tick that sees it.
    const tenMinutes = (): void => [1_000, 600_000].forEach(undiciTime.tick);
    const server = await createBareServer();
    const sending = send(post(`${server.origin}/v1`));
    const socket = await server.opened();
    await server.heard('{"a":1}');
    tenMinutes();
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst');
    // The client has the first half after some turns.
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    tenMinutes();
    socket.write(' half');
    assert.equal(await sending, 'first half');
    await server.close();
  });

  const silent = () => createBareServer();
  const half = () => createBareServer((socket) => socket.once('data', () => socket.write(openAnswer(200, 'half'))));
  const dripping = () =>
    createBareServer((socket) => {
      socket.write(openAnswer(200, ''));
      const timer = setInterval(() => socket.write('.'), 10);
      socket.on('close', () => clearInterval(timer));
    });
  const headOnly = () => createBareServer((socket) => socket.once('data', () => socket.write(openAnswer(200, ''))));
  for (const [phase, start, timeouts, scheme] of [
    ['connect', silent, { connect: 80 }, 'https'],
    ['first-byte', silent, { firstByte: 80 }, 'http'],
    ['first-byte', headOnly, { firstByte: 80, idle: 20 }, 'http'],
    ['idle', half, { idle: 80, firstByte: 60_000 }, 'http'],
    ['total', dripping, { total: 120, idle: 60_000 }, 'http'],
  ] as const) {
    test(`quirk 36: out of time in the phase “${phase}” names it and closes (${start.name})`, async () => {
      const server = await start();
      const failure = await failureOf(
        send(post(`${scheme}://127.0.0.1:${server.port}/v1`), { timeouts: { ...unlimited, ...timeouts } }),
      );
      assert.equal(failure.kind, 'timeout');
      assert.equal(failure.hint, phase);
      await server.allClosed();
      await server.close();
    });
  }

  test('quirk 36: each ping gives a slow stream its whole time again', async () => {
    const server = await createBareServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n');
        let pings = 0;
        const timer = setInterval(() => {
          socket.write(': ping\n\n');
          if (++pings < 12) return;
          clearInterval(timer);
          socket.end('data: [DONE]\n\n');
        }, 50);
      });
    });
    const text = await send(post(`${server.origin}/v1`), { timeouts: { ...unlimited, firstByte: 400, idle: 400 } });
    assert.match(text, /DONE/);
    await server.close();
  });

  test('the time for the whole runs through the waits between tries', async () => {
    const refusal = 'HTTP/1.1 503 Later\r\nContent-Length: 0\r\n\r\n';
    const server = await createBareServer((socket) => socket.on('data', () => socket.write(refusal)));
    const clock = { ...createPatientClock(), sleep: (_: number, stop: AbortSignal) => once(stop) };
    const failure = await failureOf(
      send(post(`${server.origin}/v1`), { clock, timeouts: { ...unlimited, total: 80 } }),
    );
    assert.equal(failure.hint, 'total');
    await server.close();
  });
  const once = (stop: AbortSignal): Promise<void> =>
    new Promise((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
});

describe('a kept connection', () => {
  test('serves one request after another', async () => {
    const server = await createBareServer((socket) => socket.on('data', () => socket.write(wholeAnswer('{}'))));
    const transport = open();
    for (let round = 0; round < 5; round++) await sendBy(transport, post(`${server.origin}/v1`));
    assert.equal(server.sockets.length, 1);
    await transport.close();
    await server.close();
  });

  const bodies: [name: string, body: () => ServiceRequest['body']][] = [
    ['a question', () => '{"a":1}'],
    ['a recording', () => upload],
  ];
  for (const [name, body] of bodies) {
    test(`quirk 37: that its server closes just then is made anew without a word, for ${name}`, async () => {
      let answered = 0;
      const server = createServer(async (request, response) => {
        const isStale = answered++ === 1;
        if (isStale) return void request.socket.resetAndDestroy();
        const sent = await bytesOf(request);
        response.end(String(sent.length));
      });
      const host = await listen(server);
      const transport = open();
      const first = await sendBy(transport, post(`http://${host}/v1`, body()));
      const second = await sendBy(transport, post(`http://${host}/v1`, body()));
      assert.equal(second.length, first.length);
      assert.equal(answered, 3);
      await transport.close();
      server.close();
    });
  }

  test('quirk 37: the same with TLS', async () => {
    let requests = 0;
    const server = createTlsServer(readIssuedPair(), (request, response) => {
      if (requests++ === 1) request.socket.destroy();
      else response.end('{}');
    });
    const host = await listen(server);
    const transport = open();
    for (let round = 0; round < 2; round++) assert.equal(await sendBy(transport, post(`https://${host}/v1`)), '{}');
    assert.equal(requests, 3);
    await transport.close();
    server.close();
  });

  test('quirk 37: is not made anew where a byte of the answer came, nor a second time', async () => {
    for (const [piece, asked] of [
      ['HTTP/1.1 2', 2],
      ['', 3],
    ] as const) {
      let requests = 0;
      const server = await createBareServer((socket) =>
        socket.on('data', () => {
          if (requests++ === 0) socket.write(wholeAnswer('{}'));
          else socket.end(piece);
        }),
      );
      const transport = open();
      await sendBy(transport, post(`${server.origin}/v1`));
      assert.equal((await failureOf(sendBy(transport, post(`${server.origin}/v1`)))).kind, 'reset');
      assert.equal(requests, asked);
      await transport.close();
      await server.close();
    }
  });

  test('quirk 37: a connection that is new and breaks is not made anew', async () => {
    const server = await createBareServer((socket) => socket.on('data', () => socket.end()));
    assert.equal((await failureOf(send(post(`${server.origin}/v1`)))).kind, 'reset');
    assert.equal(server.sockets.length, 1);
    await server.close();
  });
});

for (const [way, options] of ways) {
  describe(`a redirect, by ${way}`, () => {
    const seen: string[] = [];
    let server: Server;
    let host: string;
    before(async () => {
      server = createServer(async (request, response) => {
        const { method, url, headers } = request;
        seen.push(`${method} ${url} ${await bytesOf(request)} ${headers.authorization === `Bearer ${testKey}`}`);
        const [, status, rest] = /^\/(\d{3})(\/.*)$/.exec(url ?? '') ?? [];
        if (status) response.writeHead(Number(status), { location: rest }).end('moved');
        else if (url?.startsWith('/loop')) response.writeHead(307, { location: `/loop${seen.length}` }).end();
        else response.end('{"here":true}');
      });
      host = await listen(server);
    });
    after(() => server.close());

    test('quirk 38: within the origin is followed, with method, body and key', async () => {
      for (const status of [307, 308]) {
        seen.length = 0;
        assert.equal(await send(post(`http://${host}/${status}/there`), options), '{"here":true}');
        assert.deepEqual(seen, [`POST /${status}/there {"a":1} true`, 'POST /there {"a":1} true']);
      }
      for (const status of [301, 302, 307, 308]) {
        seen.length = 0;
        assert.equal(await send(get(`http://${host}/${status}/there`), options), '{"here":true}');
        assert.deepEqual(seen, [`GET /${status}/there  true`, 'GET /there  true']);
      }
    });

    test('quirk 38: that would make a GET of a POST is not followed', async () => {
      for (const status of [301, 302, 303]) {
        seen.length = 0;
        const failure = await failureOf(send(post(`http://${host}/${status}/there`), options));
        assert.equal(failure.kind, 'redirect');
        assert.equal(failure.hint, `http://${host}/there`);
        assert.equal(seen.length, 1);
      }
    });

    test('quirk 38: that never ends is followed three times', async () => {
      seen.length = 0;
      assert.equal((await failureOf(send(post(`http://${host}/loop`), options))).kind, 'redirect');
      assert.equal(seen.length, 4);
    });

    test('quirk 38: to another origin is not followed: neither key nor question go there', async () => {
      const elsewhere = await createBareServer();
      const failure = await failureOf(send(post(`http://${host}/307//127.0.0.1:${elsewhere.port}/v1`), options));
      assert.equal(failure.kind, 'redirect');
      assert.equal(failure.hint, `${elsewhere.origin}/v1`);
      assert.equal(elsewhere.sockets.length, 0);
      await elsewhere.close();
    });

    test('to another origin is followed by what is open to it, unless it has a key or a body', async () => {
      const asked: string[] = [];
      const elsewhere = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.end('{"here":true}');
      });
      const url = `http://${host}/302//${await listen(elsewhere)}/v1`;
      for (const more of [{ method: 'POST', body: '{}' }, { apiKey: new ApiKey(testKey) }] as const) {
        const failure = await failureOf(send({ method: 'GET', url, isOpen: true, ...more }, options));
        assert.deepEqual([failure.kind, asked], ['redirect', []]);
      }
      assert.equal(await send({ method: 'GET', url, isOpen: true }, options), '{"here":true}');
      assert.deepEqual(asked, ['GET /v1']);
      elsewhere.close();
    });
  });

  describe(`a file, by ${way}`, () => {
    test('quirk 39: goes over the wire whole, last, of known length and with its name', async () => {
      const service = await createReferenceService();
      await send(post(`${service.baseUrl}/audio/translations`, upload), options);
      const request = service.requests.at(-1);
      const [model, file] = request?.parts ?? [];
      assert.equal(model?.value, 'parley-whisper');
      assert.equal(file?.name, 'file');
      assert.equal(file?.contentType, 'audio/wav');
      assert.match(file?.filename ?? '', /^a .*harbour.*\.wav$/);
      assert.equal(file?.sha256, createHash('sha256').update(recording).digest('hex'));
      assert.equal(Number(request?.headers['content-length']), request?.bytes);
      assert.match(request?.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
      await service.close();
    });

    test('goes out under the name that the caller gives it', async () => {
      const service = await createReferenceService();
      const file = { ...upload.file, name: 'harbour ü "2".mp3' };
      await send(post(`${service.baseUrl}/audio/translations`, { ...upload, file }), options);
      assert.equal(service.requests.at(-1)?.parts?.at(-1)?.filename, file.name);
      await service.close();
    });

    test('that is gone or empty is said before anything is sent', async () => {
      const empty = join(folder, 'empty.wav');
      await writeFile(empty, '');
      const server = await createBareServer();
      const ofPath = (path: string) => post(server.origin, { fields: [], file: { ...upload.file, path } });
      assert.equal((await failureOf(send(ofPath(empty), options))).kind, 'file-empty');
      assert.equal((await failureOf(send(ofPath(join(folder, 'gone.wav')), options))).kind, 'file-missing');
      assert.equal(server.sockets.length, 0);
      await server.close();
    });
  });

  describe(`a packed answer, by ${way}`, () => {
    const packers: Record<string, (text: Buffer) => Buffer> = {
      gzip: gzipSync,
      br: brotliCompressSync,
      deflate: deflateSync,
      'raw deflate': deflateRawSync,
      'gzip, br': (text) => brotliCompressSync(gzipSync(text)),
    };
    let server: Server;
    let host: string;
    let asked: string | undefined;
    before(async () => {
      server = createServer(async (request, response) => {
        await bytesOf(request);
        asked = request.headers['accept-encoding'];
        const [status, coding = ''] = decodeURIComponent(request.url ?? '')
          .slice(1)
          .split('/');
        const text = Buffer.from(JSON.stringify({ error: { message: 'No such tide.' }, more: 'x'.repeat(20_000) }));
        const packed = packers[coding]?.(text) ?? text;
        response.writeHead(Number(status), { 'content-encoding': coding.replace('raw ', '') });
        response.write(packed.subarray(0, 9));
        setImmediate(() => response.end(packed.subarray(9)));
      });
      host = await listen(server);
    });
    after(() => server.close());

    for (const coding of Object.keys(packers)) {
      test(`quirk 58: is unpacked from ${coding}, good, bad and after a file`, async () => {
        const at = (status: number) => `http://${host}/${status}/${encodeURIComponent(coding)}`;
        assert.match(await send(post(at(200)), options), /^\{"error":.*xxx"\}$/);
        assert.match(await send(post(at(200), upload), options), /^\{"error":.*xxx"\}$/);
        const failure = await failureOf(send(post(at(400)), options));
        assert.equal(failure.kind, 'bad-request');
        assert.equal(failure.message, 'No such tide.');
        assert.match(asked ?? '', /gzip/);
      });
    }
  });

  describe(`an answer that refuses, by ${way}`, () => {
    test('quirk 58: is read in the charset it names', async () => {
      const server = createServer((_request, response) => {
        response.writeHead(400, { 'content-type': 'application/json; charset=iso-8859-1' });
        response.end(Buffer.from('{"error":"D\u00e9j\u00e0 vu"}', 'latin1'));
      });
      const host = await listen(server);
      assert.equal((await failureOf(send(post(`http://${host}/v1`), options))).message, 'Déjà vu');
      server.close();
    });

    test('holds nobody else where it is final for its own request', async () => {
      const server = createServer(async (request, response) => {
        const isLong = (await bytesOf(request)).length > 100;
        const error = {
          message: 'Request too large for model: Limit 6000, Requested 9000, please reduce your message size.',
        };
        if (isLong) response.writeHead(429, { 'retry-after': '50' }).end(JSON.stringify({ error }));
        else response.end('fine');
      });
      const url = `http://${await listen(server)}/v1`;
      const clock = createPatientClock();
      const transport = open({ ...options, clock });
      assert.equal((await failureOf(transport.send(post(url, 'x'.repeat(200)), signal))).kind, 'too-large');
      assert.equal(await sendBy(transport, post(url)), 'fine');
      assert.deepEqual(clock.slept, []);
      await transport.close();
      server.close();
    });

    test('is asked again within the time for an answer, however long the refusal is', async () => {
      let asked = 0;
      const long = createServer((_request, response) => {
        // The second question is never answered.
        if (asked++ === 0) response.writeHead(503).end('x'.repeat(2 * 1024 * 1024));
      });
      const origin = `http://${await listen(long)}`;
      const timeouts = { ...unlimited, firstByte: 300 };
      const failure = await failureOf(send(post(`${origin}/v1`), { ...options, timeouts }));
      assert.deepEqual([failure.kind, failure.hint, asked], ['timeout', 'first-byte', 2]);
      long.close();
      long.closeAllConnections();
    });

    test('quirk 58: is read no further than it can matter, and then closed', async () => {
      const server = await createBareServer((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 400 No\r\nTransfer-Encoding: chunked\r\n\r\n');
          const more = (): void => {
            while (socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`));
          };
          socket.on('drain', more);
          more();
        });
      });
      assert.equal((await failureOf(send(post(`${server.origin}/v1`), options))).kind, 'bad-request');
      await server.allClosed();
      await server.close();
    });
  });

  test(`quirk 43: a key is not sent over plain http to another machine, by ${way}`, async () => {
    const server = await createBareServer();
    const url = `http://0.0.0.0:${server.port}/v1`;
    const failure = await failureOf(send(post(url), options));
    assert.equal(failure.kind, 'insecure');
    assert.equal(failure.url, url);
    const others = { ...options, allowInsecure: (origin: string) => origin === 'http://other.test' };
    assert.equal((await failureOf(send(get(url), others))).kind, 'insecure');
    assert.equal(server.sockets.length, 0);
    await server.close();

    const reached = createServer((_request, response) => response.end('{}'));
    const origin = `http://0.0.0.0:${(await listen(reached)).split(':')[1]}`;
    assert.equal(await send(post(origin), { ...options, allowInsecure: (asked) => asked === origin }), '{}');
    assert.equal(await send({ method: 'GET', url: origin }, options), '{}');
    assert.equal(await send(post(origin.replace('0.0.0.0', '127.0.0.1')), options), '{}');
    reached.close();
  });
}

describe('an answer that is packed wrongly', () => {
  test('quirk 58: is malformed, not a broken connection', async () => {
    for (const coding of ['gzip', 'br', 'deflate']) {
      const server = createServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end('this is plain text, whatever the head says');
      });
      const host = await listen(server);
      assert.equal((await failureOf(send(post(`http://${host}/v1`)))).kind, 'malformed', coding);
      server.close();
    }
  });
});

test('a service that offers HTTP/2 as well is asked by HTTP/1.1', async () => {
  const server = createSecureServer({ ...readIssuedPair(), allowHTTP1: true }, (request, response) => {
    response.end(request.httpVersion);
  });
  const host = await listen(server as unknown as Server);
  assert.equal(await send(post(`https://${host}/v1`)), '1.1');
  server.close();
});
