import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import dns from 'node:dns';
import { mkdtemp, open as openFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, mock, test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { isCancelled } from '../../src/base/errors.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { readText, type ServiceRequest } from '../../src/service/request.ts';
import { createGate } from '../../src/service/transport/gate.ts';
import { createTransport, type TransportOptions } from '../../src/service/transport/transport.ts';
import { testKey } from './client.ts';
import { type BareServer, createBareServer, openAnswer } from './sockets.ts';

const unlimited = { connect: 0, firstByte: 0, upload: 0, idle: 0, total: 0 };

/** More turns of the event loop than the error needs that waits for nothing. */
const fewTurns = 20;

/** Sends, stops when `reached` resolves, and expects the error within a few turns of the event loop: it waits for nothing. */
async function stopAt(
  request: ServiceRequest,
  reached: (controller: AbortController) => Promise<unknown>,
  options: Partial<TransportOptions> = {},
): Promise<void> {
  const controller = new AbortController();
  const transport = createTransport({ clock: systemClock, timeouts: unlimited, ...options });
  try {
    const sending = transport
      .send(request, controller.signal)
      .then((response) => readText(response.body, 1e9))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    await Promise.race([reached(controller), sending.then((error) => assert.fail(`It ended by itself: ${error}`))]);
    let turns = 0;
    let isOver = false;
    void sending.then(() => {
      isOver = true;
    });
    controller.abort();
    for (; !isOver && turns <= fewTurns; turns++) await new Promise(setImmediate);
    assert.ok(isOver, `The request goes on ${turns} turns after the stop.`);
    const error = await sending;
    assert.ok(isCancelled(error), String(error));
  } finally {
    // Only after the test has looked at the sockets: closing the transport would close them all.
    closing.push(() => transport.close());
  }
}
const closing: (() => Promise<void>)[] = [];
const get = (url: string): ServiceRequest => ({ method: 'GET', url });
const post = (url: string): ServiceRequest => ({ method: 'POST', url, body: '{}', apiKey: new ApiKey(testKey) });
/** Sockets of this process that are open, or being opened. */
const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => /^TCP(Socket|Connect)Wrap$/.test(name)).length;

