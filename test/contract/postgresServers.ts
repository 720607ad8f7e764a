/** Starts servers for the tests of the index of a team: Debian's PostgreSQL, and PGlite with pgvector over the wire. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';
import { nextTurn } from '../../src/base/nextTurn.ts';
import { parseAddress } from '../../src/search/team/postgres/wire/serverAddress.ts';
import { ensurePooler, ensurePostgres } from '../host/postgres.ts';
import { findFreePort, mustRun, startProcessGroup, stopProcessGroup } from '../host/processes.ts';
import { readSelfSignedPair } from '../service/selfSigned.ts';
import { vectorDouble } from './vectorDouble.ts';

/** A server with a database that a superuser may do anything with. */
export interface TestPostgres {
  readonly name: string;
  readonly port: number;
  /** The connection string of the superuser. */
  readonly address: string;
  /** Whether each connection has a session of its own, so that two can meet. */
  readonly hasSessions: boolean;
  /** Whether vectors can be indexed. */
  readonly hasIndexes: boolean;
  /** Runs statements as the superuser, in its own database or that of another address. */
  run(sql: string, of?: string): Promise<(string | null)[][]>;
  stop(): Promise<void>;
}

/** One that runs as a process, and can be ended. */
export interface DebianPostgres extends TestPostgres {
  /** Ends all its processes as a cut of the power would, and starts it again on the same files. */
  killAndRestart(): Promise<void>;
}

export interface DebianOptions {
  /** Whether it encrypts, with the fixed pair for localhost. */
  readonly isEncrypted?: boolean;
  /** Whether it has the double of pgvector. */
  readonly hasVectors?: boolean;
  readonly settings?: readonly string[];
}

export const testPassword = 'pass/w0rd @:?';
/** `initdb` refuses root. */
const nobody = 65534;
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];

