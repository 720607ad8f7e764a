import { IndexStoreError } from '../../indexStoreError.ts';
import type { Transaction } from '../wire/serverConnection.ts';
import { quoteText } from './schemaNames.ts';

/** What a server is, and what it has of an index. */
export interface ServerFacts {
  /** `150020` for 15.20. */
  readonly version: number;
  /** pgvector, where it is in this database. */
  readonly vector: { readonly version: string; readonly schema: string } | undefined;
  readonly isSpread: boolean;
  /** The version of the index that the schema says of itself; undefined where there is none. */
  readonly schemaVersion: number | undefined;
  /** Whether the rows of chunks are checked one by one for this user, who then cannot load them by COPY. */
  readonly hasRowChecks: boolean;
}

const oldestServer = 150_000;
/** The first with iterative scans. */
const oldestVector = [0, 8];

/** How a schema says of itself which version of the index it has: everybody may read a comment. */
export const schemaComment = (version: number): string => `Index of Parley, version ${version}`;

/** Asks a server what it is. Throws `too-old` or `unexpected` for one that cannot be used. */
export async function probeServer(transaction: Transaction, schema: string): Promise<ServerFacts> {
  const [facts] = await transaction.rows(probeSql(schema), [], {
    version: 'integer',
    encoding: 'text',
    vector: 'text?',
    vectorSchema: 'text?',
    isSpread: 'boolean',
    comment: 'text?',
    hasRowChecks: 'boolean',
  });
  if (facts === undefined) throw new IndexStoreError('unexpected', 'probe');
  const { version, encoding, vector, vectorSchema, comment, ...others } = facts;
  if (version < oldestServer) throw new IndexStoreError('too-old', String(Math.floor(version / 10_000)));
  if (encoding !== 'UTF8') throw new IndexStoreError('unexpected', 'encoding');
  const [, schemaVersion] = /^Index of Parley, version (\d{1,9})$/.exec(comment ?? '') ?? [];
  return {
    ...others,
    version,
    vector: vector === undefined || vectorSchema === undefined ? undefined : { version: vector, schema: vectorSchema },
    schemaVersion: schemaVersion === undefined ? undefined : Number(schemaVersion),
  };
}

const probeSql = (schema: string): string => `SELECT current_setting('server_version_num'),
  (SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()),
  (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
  (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'),
  EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus'),
  (SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = ${quoteText(schema)}),
  coalesce((SELECT row_security_active(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${quoteText(schema)} AND c.relname = 'chunks'), false)`;

/** Checks that a database has the vectors that are needed. Throws `no-vectors` otherwise. */
export function checkVectors({ vector }: ServerFacts): { readonly version: string; readonly schema: string } {
  const [major = 0, minor = 0] = (vector?.version ?? '').split('.').map(Number);
  const [oldMajor = 0, oldMinor = 0] = oldestVector;
  const isNew = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  if (vector === undefined || !isNew) {
    const detail = /^\d[\d.]{0,20}$/.exec(vector?.version ?? '')?.[0];
    throw new IndexStoreError('no-vectors', detail);
  }
  return vector;
}
