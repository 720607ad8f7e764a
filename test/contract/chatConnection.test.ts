import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Clock } from '../../src/base/clock.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { Transport } from '../../src/service/request.ts';
import { createTransport, type TransportOptions } from '../../src/service/transport/transport.ts';
import { createPatientClock } from './client.ts';

const never = new AbortController().signal;
const lastWords =
  'data: {"choices":[{"index":0,"delta":{"content":"fine"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** Both ways; the editor's fetch is played by Node's own. */
const ways: [name: string, options: Partial<TransportOptions>][] = [
  ['the direct way', { path: 'direct' }],
  ['the editor’s way', { path: 'editor', fetch: globalThis.fetch }],
];

for (const [way, options] of ways) {
  describe(`a streamed answer, by ${way}`, () => {
    let server: Server;
    let baseUrl: string;
    let transport: Transport;
    let sockets: Socket[];
    let answers: ServerResponse[];
    /** The wait for the end of each answer: how long it would be, what is fired when it is over, and a way to end it. */
    let waits: { ms: number; signal: AbortSignal; pass: () => void }[];
    const clock: Clock = {
      ...createPatientClock(),
      sleep: (ms, signal) => new Promise((pass) => waits.push({ ms, signal, pass })),
    };

    before(async () => {
      server = createServer((request, response) => {
        request.resume();
        answers.push(response);
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(lastWords);
      });
      server.on('connection', (socket) => sockets.push(socket));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    });
    beforeEach(() => {
      [sockets, answers, waits] = [[], [], []];
      transport = createTransport({ clock: createPatientClock(), certificates: () => [], ...options });
    });
    after(async () => {
      server.close();
      server.closeAllConnections();
    });

    async function ask(): Promise<string> {
      const client = createChatClient(transport, undefined, clock);
      const request = { messages: [{ role: 'user' as const, content: 'say: fine' }], stream: true };
      let text = '';
      for await (const event of client.chat({ baseUrl, model: 'm' }, request, never)) {
        if (event.type === 'text') text += event.text;
      }
      return text;
    }

    /** Resolves when the connection of the first answer is closed, however. */
    const closing = (): Promise<unknown> =>
      new Promise((resolve) => answers[0]?.socket?.on('error', () => undefined).once('close', resolve));

    test('leaves its connection to the next question, though its end comes after its last word', async () => {
      for (let asked = 0; asked < 5; asked++) {
        assert.equal(await ask(), 'fine');
        const [wait] = waits.splice(0);
        assert.ok(wait !== undefined && wait.ms <= 100);
        const isOver = wait.signal.aborted ? undefined : once(wait.signal, 'abort');
        answers.at(-1)?.end();
        await isOver;
        // By the next turn the connection is free for another request.
        await new Promise(setImmediate);
      }
      assert.equal(sockets.length, 1);
      await transport.close();
    });

    test('closes its connection when the end does not come', async () => {
      assert.equal(await ask(), 'fine');
      const closed = closing();
      assert.ok(!answers[0]?.socket?.closed);
      waits[0]?.pass();
      await closed;
      await transport.close();
    });

    test('closes its connection when more comes after its last word than an end', async () => {
      assert.equal(await ask(), 'fine');
      const closed = closing();
      answers[0]?.write('x'.repeat(1024 * 1024));
      await closed;
      await transport.close();
    });
  });
}