/** Makes a database in a temporary folder and starts a server on it. */
export async function startDebianPostgres(options: DebianOptions = {}): Promise<DebianPostgres> {
  const { isEncrypted = false, hasVectors = true, settings = [] } = options;
  const { programs, libraryPath } = await ensurePostgres();
  const folder = await mkdtemp(join(tmpdir(), 'parley-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, nobody, nobody);
  await chmod(folder, 0o700);
  const [first = 'env', ...rest] = isRoot ? asNobody : ['env'];
  const env = { ...process.env, LC_ALL: 'C', ...(libraryPath === '' ? {} : { LD_LIBRARY_PATH: libraryPath }) };
  const own = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    if (isRoot) await chown(join(folder, name), nobody, nobody);
    return join(folder, name);
  };
  const data = join(folder, 'data');
  const password = await own('password', testPassword);
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await mustRun(first, [...rest, join(programs, 'initdb'), ...initdb, `--pwfile=${password}`], { env, cwd: '/' });
  const pair = readSelfSignedPair();
  const tls = isEncrypted
    ? ['ssl=on', `ssl_cert_file=${await own('cert', pair.cert)}`, `ssl_key_file=${await own('key', pair.key)}`]
    : [];
  const port = await findFreePort();
  const all = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    ...tls,
    ...settings,
  ];
  const args = [...rest, join(programs, 'postgres'), '-D', data, ...all.flatMap((setting) => ['-c', setting])];
  const start = async () => {
    const child = startProcessGroup(first, args, env);
    await said(child, /ready to accept connections/);
    return child;
  };
  let child = await start();
  const address = `postgres://postgres:${encodeURIComponent(testPassword)}@127.0.0.1:${port}/postgres`;
  const run = (sql: string, of = address) => runSql(of, sql);
  if (hasVectors) await run(vectorDouble);
  return {
    ...{ name: 'Debian’s PostgreSQL', port, address, hasSessions: true, hasIndexes: false, run },
    async killAndRestart() {
      await killAll(child);
      child = await start();
    },
    async stop() {
      // In the middle of whatever it does: nobody needs its files.
      await killAll(child);
      await stopProcessGroup(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ends the server and all processes that it has started, each of which is in a group of its own, and waits until they are gone. */
async function killAll(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const all = [pid, ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number)];
  const gone = once(child, 'exit');
  for (const each of all.filter((id) => id > 0)) tryKill(each);
  await gone;
  while (all.slice(1).some((id) => id > 0 && isAlive(id))) await nextTurn();
}

function tryKill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Whether a process holds anything yet: one that has ended may stand in the list until somebody asks how. */
function isAlive(id: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${id}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * PgBouncer before a server, in the mode in which each transaction may get another of its two connections: what is set for a session
 * there is set for whoever comes next.
 */
export async function startPooler(server: TestPostgres): Promise<TestPostgres> {
  const { pgbouncer, libraryPath } = await ensurePooler();
  const folder = await mkdtemp(join(tmpdir(), 'parley-pooler-'));
  const port = await findFreePort();
  const settings = `[databases]
postgres = host=127.0.0.1 port=${server.port} user=postgres password='${testPassword}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`;
  await writeFile(join(folder, 'settings'), settings, { mode: 0o644 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, nobody, nobody);
  const [first = 'env', ...rest] = isRoot ? asNobody : ['env'];
  const env = { ...process.env, ...(libraryPath === '' ? {} : { LD_LIBRARY_PATH: libraryPath }) };
  const child = startProcessGroup(first, [...rest, pgbouncer, join(folder, 'settings')], env);
  await said(child, /process up/);
  const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    ...{ name: 'a pooler', port, address, hasSessions: false, hasIndexes: server.hasIndexes, run: server.run },
    async stop() {
      await stopProcessGroup(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when a program has said something; throws when it ends before. */
function said(child: ChildProcess, wanted: RegExp): Promise<void> {
  let all = '';
  return new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (text) => {
      all = (all + text).slice(-10_000);
      if (wanted.test(all)) resolve();
    });
    child.on('exit', () => reject(new Error(`It does not start: ${all}`)));
  });
}

/** PGlite with pgvector: PostgreSQL itself, in one session that all connections share. */
export async function startPglite(): Promise<TestPostgres> {
  const database = await PGlite.create({ extensions: { vector, btree_gin } });
  const port = await findFreePort();
  const server = new PGLiteSocketServer({ db: withCopy(database), port, maxConnections: 50 });
  await server.start();
  const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    ...{ name: 'PGlite', port, address, hasSessions: false, hasIndexes: true },
    run: (sql, of = address) => runSql(of, sql),
    async stop() {
      await server.stop();
      await database.close();
    },
  };
}

/** A server that `PARLEY_TEST_POSTGRES` names, by a connection string of somebody who may make schemas and roles. */
export function namedPostgres(): TestPostgres | undefined {
  const address = process.env['PARLEY_TEST_POSTGRES'] ?? '';
  if (address === '') return undefined;
  const port = Number(new URL(address).port || 5432);
  const run = (sql: string, of = address) => runSql(of, sql);
  return {
    name: 'a server by its name',
    port,
    address,
    hasSessions: true,
    hasIndexes: true,
    run,
    stop: async () => undefined,
  };
}

async function runSql(address: string, sql: string): Promise<(string | null)[][]> {
  const { password, isEncrypted, ...server } = parseAddress(address);
  const client = new pg.Client({ ...server, password: () => password ?? '', ssl: isEncrypted });
  await client.connect();
  try {
    const result: unknown = await client.query({
      text: sql,
      rowMode: 'array',
      types: { getTypeParser: () => String },
    } as never);
    const last = (Array.isArray(result) ? result.at(-1) : result) as { rows: (string | null)[][] };
    return last.rows;
  } finally {
    await client.end();
  }
}

/**
 * PGlite runs one message after the other, and has none left to read when COPY asks for rows. So the statement is held back
 * until its rows are there, and the client gets at once the answer for which it waits.
 */
function withCopy(database: PGlite): PGlite {
  let held: Uint8Array[] = [];
  const run = async (message: Uint8Array, options: { onRawData: (data: Uint8Array) => void }): Promise<unknown> => {
    const kind = String.fromCharCode(message[0] ?? 0);
    if (held.length > 0) {
      held.push(message);
      if (kind !== 'c' && kind !== 'f') return undefined;
      const all = Buffer.concat(held);
      held = [];
      return database.execProtocolRawStream(all, {
        ...options,
        onRawData: (data: Uint8Array) => (data[0] === 0x47 ? undefined : options.onRawData(data)),
      });
    }
    const copied =
      kind === 'Q' ? /^COPY \S+ \(([^)]*)\) FROM STDIN/.exec(Buffer.from(message.subarray(5)).toString()) : null;
    if (copied === null) return database.execProtocolRawStream(message, options);
    held.push(message);
    options.onRawData(copyInResponse((copied[1] ?? '').split(',').length));
    return undefined;
  };
  return new Proxy(database, {
    get(target, name) {
      if (name === 'execProtocolRawStream') return run;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function copyInResponse(columns: number): Buffer {
  const bytes = Buffer.alloc(8 + columns * 2);
  bytes.write('G');
  bytes.writeInt32BE(bytes.length - 1, 1);
  bytes.writeInt8(1, 5);
  bytes.writeInt16BE(columns, 6);
  for (let at = 0; at < columns; at++) bytes.writeInt16BE(1, 8 + at * 2);
  return bytes;
}
