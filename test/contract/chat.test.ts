import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { ErrorKind } from '../../src/base/errors.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { Transport } from '../../src/service/request.ts';
import type { ReferenceService } from '../service/options.ts';
import { readSelfSignedPair } from '../service/selfSigned.ts';
import { createReferenceService } from '../service/server.ts';
import { ask, createPatientClock, createTestTransport, endpointOf, testKey } from './client.ts';

describe('a chat call on a real socket', () => {
  let service: ReferenceService;
  let transport: Transport;
  before(async () => {
    service = await createReferenceService();
    transport = createTestTransport();
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  for (const stream of [true, false]) {
    test(`gives the text, the model and all seven members of usage ${stream ? 'as a stream' : 'in one piece'}`, async () => {
      const answer = await ask(transport, endpointOf(service, 'parley-chat'), 'say: one two three', { stream });
      assert.equal(answer.error, undefined);
      assert.equal(answer.text, 'one two three');
      assert.ok(answer.events.some((event) => event.type === 'model' && event.model === 'parley-chat'));
      assert.ok(answer.events.some((event) => event.type === 'finish' && event.reason === 'stop'));
      const usage = answer.events.findLast((event) => event.type === 'usage');
      assert.ok(usage?.type === 'usage');
      assert.equal(Object.values(usage.usage).filter((value) => typeof value === 'number').length, 7);
    });
  }

  test('carries the key as a bearer token and nowhere else', async () => {
    await ask(transport, endpointOf(service, 'parley-chat'), 'say: hello');
    const request = service.requests.at(-1);
    assert.equal(request?.headers['authorization'], `Bearer ${testKey}`);
    assert.ok(!request?.path.includes(testKey));
    assert.ok(!JSON.stringify(request?.body).includes(testKey));
  });

  test('closes the socket when it is stopped in the middle', async () => {
    const controller = new AbortController();
    const slow = await createReferenceService({ tokenDelayMs: 20 });
    const answer = await ask(transport, endpointOf(slow, 'parley-chat'), 'count to 500', {
      signal: controller.signal,
      onText: () => controller.abort(),
    });
    assert.equal(answer.error?.kind, 'cancelled');
    await slow.waitForRequest((request) => request.aborted);
    await slow.close();
  });

  test('closes the socket when it is stopped before the first byte', async () => {
    const controller = new AbortController();
    const asking = ask(transport, endpointOf(service, 'fault-slow-first-byte'), 'hello', { signal: controller.signal });
    await service.waitForRequest((request) => request.fault === 'slow-first-byte');
    controller.abort();
    assert.equal((await asking).error?.kind, 'cancelled');
    await service.waitForRequest((request) => request.fault === 'slow-first-byte' && request.aborted);
  });

  const outcomes: [fault: string, kind: ErrorKind][] = [
    ['400', 'bad-request'],
    ['401', 'auth'],
    ['403', 'permission'],
    ['404', 'not-found'],
    ['413', 'too-large'],
    ['422', 'bad-request'],
    ['429', 'rate-limit'],
    ['429-quota', 'quota'],
    ['500', 'server'],
    ['502', 'server'],
    ['503', 'overloaded'],
    ['529', 'overloaded'],
    ['model-not-found', 'model-not-found'],
    ['context-length', 'context-length'],
    ['html', 'login-page'],
    ['html-502', 'server'],
    ['empty', 'malformed'],
    ['garbage', 'truncated'],
    ['redirect', 'redirect'],
    ['reset', 'reset'],
    ['cut', 'truncated'],
    ['cut-clean', 'truncated'],
    ['error-in-stream', 'server'],
  ];
  for (const [fault, kind] of outcomes) {
    test(`says “${kind}” for the fault ${fault}`, async () => {
      const answer = await ask(transport, endpointOf(service, `fault-${fault}`), 'count to 30');
      assert.equal(answer.error?.kind, kind);
      assert.ok(!JSON.stringify(answer.error).includes(testKey));
    });
  }

  test('keeps the text that came before the stream was cut', async () => {
    for (const fault of ['cut', 'cut-clean', 'error-in-stream', 'garbage']) {
      const answer = await ask(transport, endpointOf(service, `fault-${fault}`), 'count to 30');
      assert.notEqual(answer.text, '', fault);
    }
  });

  for (const fault of ['json-for-stream', 'ndjson', 'no-done']) {
    test(`reads a whole answer from the odd form ${fault}`, async () => {
      const answer = await ask(transport, endpointOf(service, `fault-${fault}`), 'say: all of it');
      assert.equal(answer.error, undefined);
      assert.equal(answer.text, 'all of it');
    });
  }

  test('asks again after 503 and 429, waiting as long as the service asks', async () => {
    const clock = createPatientClock();
    const patient = createTestTransport({}, clock);
    const answer = await ask(patient, endpointOf(service, 'fault-429-once'), 'say: second try');
    assert.equal(answer.text, 'second try');
    assert.deepEqual(clock.slept, [1000]);
    const waits: number[] = [];
    const request = {
      messages: [{ role: 'user' as const, content: 'hi' }],
      stream: true,
      onWait: (ms: number) => void waits.push(ms),
    };
    const chat = createChatClient(patient).chat(
      endpointOf(service, 'fault-503-once'),
      request,
      new AbortController().signal,
    );
    for await (const _event of chat);
    assert.deepEqual(waits, [1000]);
    await patient.close();
  });

  test('does not ask again where that would be paid twice or is of no use', async () => {
    for (const fault of ['429-quota', '401', 'cut', 'reset']) {
      const earlier = service.requests.length;
      await ask(transport, endpointOf(service, `fault-${fault}`), 'hello');
      assert.equal(service.requests.length, earlier + 1, fault);
    }
  });

  test('tells a stalled stream from a slow start', async () => {
    const impatient = createTestTransport({ firstByte: 150, idle: 150 });
    const stalled = await ask(impatient, endpointOf(service, 'fault-stall'), 'count to 30');
    assert.equal(stalled.error?.kind, 'timeout');
    assert.notEqual(stalled.text, '');
    const slow = await ask(impatient, endpointOf(service, 'fault-slow-first-byte'), 'hello');
    assert.equal(slow.error?.kind, 'timeout');
    assert.equal(slow.text, '');
    await impatient.close();
  });

  test('says that nothing listens, that a host is unknown, and that a certificate is not trusted', async () => {
    const probe = createServer();
    const port = await new Promise<number>((resolve) =>
      probe.listen(0, '127.0.0.1', () => resolve((probe.address() as { port: number }).port)),
    );
    await new Promise((resolve) => probe.close(resolve));
    const at = (baseUrl: string) => ask(transport, { baseUrl, model: 'm' }, 'hello');
    assert.equal((await at(`http://127.0.0.1:${port}/v1`)).error?.kind, 'refused');
    assert.equal((await at('http://no-such-host.invalid/v1')).error?.kind, 'dns');
    const tls = await createReferenceService({ tls: readSelfSignedPair() });
    assert.equal((await at(tls.baseUrl)).error?.kind, 'tls');
    await tls.close();
  });

  test('never follows a redirect with the key', async () => {
    const elsewhere = await createReferenceService();
    const moved = await createReferenceService({ redirectTo: `${elsewhere.baseUrl}/chat/completions` });
    const answer = await ask(transport, endpointOf(moved, 'fault-redirect'), 'hello');
    assert.equal(answer.error?.kind, 'redirect');
    assert.equal(elsewhere.requests.length, 0);
    await moved.close();
    await elsewhere.close();
  });

  test('leaves stream_options out for good once a service refused it', async () => {
    const strict = await createReferenceService({ refusedFields: ['stream_options'] });
    const client = createTestTransport();
    const chat = createChatClient(client);
    const request = { messages: [{ role: 'user' as const, content: 'say: fine' }], stream: true };
    for (let round = 0; round < 2; round++) {
      const texts: string[] = [];
      for await (const event of chat.chat(endpointOf(strict, 'parley-chat'), request, new AbortController().signal)) {
        if (event.type === 'text') texts.push(event.text);
      }
      assert.equal(texts.join(''), 'fine');
    }
    assert.deepEqual(
      strict.requests.map((sent) => sent.status),
      [400, 200, 200],
    );
    await client.close();
    await strict.close();
  });
});
