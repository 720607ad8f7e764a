import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { translateAudio } from '../../src/service/audio/audio.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import { embed } from '../../src/service/embeddings/embeddings.ts';
import { listModels } from '../../src/service/models/models.ts';
import type { Transport } from '../../src/service/request.ts';
import { createTransport, type TransportOptions } from '../../src/service/transport/transport.ts';
import { createPatientClock } from './client.ts';

const signal = new AbortController().signal;
const word = 'Grüße';
const path = join(import.meta.dirname, '../fixtures/workspace/recordings/aviso.ogg');
const upload = { path, contentType: 'audio/ogg', fileField: 'file', prompt: '', temperature: 0 };

/** One-shot answers by the end of their address. */
const answers: Record<string, unknown> = {
  models: { data: [{ id: word }] },
  translations: { text: word },
  embeddings: { model: word, data: [{ index: 0, embedding: [1, 2] }] },
  completions: { choices: [{ index: 0, message: { content: word }, finish_reason: 'stop' }] },
};

/** Both ways; the editor's fetch is played by Node's own. */
const ways: [name: string, options: Partial<TransportOptions>][] = [
  ['the direct way', { path: 'direct' }],
  ['the editor’s way', { path: 'editor', fetch: globalThis.fetch }],
];

for (const [way, options] of ways) {
  describe(`an answer in one piece, by ${way}`, () => {
    let server: Server;
    let transport: Transport;
    let endpoint: { baseUrl: string; model: string };
    let encode: (text: string) => { type: string; bytes: Buffer };
    before(async () => {
      server = createServer((request, response) => {
        request.resume().on('end', () => {
          const { type, bytes } = encode(JSON.stringify(answers[request.url?.split('/').at(-1) ?? '']));
          response.writeHead(200, { 'content-type': type }).end(bytes);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      transport = createTransport({ clock: createPatientClock(), certificates: () => [], ...options });
      endpoint = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, model: 'm' };
    });
    after(async () => {
      await transport.close();
      server.close();
    });

    async function readAll(): Promise<unknown[]> {
      const request = { messages: [{ role: 'user' as const, content: 'hi' }], stream: false };
      let text = '';
      for await (const event of createChatClient(transport).chat(endpoint, request, signal)) {
        if (event.type === 'text') text += event.text;
      }
      const [model] = await listModels(transport, endpoint, signal);
      const json = await translateAudio(transport, endpoint, { ...upload, responseFormat: 'json' }, signal);
      const { vectors } = await embed(transport, endpoint, ['a'], signal);
      return [text, model?.id, json.text, [...(vectors[0] ?? [])]];
    }

    test('is read in the charset it names', async () => {
      encode = (text) => ({ type: 'application/json; charset=ISO-8859-1', bytes: Buffer.from(text, 'latin1') });
      assert.deepEqual(await readAll(), [word, word, word, [1, 2]]);
      encode = (text) => ({ type: 'application/json; charset="utf-16le"', bytes: Buffer.from(text, 'utf16le') });
      assert.deepEqual(await readAll(), [word, word, word, [1, 2]]);
    });

    test('is UTF-8 where it names no charset, one that nobody knows, or ASCII', async () => {
      for (const type of ['application/json', 'application/json; charset=none', 'text/plain; charset=us-ascii']) {
        encode = (text) => ({ type, bytes: Buffer.from(text) });
        assert.deepEqual(await readAll(), [word, word, word, [1, 2]]);
      }
    });
  });
}
