import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { OpenClient } from './boundedQuery.ts';
import type { ServerAddress } from './serverAddress.ts';

/** Codes of the two requests that come in place of a login (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
const cancelRequest = 80877102;
const sslRequest = 80877103;

/**
 * Asks the server, by a connection of its own, to stop what another one runs. Resolves when the server has closed it, which it
 * does after it has passed the request on; and after `limitMs` at most. It never throws: whoever asks waits for the statement.
 */
export function cancelOnServer(
  { processID, secretKey }: OpenClient,
  { host, port, isEncrypted }: ServerAddress,
  limitMs: number,
  tls: object,
): Promise<void> {
  if (processID === null || secretKey === null) return Promise.resolve();
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const timer = setTimeout(() => socket.destroy(), limitMs);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    // Our side stays open: a pooler takes its end for nobody waiting any more, and forgets the request.
    const ask = (over: Socket): void => void over.write(words(16, cancelRequest, processID, secretKey));
    socket.on('error', () => socket.destroy()).on('close', done);
    if (!isEncrypted) {
      socket.on('connect', () => ask(socket)).resume();
      return;
    }
    // The key that stops a statement goes over an encrypted connection, as the login did, or not at all.
    socket.on('connect', () => socket.write(words(8, sslRequest)));
    socket.once('data', (answer) => {
      if (answer.toString('latin1') !== 'S') return void socket.destroy();
      const secure = connectTls({ socket, host, ...tls }, () => ask(secure));
      secure.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      secure.resume();
    });
  });
}

function words(...all: readonly number[]): Buffer {
  const bytes = Buffer.alloc(all.length * 4);
  for (const [at, word] of all.entries()) bytes.writeInt32BE(word | 0, at * 4);
  return bytes;
}
