import pg from 'pg';
import { IndexStoreError } from '../../indexStoreError.ts';
import { BoundClient } from './boundClient.ts';
import { type AnswerBounds, type OpenClient, runQuery } from './boundedQuery.ts';
import { cancelOnServer } from './cancelOnServer.ts';
import { copyIn } from './copyIn.ts';
import { storeError } from './postgresErrors.ts';
import { type RowOf, type RowShape, readRows } from './readRows.ts';
import type { ServerAddress } from './serverAddress.ts';

/** How a server is asked. */
export interface ConnectionOptions {
  /** Most connections at once. */
  readonly connections?: number;
  /** Milliseconds until a connection stands. */
  readonly connectMs?: number;
  /** Milliseconds that a statement may take. */
  readonly statementMs?: number;
  /** Milliseconds that a server is waited for after its own limit, and after it was asked to stop. */
  readonly graceMs?: number;
  /** Certificates of authorities, in PEM, that are trusted instead of those that Node comes with. */
  readonly authorities?: readonly string[];
}

/** One transaction on a server. */
export interface Transaction {
  /** Runs a statement, and gives its rows by the shape that they have to have. Throws `unexpected` for others. */
  rows<S extends RowShape>(text: string, values: readonly unknown[], shape: S, most?: number): Promise<RowOf<S>[]>;
  run(text: string, values?: readonly unknown[]): Promise<void>;
  /** Sends rows in the binary form of COPY. */
  copy(statement: string, pieces: Iterable<Buffer>): Promise<void>;
}

/** What is set for a transaction; statements of ours, without values from outside. */
export interface TransactionOptions {
  readonly isReading?: boolean;
  /** `SET LOCAL …` statements that come first. */
  readonly settings?: readonly string[];
  /** Milliseconds that a statement may take, where it is known to take longer. */
  readonly statementMs?: number;
}