describe('quirk 34: a request that is stopped closes its socket', () => {
  let folder: string;
  let upload: ServiceRequest['body'];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-abort-'));
    const path = join(folder, 'long.wav');
    const file = await openFile(path, 'w');
    // Sparse: more than the sockets' buffers hold, and no room on the disk.
    await file.truncate(64 * 1024 * 1024);
    await file.close();
    upload = { fields: [], file: { field: 'file', path, contentType: 'audio/wav' } };
  });
  after(async () => {
    for (const close of closing) await close();
    await rm(folder, { recursive: true, force: true });
  });

  /** As `stopAt`, and the server has to see the connection close. */
  async function seenClosed(
    server: BareServer,
    request: ServiceRequest,
    reached: (controller: AbortController) => Promise<unknown>,
    options: Partial<TransportOptions> = {},
  ): Promise<void> {
    await stopAt(request, reached, options);
    for (const socket of server.sockets) socket.resume();
    await server.allClosed();
    await server.close();
  }

  test('while its name is looked up', async () => {
    const lookup = mock.method(dns, 'lookup', () => undefined);
    try {
      const earlier = openSockets();
      await stopAt(get('https://pending.test/v1/models'), async () => {
        while (lookup.mock.callCount() === 0) await new Promise(setImmediate);
      });
      while (openSockets() > earlier) await new Promise(setImmediate);
    } finally {
      lookup.mock.restore();
    }
  });

  test('while it connects to a host that does not answer', async () => {
    // A listener that never accepts: when its queue is full, the system leaves further calls without an answer.
    const program = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
      require('fs').writeSync(1, String(this.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    })`;
    const deaf = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
    const port = Number(await new Promise((resolve) => deaf.stdout.once('data', resolve)));
    const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    try {
      const earlier = openSockets();
      await stopAt(get(`http://127.0.0.1:${port}/v1/models`), async () => {
        while (openSockets() === earlier) await new Promise(setImmediate);
      });
      while (openSockets() > earlier) await new Promise(setImmediate);
    } finally {
      for (const filler of fillers) filler.destroy();
      deaf.kill('SIGKILL');
    }
  });

  test('while TLS is being agreed on', async () => {
    const server = await createBareServer();
    await seenClosed(server, get(`https://127.0.0.1:${server.port}/v1/models`), () => server.heard('\x16\x03'));
  });

  test('while a proxy makes up its mind', async () => {
    const server = await createBareServer();
    const proxy = `http://127.0.0.1:${server.port}`;
    await seenClosed(server, get('https://host.test/v1/models'), () => server.heard('CONNECT host.test:443'), {
      proxy,
    });
  });

  test('while TLS is being agreed on through a proxy', async () => {
    const server = await createBareServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    });
    const proxy = `http://127.0.0.1:${server.port}`;
    await seenClosed(server, get('https://host.test/v1/models'), () => server.heard('\x16\x03'), { proxy });
  });

  // The second way is that of the editor, whose place Node's own fetch takes here.
  for (const path of ['direct', 'editor'] as const) {
    const options = { path, fetch: globalThis.fetch };
    const by = path === 'editor' ? ', by the editor’s way' : '';

    test(`before the first byte${by}`, async () => {
      const server = await createBareServer();
      await seenClosed(server, post(`${server.origin}/v1/chat/completions`), () => server.heard('{}'), options);
    });

    test(`in the middle of the answer${by}`, async () => {
      const server = await createBareServer((socket) =>
        socket.once('data', () => socket.write(openAnswer(200, 'half'))),
      );
      await seenClosed(server, post(`${server.origin}/v1/chat/completions`), () => server.heard('{}'), options);
    });

    test(`in the middle of an answer that refuses${by}`, async () => {
      const server = await createBareServer((socket) =>
        socket.once('data', () => socket.write(openAnswer(400, '{"err'))),
      );
      await seenClosed(server, post(`${server.origin}/v1/chat/completions`), () => server.heard('{}'), options);
    });

    test(`while a file is sent${by}`, async () => {
      let bytes = 0;
      let isStopped = false;
      const server = await createBareServer((socket) => {
        socket.on('data', (piece) => {
          bytes += piece.length;
          // Takes a little, then no more: the rest waits in the client.
          if (bytes > 100_000 && !isStopped) socket.pause();
        });
      });
      const request = { ...post(`${server.origin}/v1/audio/translations`), body: upload } as ServiceRequest;
      const reached = async (): Promise<void> => {
        await server.heard('audio/wav');
        isStopped = true;
      };
      await seenClosed(server, request, reached, options);
      assert.ok(bytes < 32 * 1024 * 1024, `${bytes} bytes were sent`);
    });
  }

  test('while it waits to ask again', async () => {
    const refusal = 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n';
    const server = await createBareServer((socket) => socket.on('data', () => socket.write(refusal)));
    let waits: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      waits = resolve;
    });
    const clock: Clock = {
      ...systemClock,
      sleep: (ms, signal) => {
        waits();
        return systemClock.sleep(ms, signal);
      },
    };
    const retry = { retries: 2, baseMs: 50_000, maxMs: 50_000 };
    const gate = createGate(systemClock);
    await stopAt(post(`${server.origin}/v1/chat/completions`), () => waiting, { clock, retry, gate });
    assert.equal(server.sockets.length, 1);
    await server.close();
  });

  test('while it waits at the gate, and then sends nothing', async () => {
    const refusal = 'HTTP/1.1 429 Slow down\r\nRetry-After: 50\r\nContent-Length: 0\r\n\r\n';
    const server = await createBareServer((socket) => socket.on('data', () => socket.write(refusal)));
    const gate = createGate(systemClock);
    const url = `${server.origin}/v1/chat/completions`;
    const once = createTransport({ clock: systemClock, gate, retry: { retries: 0, baseMs: 1, maxMs: 1 } });
    await assert.rejects(once.send(post(url), new AbortController().signal), { kind: 'rate-limit' });
    await once.close();
    let waits: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      waits = resolve;
    });
    await stopAt({ ...post(url), onWait: () => waits() }, () => waiting, { gate });
    assert.equal(server.sockets.length, 1);
    await server.close();
  });
});
