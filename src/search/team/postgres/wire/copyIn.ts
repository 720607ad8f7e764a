import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { IndexStoreError } from '../../indexStoreError.ts';
import type { OpenClient } from './boundedQuery.ts';

/** What pg's connection has for COPY beyond its types. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(bytes: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/**
 * Sends rows by a statement `COPY … FROM STDIN (FORMAT binary)`, as fast as the server takes them. Pieces that throw end it,
 * and with it the transaction. pg calls the methods of what it is given as a query by the messages that come.
 */
export function copyIn(client: OpenClient, statement: string, pieces: Iterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const fail = (error: Error): void => {
      failure ??= error;
      reject(failure);
    };
    const send = async (connection: CopyConnection): Promise<void> => {
      try {
        for (const piece of pieces) {
          // The server has refused what came before.
          if (failure !== undefined) return;
          connection.sendCopyFromChunk(piece);
          if (connection.stream.writableNeedDrain) await drained(connection.stream);
        }
        connection.endCopyFrom();
      } catch (error) {
        fail(error instanceof Error ? error : new IndexStoreError('unexpected'));
        if (connection.stream.writable) connection.sendCopyFail('stopped');
      }
    };
    const copy = {
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) => void send(connection),
      handleError: fail,
      handleReadyForQuery: () => (failure === undefined ? resolve() : undefined),
      handleCommandComplete: () => undefined,
      handleRowDescription: () => fail(new IndexStoreError('unexpected', 'copy')),
      handleDataRow: () => undefined,
      handleEmptyQuery: () => fail(new IndexStoreError('unexpected', 'copy')),
      handlePortalSuspended: () => undefined,
      handleCopyData: () => undefined,
    };
    client.query(copy as unknown as pg.Submittable);
  });
}

/** Resolves when a stream takes more; throws when it is closed. */
async function drained(stream: Duplex): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    const closed = once(stream, 'close', { signal }).then(() => {
      throw new IndexStoreError('unreachable');
    });
    await Promise.race([once(stream, 'drain', { signal }), closed]);
  } finally {
    stop.abort();
  }
}