/** A server, by connections that are kept. */
export interface ServerConnection {
  /** Runs work in a transaction, which is taken back where the work throws. An abort ends its statement on the server. */
  transaction<T>(
    signal: AbortSignal,
    work: (transaction: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  close(): Promise<void>;
}

/** The most that is read for one statement: 1,000 vectors of 4,096 numbers, as the text of their bytes, twice over. */
const bounds: AnswerBounds = { rows: 100_000, bytes: 64 * 1024 * 1024 };

/** Connections to a server, made when they are needed. */
export function connectServer(address: ServerAddress, options: ConnectionOptions = {}): ServerConnection {
  const { connections = 4, connectMs = 10_000, statementMs = 30_000, graceMs = 2_000, authorities } = options;
  const ca = authorities === undefined ? {} : { ca: [...authorities] };
  const { host, port, user, database, isEncrypted, bindsChannel } = address;
  const pool = new pg.Pool({
    ...{ host, port, user, database, max: connections, connectionTimeoutMillis: connectMs, allowExitOnIdle: true },
    // A function, as pg takes an empty text for none, and one from the environment in its place.
    password: () => address.password ?? '',
    ssl: isEncrypted ? { rejectUnauthorized: true, ...ca } : false,
    enableChannelBinding: bindsChannel,
    application_name: 'parley',
    Client: BoundClient,
  } as pg.PoolConfig);
  // An idle connection that ends is no news: the next transaction makes another.
  pool.on('error', () => undefined);

  return {
    async transaction(signal, work, { isReading = false, settings = [], statementMs: ownMs = statementMs } = {}) {
      const client = await takeClient(pool, signal);
      const begin = [
        isReading ? 'BEGIN READ ONLY' : 'BEGIN',
        // No function that somebody has put beside those of the server is taken for one of them.
        'SET LOCAL search_path = pg_catalog, pg_temp',
        `SET LOCAL statement_timeout = ${ownMs}`,
        // Whoever is cut off holds no locks.
        `SET LOCAL idle_in_transaction_session_timeout = ${ownMs}`,
        ...settings,
      ].join('; ');
      const guard = watchStatements(client, { address, signal, limitMs: ownMs + graceMs, graceMs, ca });
      try {
        await guard.statement(() => runQuery(client, begin, [], bounds));
        const result = await work(transactionOf(client, guard));
        await guard.last(() => runQuery(client, 'COMMIT', [], bounds));
        client.release();
        return result;
      } catch (error) {
        const given = giveBack(client, guard);
        // Whoever has stopped waits for no server.
        if (!signal.aborted) await given;
        throw storeError(error, signal);
      }
    },
    close: () => pool.end(),
  };
}

type PooledClient = OpenClient & pg.PoolClient;

/** A connection of the pool; one that comes after the signal goes back. */
async function takeClient(pool: pg.Pool, signal: AbortSignal): Promise<PooledClient> {
  if (signal.aborted) throw new IndexStoreError('cancelled');
  const taken = pool.connect() as Promise<unknown> as Promise<PooledClient>;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new IndexStoreError('cancelled'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([taken, aborted]);
  } catch (error) {
    taken.then((client) => client.release()).catch(() => undefined);
    throw storeError(error, signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Takes the transaction back and gives the connection to the pool; ends it where that fails. */
async function giveBack(client: PooledClient, guard: StatementGuard): Promise<void> {
  try {
    await guard.last(() => runQuery(client, 'ROLLBACK', [], bounds));
    client.release();
  } catch {
    client.release(true);
  }
}

function transactionOf(client: OpenClient, guard: StatementGuard): Transaction {
  const ask = (text: string, values: readonly unknown[], most: number) =>
    guard.statement(() => runQuery(client, text, values, { ...bounds, rows: most }));
  return {
    rows: async (text, values, shape, most = bounds.rows) => readRows(await ask(text, values, most), shape),
    run: async (text, values = []) => void (await ask(text, values, bounds.rows)),
    copy: (statement, pieces) => guard.statement(() => copyIn(client, statement, pieces)),
  };
}

/** What holds for the statements of a transaction. */
interface StatementLimits {
  readonly address: ServerAddress;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  readonly graceMs: number;
  /** Trusted authorities, as `tls` takes them. */
  readonly ca: object;
}

/** Runs the statements of one transaction within its limits. */
interface StatementGuard {
  statement<T>(run: () => Promise<T>): Promise<T>;
  /** The statement that ends the transaction: it is not stopped, as nobody would know how it ended. */
  last<T>(run: () => Promise<T>): Promise<T>;
}

/**
 * A statement that the signal stops is stopped on the server, too, and the connection can be used again. One without an
 * answer after all limits is on a connection that leads nowhere.
 */
function watchStatements(
  client: OpenClient,
  { address, signal, limitMs, graceMs, ca }: StatementLimits,
): StatementGuard {
  let stopping: Promise<void> | undefined;
  let running: Promise<unknown> | undefined;
  const within = async <T>(run: () => Promise<T>, ms: number): Promise<T> => {
    const timer = setTimeout(() => client.connection.stream.destroy(new IndexStoreError('timeout')), ms);
    try {
      return await run();
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async statement(run) {
      if (signal.aborted) throw new IndexStoreError('cancelled');
      let late: NodeJS.Timeout | undefined;
      let stop = (): void => undefined;
      const aborted = new Promise<never>((_, reject) => {
        stop = () => {
          stopping = cancelOnServer(client, address, graceMs, ca);
          late = setTimeout(() => client.connection.stream.destroy(new IndexStoreError('cancelled')), graceMs);
          reject(new IndexStoreError('cancelled'));
        };
      });
      signal.addEventListener('abort', stop, { once: true });
      const answer = within(run, limitMs).finally(() => clearTimeout(late));
      running = answer.catch(() => undefined);
      try {
        return await Promise.race([answer, aborted]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    async last(run) {
      await running;
      // A request to stop that comes late would stop the next statement instead.
      await stopping;
      return within(run, limitMs);
    },
  };
}
