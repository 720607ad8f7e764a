import type { Duplex } from 'node:stream';
import pg from 'pg';
import { IndexStoreError } from '../../indexStoreError.ts';

/** A value of an answer as PostgreSQL writes it. */
export type Field = string | null;

/** How much a server may send for one query. */
export interface AnswerBounds {
  readonly rows: number;
  readonly bytes: number;
}

/** A connection with what our requests need beyond the types of pg. */
export interface OpenClient extends pg.ClientBase {
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly connection: { readonly stream: Duplex };
}

/** The driver gives every value as the text that came, so that no type a server names chooses how it is read. */
const asText = { getTypeParser: () => (text: unknown) => text } as unknown as NonNullable<pg.QueryConfig['types']>;

/**
 * Runs one query, or several without values, and gives the rows. Statements have no names: a pooler may give each transaction
 * another connection. A server that sends more than the bounds is hung up on: `unexpected`.
 */
export function runQuery(
  client: OpenClient,
  text: string,
  values: readonly unknown[],
  bounds: AnswerBounds,
): Promise<Field[][]> {
  const config = { text, values: [...values], rowMode: 'array', types: asText };
  const query = new pg.Query(config as unknown as pg.QueryConfig);
  const { stream } = client.connection;
  const rows: Field[][] = [];
  let bytes = 0;
  return new Promise<Field[][]>((resolve, reject) => {
    const tooMuch = (): void => {
      const error = new IndexStoreError('unexpected', 'too long');
      reject(error);
      stream.destroy(error);
    };
    const count = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes > bounds.bytes) tooMuch();
    };
    const done = (end: () => void): void => {
      stream.off('data', count);
      end();
    };
    stream.on('data', count);
    query.on('row', (row: unknown) => {
      if (rows.length < bounds.rows) rows.push(row as Field[]);
      else if (!stream.destroyed) tooMuch();
    });
    query.on('error', (error: Error) => done(() => reject(error)));
    query.on('end', () => done(() => resolve(rows)));
    client.query(query);
  });
}
