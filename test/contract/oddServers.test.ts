import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { systemClock } from '../../src/base/clock.ts';
import type { ServiceError } from '../../src/base/errors.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import { createTransport } from '../../src/service/transport/transport.ts';
import { answer } from '../corpus/pieces.ts';
import { readSelfSignedPair } from '../service/selfSigned.ts';
import { collectCompletion } from '../support/collect.ts';
import { createTestTransport } from './client.ts';
import { createBareServer } from './sockets.ts';

const never = new AbortController().signal;
const body = answer({ content: 'fine' });
const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;

async function ask(baseUrl: string, times = 1, transport = createTestTransport()): Promise<(string | undefined)[]> {
  const { chat } = createChatClient(transport);
  const texts: (string | undefined)[] = [];
  try {
    for (let i = 0; i < times; i++) {
      const request = { messages: [{ role: 'user', content: 'Hi' }], stream: true } as const;
      const { choices, error } = await collectCompletion(
        chat({ baseUrl, apiKey: undefined, model: 'm' }, request, never),
      );
      texts.push(choices[0]?.text ?? error?.kind);
    }
  } finally {
    await transport.close();
  }
  return texts;
}

describe('a server of an odd kind', () => {
  test('that speaks HTTP/2 alone is asked so, each time', async () => {
    const seen: (string | undefined)[] = [];
    const server = createSecureServer({ ...readSelfSignedPair(), allowHTTP1: false }, (request, response) => {
      seen.push(`${request.httpVersion} ${request.method} ${request.url}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      assert.deepEqual(await ask(baseUrl, 3, createTransport({ clock: systemClock, rejectUnauthorized: false })), [
        'fine',
        'fine',
        'fine',
      ]);
      assert.deepEqual(seen, Array(3).fill('2.0 POST /v1/chat/completions'));
    } finally {
      server.close();
    }
  });

  test('that says to go on, unasked, is read on', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
    for (const pieces of [
      [interim + head + body],
      [interim, head + body],
      [interim + interim, interim, head, body],
      [`HTTP/1.1 102 Processing\r\n\r\n${interim}`, head + body],
    ]) {
      const server = await createBareServer((socket) => {
        socket.on('data', () => {
          for (const piece of pieces) socket.write(piece);
        });
      });
      try {
        assert.deepEqual(await ask(`${server.origin}/v1`, 2), ['fine', 'fine'], JSON.stringify(pieces));
      } finally {
        await server.close();
      }
    }
  });

  test('whose answer has such words in it keeps them', async () => {
    const text = 'HTTP/1.1 100 Continue';
    const said = answer({ content: text });
    const server = await createBareServer((socket) => {
      socket.on('data', () => {
        socket.write(head.replace(String(body.length), String(said.length)));
        socket.write(said);
      });
    });
    try {
      assert.deepEqual(await ask(`${server.origin}/v1`), [text]);
    } finally {
      await server.close();
    }
  });

  describe('that wants a certificate of this machine', () => {
    const pair = readSelfSignedPair();
    const folder = mkdtempSync(join(tmpdir(), 'parley-certificate-'));
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    writeFileSync(files.cert, pair.cert);
    writeFileSync(files.key, pair.key);
    after(() => rmSync(folder, { recursive: true }));

    /** Runs it with a version of TLS; gives what a request came to, by the certificates that are set for the address. */
    async function askWith(
      version: SecureVersion,
      certificatesFor: (origin: string) => Record<string, unknown>,
      isNeeded = true,
    ) {
      const shown: boolean[] = [];
      const options = { ...pair, ca: pair.cert, requestCert: true, rejectUnauthorized: isNeeded };
      const server = createHttpsServer(
        { ...options, minVersion: version, maxVersion: version },
        (request, response) => {
          shown.push(Object.keys((request.socket as TLSSocket).getPeerCertificate()).length > 0);
          response.writeHead(200, { 'content-type': 'application/json' }).end(body);
        },
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const clientCertificates = certificatesFor(origin);
      const transport = createTransport({ clock: systemClock, rejectUnauthorized: false, clientCertificates });
      const request = { method: 'POST', url: `${origin}/v1`, body: '{}', apiKey: undefined } as const;
      try {
        const answered = await transport.send(request, never).then(
          async ({ status, body: rest }) => {
            for await (const _ of rest);
            return String(status);
          },
          (error: ServiceError) => `${error.kind} ${error.hint}`,
        );
        return { answered, shown };
      } finally {
        await transport.close();
        server.closeAllConnections();
        server.close();
      }
    }

    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      test(`is shown the one that the setting names for it (${version})`, async () => {
        const found = await askWith(version, (origin) => ({ [`${origin}/v1`]: files }));
        assert.deepEqual(found, { answered: '200', shown: [true] });
      });

      test(`is told as one where none is set (${version})`, async () => {
        const { answered } = await askWith(version, () => ({ 'https://other.example': files }));
        assert.match(answered, /^tls .*(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)/);
      });
    }

    test('is told of files that cannot be read, or are no pair', async () => {
      for (const named of [{ cert: '/no/such/file', key: files.key }, { cert: files.cert }, 'x'])
        assert.equal((await askWith('TLSv1.3', (origin) => ({ [origin]: named }))).answered, 'tls CLIENT_CERTIFICATE');
    });

    test('is shown none that belongs to another service', async () => {
      const found = await askWith('TLSv1.3', () => ({ 'https://other.example': files, nonsense: 5 }), false);
      assert.deepEqual(found, { answered: '200', shown: [false] });
    });
  });
});
