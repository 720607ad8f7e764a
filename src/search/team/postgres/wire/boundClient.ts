import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { IndexStoreError } from '../../indexStoreError.ts';

/** The most that a server says before it is ready, and how often that is looked at, in milliseconds. */
const mostLoginBytes = 1024 * 1024;
const lookMs = 20;

/** What pg's connection has that its types do not name. */
interface WireConnection {
  readonly stream: Duplex;
  attachListeners(stream: Pick<Duplex, 'on'>): void;
  on(event: 'error' | 'errorMessage', listener: () => void): unknown;
}

/**
 * A client of pg that nothing a server says can end the process by: pg throws at some messages in the middle of an event, keeps one until
 * it is whole, however long it is said to be, and leaves a connection open on which a login failed.
 */
export class BoundClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    // Whoever waits for an answer hears of an error; an event of it that nobody listens to would end the process.
    this.on('error', () => undefined);
    const { connection } = this as unknown as { connection: WireConnection };
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => attach(guarded(stream as Duplex));
    const socket = connection.stream as Socket;
    const hangUp = (): void => void connection.stream.destroy();
    const timer = setInterval(() => {
      if (socket.bytesRead > mostLoginBytes) connection.stream.destroy(new IndexStoreError('unexpected', 'too long'));
    }, lookMs);
    let isReady = false;
    const fail = (): void => {
      if (!isReady) setImmediate(hangUp);
    };
    connection.on('error', fail);
    connection.on('errorMessage', fail);
    socket.once('close', () => clearInterval(timer));
    this.once('connect', () => {
      isReady = true;
      clearInterval(timer);
    });
  }
}

/** A stream whose bytes may be such that reading them throws: it is hung up on then. */
function guarded(stream: Duplex): Pick<Duplex, 'on'> {
  const on = (event: string, listener: (...args: unknown[]) => void): Duplex =>
    stream.on(event, (...args: unknown[]) => {
      try {
        // What follows on a stream that was hung up on is nobody's.
        if (!stream.destroyed) listener(...args);
      } catch {
        stream.destroy(new IndexStoreError('unexpected', 'protocol'));
      }
    });
  return { on } as Pick<Duplex, 'on'>;
}
