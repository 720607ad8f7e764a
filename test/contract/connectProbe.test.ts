import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { type ErrorKind, ServiceError } from '../../src/base/errors.ts';
import { failedStep } from '../../src/connect/failedStep.ts';
import { probeAddress } from '../../src/connect/probe.ts';
import type { Purpose } from '../../src/service/models/modelPurpose.ts';
import type { Transport } from '../../src/service/request.ts';
import { findFreePort } from '../host/processes.ts';
import { createTestTransport } from './client.ts';
import { createBareServer } from './sockets.ts';

const never = new AbortController().signal;

describe('an address that is tried', () => {
  let transport: Transport;
  before(() => {
    transport = createTestTransport();
  });
  after(() => transport.close());

  async function listen(t: TestContext, answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  test('is alive where anybody answers, with whatever status, and gets no key', async (t) => {
    for (const status of [200, 401, 403, 404, 500]) {
      const asked: unknown[] = [];
      const baseUrl = await listen(t, (request, response) => {
        asked.push([request.method, request.url, request.headers.authorization]);
        response.writeHead(status).end('{}');
      });
      assert.equal(await probeAddress(transport, baseUrl, never), undefined, String(status));
      assert.deepEqual(asked[0], ['GET', '/v1/models', undefined]);
    }
  });

  test('is dead where nobody listens, or says nothing while anybody waits', async () => {
    const gone = `http://127.0.0.1:${await findFreePort()}/v1`;
    assert.equal((await probeAddress(transport, gone, never))?.kind, 'refused');
    const silent = await createBareServer();
    const patience = new AbortController();
    const probing = probeAddress(transport, `${silent.origin}/v1`, never, patience.signal);
    await silent.heard('GET /v1/models');
    patience.abort();
    assert.equal((await probing)?.kind, 'timeout');
    await silent.close();
  });

  test('is left at once when the user stops', async () => {
    const silent = await createBareServer();
    const user = new AbortController();
    const probing = probeAddress(transport, `${silent.origin}/v1`, user.signal);
    await silent.heard('GET /v1/models');
    user.abort();
    await assert.rejects(probing, { kind: 'cancelled' });
    await silent.close();
  });
});

describe('the question that a failed test call leads back to', () => {
  const failures = (...found: [Purpose, ErrorKind][]) =>
    failedStep(found.map(([purpose, kind]) => ({ purpose, error: new ServiceError(kind) })));

  test('is the one whose answer was wrong', () => {
    assert.equal(failures(), undefined);
    for (const kind of ['dns', 'refused', 'timeout', 'not-found', 'login-page'] as const) {
      assert.equal(failures(['chat', kind]), 'address', kind);
    }
    for (const kind of ['auth', 'permission', 'no-key'] as const) assert.equal(failures(['chat', kind]), 'key', kind);
    for (const kind of ['model-not-found', 'server', 'malformed'] as const) {
      assert.equal(failures(['chat', kind]), 'chat', kind);
    }
  });

  test('is the model of another purpose where chat works', () => {
    assert.equal(failures(['audio', 'not-found']), 'audio');
    assert.equal(failures(['audio', 'not-found'], ['chat', 'auth']), 'key');
  });
});
