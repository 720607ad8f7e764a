/** What is of one server with many clients: locks, rights, cancels, encryption, and an end at any moment. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import pg from 'pg';
import { IndexStoreError } from '../../src/search/team/indexStoreError.ts';
import {
  openPostgresStore,
  type PostgresOptions,
  type PostgresStore,
} from '../../src/search/team/postgres/postgresStore.ts';
import { readSelfSignedPair } from '../service/selfSigned.ts';
import { calm, fileOf, hashOf, reasonOf, rowsOf, vectorOf } from './indexStoreContract.ts';
import { type DebianPostgres, startDebianPostgres, testPassword } from './postgresServers.ts';

let server: DebianPostgres;
const opened: PostgresStore[] = [];
let schemas = 0;
const newSchema = (): string => `parley_${schemas++}`;

before(async () => {
  server = await startDebianPostgres({ isEncrypted: true });
});
after(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await server?.stop();
});

async function open(schema: string, others: Partial<PostgresOptions> = {}): Promise<PostgresStore> {
  const store = await openPostgresStore({ address: server.address, repository: 'mine', schema, ...others }, calm);
  opened.push(store);
  return store;
}

/** A connection of somebody else, for the length of a piece of work. */
async function asAnother<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.address, ssl: false });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Asks until a count is what is waited for. */
async function until(sql: string, wanted: string): Promise<void> {
  await asAnother(async (client) => {
    for (;;) {
      const { rows } = await client.query({ text: sql, rowMode: 'array' });
      if (String(rows[0]?.[0]) === wanted) return;
    }
  });
}

const waiting = (wanted: number): Promise<void> =>
  until(
    `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'parley' AND wait_event_type = 'Lock'`,
    String(wanted),
  );

/** The address of another login. */
const addressOf = (login: string, password: string, database = 'postgres'): string =>
  `postgres://${login}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/${database}`;

async function addLogin(login: string): Promise<string> {
  await server.run(`CREATE ROLE ${login} LOGIN PASSWORD 'secret of ${login}'`);
  return addressOf(login, `secret of ${login}`);
}

describe('several clients at once', () => {
  test('all that come to a database without an index find one made, and it was made once', async () => {
    const schema = newSchema();
    const stores = await Promise.all(Array.from({ length: 8 }, () => open(schema)));
    assert.deepEqual(await server.run(`SELECT count(*) FROM ${schema}.migrations`), [['1']]);
    for (const store of stores) assert.equal((await store.status(calm)).files, 0);
  });

  test('who waits for another’s migration looks again, and is not waited for', async () => {
    const schema = newSchema();
    await asAnother(async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`Parley ${schema}`]);
      const looked = new Promise<void>((resolve) => {
        const clock = {
          now: () => 0,
          random: () => 0,
          sleep: async () => client.query('ROLLBACK').then(() => resolve()),
        };
        void open(schema, { clock }).then((store) => store.status(calm));
      });
      await looked;
    });
    await open(schema);
    assert.deepEqual(await server.run(`SELECT count(*) FROM ${schema}.migrations`), [['1']]);
    const clock = { now: () => (times++ === 0 ? 0 : 1e9), random: () => 0, sleep: async () => undefined };
    let times = 0;
    const locked = newSchema();
    await asAnother(async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`Parley ${locked}`]);
      assert.equal(await reasonOf(open(locked, { clock })), 'busy');
    });
  });

  test('the same vectors and files from all at once are stored once each, and nobody is turned away', async () => {
    const schema = newSchema();
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(schema)));
    const texts = Array.from({ length: 300 }, (_, at) => `text ${at}`);
    const files = Array.from({ length: 30 }, (_, at) => fileOf(`${at}.ts`, texts.slice(at * 10, at * 10 + 10)));
    const shuffled = <T>(all: readonly T[], by: number): T[] => [...all.slice(by), ...all.slice(0, by)];
    await Promise.all(
      stores.flatMap((store, at) => [
        store.putVectors('one source', rowsOf(shuffled(texts, at * 40)), calm),
        store.putFiles(shuffled(files, at * 4), calm),
        store.putFiles(shuffled(files, at * 3).reverse(), calm),
        store.removeFiles(
          shuffled(files, at * 5)
            .map(({ path }) => path)
            .slice(0, 7),
          calm,
        ),
      ]),
    );
    await stores[0]?.putFiles(files, calm);
    const status = await stores[0]?.status(calm);
    assert.deepEqual([status?.files, status?.chunks], [30, 300]);
    assert.deepEqual(status?.vectors, [{ source: 'one source', dimensions: 8, texts: 300 }]);
    assert.deepEqual(await server.run(`SELECT count(*) FROM ${schema}.chunks`), [['300']]);
    const sums = `SELECT sum(length) = (SELECT words FROM ${schema}.repositories) FROM ${schema}.chunks`;
    assert.deepEqual(await server.run(sums), [['t']]);
  });
});

test('who forgets files waits for who stores them, and never both for each other', async () => {
  const schema = newSchema();
  const store = await open(schema);
  await store.putFiles([fileOf('x.ts', ['old'])], calm);
  const all = await asAnother(async (client) => {
    await client.query(`BEGIN; SELECT 1 FROM ${schema}.chunks FOR UPDATE`);
    // It holds the row of the second file, and waits for its chunk.
    const removed = reasonOf(store.removeFiles(['a.ts', 'x.ts'], calm));
    await waiting(1);
    // A file that was not there when the rows were locked.
    await store.putFiles([fileOf('a.ts', ['first'])], calm);
    const put = reasonOf(store.putFiles([fileOf('a.ts', ['second']), fileOf('x.ts', ['new'])], calm));
    await waiting(2);
    await client.query('ROLLBACK');
    return Promise.all([removed, put]);
  });
  assert.deepEqual(all, ['none', 'none']);
  assert.deepEqual(await store.changedFiles([fileOf('a.ts', ['second']), fileOf('x.ts', ['new'])], calm), []);
  assert.deepEqual(await store.status(calm).then(({ files, chunks }) => [files, chunks]), [2, 2]);
});

describe('an abort', () => {
  test('ends the statement on the server, and the connection serves the next', async () => {
    const schema = newSchema();
    const store = await open(schema, { connections: 1 });
    await store.putFiles([fileOf('a.ts', ['a'])], calm);
    const backend = `SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE application_name = 'parley' AND query ILIKE '%'`;
    await asAnother(async (client) => {
      await client.query(`BEGIN; LOCK TABLE ${schema}.files`);
      const before = await client.query(backend);
      const stop = new AbortController();
      const asked = reasonOf(store.changedFiles([fileOf('a.ts', ['a'])], stop.signal));
      const queued = reasonOf(store.putFiles([fileOf('b.ts', ['b'])], stop.signal));
      await waiting(1);
      stop.abort();
      assert.deepEqual(await Promise.all([asked, queued]), ['cancelled', 'cancelled']);
      await waiting(0);
      await client.query('ROLLBACK');
      assert.deepEqual(await store.changedFiles([fileOf('a.ts', ['a'])], calm), []);
      assert.deepEqual((await client.query(backend)).rows, before.rows);
    });
    assert.equal((await store.status(calm)).files, 1);
  });

  test('in the middle of a write leaves nothing of it', async () => {
    const schema = newSchema();
    const store = await open(schema);
    await store.putFiles([fileOf('a.ts', ['old'])], calm);
    await asAnother(async (client) => {
      await client.query(`BEGIN; SELECT 1 FROM ${schema}.repositories FOR UPDATE`);
      const stop = new AbortController();
      const asked = reasonOf(store.putFiles([fileOf('a.ts', ['new']), fileOf('b.ts', ['b'])], stop.signal));
      await waiting(1);
      stop.abort();
      assert.equal(await asked, 'cancelled');
    });
    assert.deepEqual(await store.changedFiles([fileOf('a.ts', ['old'])], calm), []);
    assert.equal((await store.findWords(['new'], 5, undefined, calm)).length, 0);
  });
});

describe('a server that ends', () => {
  test('in the middle of a write has nothing half when it is back, and the write goes through then', async () => {
    const schema = newSchema();
    const store = await open(schema);
    const texts = Array.from({ length: 500 }, (_, at) => `text ${at}`);
    const files = Array.from({ length: 50 }, (_, at) => fileOf(`${at}.ts`, texts.slice(at * 10, at * 10 + 10)));
    await store.putFiles([fileOf('0.ts', ['old'])], calm);
    const write = await asAnother(async (client) => {
      await client.query(`BEGIN; SELECT 1 FROM ${schema}.repositories FOR UPDATE`);
      // All is written but the last row.
      const asked = reasonOf(store.putFiles(files, calm));
      await waiting(1);
      await server.killAndRestart();
      return asked;
    });
    assert.equal(write, 'unreachable');
    assert.deepEqual(await store.status(calm).then((status) => [status.files, status.chunks]), [1, 1]);
    assert.deepEqual(await server.run(`SELECT count(*) FROM ${schema}.chunks`), [['1']]);
    await store.putFiles(files, calm);
    assert.deepEqual(await store.status(calm).then((status) => [status.files, status.chunks]), [50, 500]);
  });
});

describe('who may see what', () => {
  const readable = ['files', 'chunks', 'repositories', 'sources', 'grants', 'vectors_1'];

  test('a reader asks for what was granted, and reads no table', async () => {
    const schema = newSchema();
    const owner = await open(schema);
    await owner.putVectors('source', rowsOf(['a', 'b']), calm);
    await owner.putFiles([fileOf('a.ts', ['a', 'b'])], calm);
    const other = await open(schema, { repository: 'other' });
    await other.putFiles([fileOf('secret.ts', ['b'])], calm);
    const address = await addLogin('a_reader');
    assert.equal(
      await reasonOf(open(schema, { address }).then((store) => store.findWords(['b'], 1, undefined, calm))),
      'no-rights',
    );
    assert.equal(
      await reasonOf(open(schema, { address }).then((store) => store.vectors('source', [hashOf('a')], calm))),
      'no-rights',
    );
    await owner.grant('a_reader', 'reader', calm);
    const reader = await open(schema, { address });
    assert.equal((await reader.findWords(['b'], 5, undefined, calm))[0]?.places[0]?.path, 'a.ts');
    assert.equal((await reader.nearest('source', vectorOf('a'), 5, undefined, calm)).length, 2);
    assert.equal((await reader.countWords(['b'], calm)).chunks, 2);
    await reader.settle(calm);
    // Whoever knows the hash of a text has the text.
    const known = await reader.vectors('source', [hashOf('a'), hashOf('unknown')], calm);
    assert.deepEqual(
      known.map(({ hash }) => Buffer.from(hash)),
      [Buffer.from(hashOf('a'))],
    );
    const refused = [
      reader.putFiles([fileOf('a.ts', [])], calm),
      reader.removeFiles(['a.ts'], calm),
      reader.putVectors('mine', rowsOf(['c']), calm),
      reader.missing('source', [hashOf('a')], calm),
      reader.grant('a_reader', 'indexer', calm),
      reader.status(calm),
    ];
    assert.deepEqual(
      await Promise.all(refused.map(reasonOf)),
      refused.map(() => 'no-rights'),
    );
    const theirs = await open(schema, { address, repository: 'other' });
    assert.equal(await reasonOf(theirs.findWords(['b'], 5, undefined, calm)), 'no-rights');
    assert.equal(await reasonOf(theirs.nearest('source', vectorOf('a'), 5, undefined, calm)), 'no-rights');
    assert.equal(await reasonOf(theirs.countWords(['b'], calm)), 'no-rights');
    for (const table of readable) await assertRefused(address, `SELECT * FROM ${schema}.${table}`);
    await assertRefused(address, `SELECT ${schema}.add_source('x', 8)`);
    await assertRefused(address, `SELECT ${schema}.readable('other')`);
  });

  test('what a reader puts before the functions of the server does not run as the owner', async () => {
    const schema = newSchema();
    const owner = await open(schema);
    await owner.putVectors('source', rowsOf(['a']), calm);
    await owner.putFiles([fileOf('a.ts', ['a'])], calm);
    const address = await addLogin('a_liar');
    await owner.grant('a_liar', 'reader', calm);
    const client = new pg.Client({ connectionString: address, ssl: false });
    await client.connect();
    await client.query(
      `CREATE FUNCTION pg_temp.pg_has_role(name, name, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
    );
    await client.query(`CREATE TEMP TABLE grants AS SELECT 'a_liar'::text AS login, 2 AS repo, true AS writes`);
    await client.query(`SET search_path = pg_temp, ${schema}, pg_catalog`);
    await assert.rejects(client.query(`SELECT * FROM ${schema}.words('other', 'a'::tsquery, 5, NULL)`), {
      code: '42501',
    });
    await client.end();
  });

  test('a function that fits better than the server’s own is not called by the owner, nor by ours', async () => {
    await addLogin('a_forger');
    await server.run('GRANT CREATE ON SCHEMA public TO a_forger');
    const forger = new pg.Client({ connectionString: addressOf('a_forger', 'secret of a_forger'), ssl: false });
    await forger.connect();
    await forger.query(`CREATE TABLE public.caught (who text); GRANT INSERT ON public.caught TO PUBLIC`);
    const caught = `LANGUAGE sql AS $$ INSERT INTO public.caught VALUES (current_user)`;
    for (const [head, value] of [
      ['cardinality(uuid[]) RETURNS int', '1'],
      ['format(text, text, int) RETURNS text', `''::text`],
      ['format(text, text) RETURNS text', `''::text`],
      ['hashtextextended(text, int) RETURNS bigint', '1::bigint'],
      ['pg_has_role(name, name, unknown) RETURNS boolean', 'true'],
    ])
      await forger.query(`CREATE FUNCTION public.${head} ${caught}; SELECT ${value} $$`).catch(() => undefined);
    const schema = newSchema();
    const owner = await open(schema);
    await owner.putVectors('source', rowsOf(['a']), calm);
    await owner.putFiles([fileOf('a.ts', ['a'])], calm);
    await owner.grant('a_forger', 'reader', calm);
    assert.equal((await owner.nearest('source', vectorOf('a'), 1, undefined, calm)).length, 1);
    const reader = await open(schema, { address: addressOf('a_forger', 'secret of a_forger') });
    assert.equal((await reader.nearest('source', vectorOf('a'), 1, undefined, calm)).length, 1);
    assert.deepEqual((await forger.query('SELECT * FROM public.caught')).rows, []);
    // The forgery is a sound one: whoever does not say which functions he means has called it.
    await server.run(`SELECT cardinality('{}'::uuid[])`);
    assert.deepEqual((await forger.query('SELECT * FROM public.caught')).rows, [{ who: 'postgres' }]);
    await forger.end();
    await server.run('DROP OWNED BY a_forger');
  });

  test('an owner needs no more than to make schemas in the database', async () => {
    const schema = newSchema();
    const address = await addLogin('an_owner');
    await server.run('GRANT CREATE ON DATABASE postgres TO an_owner');
    const owner = await open(schema, { address });
    await owner.putVectors('source', rowsOf(['a']), calm);
    await owner.putFiles([fileOf('a.ts', ['a'])], calm);
    await owner.settle(calm);
    await addLogin('a_guest_of_it');
    await owner.grant('a_guest_of_it', 'reader', calm);
    const reader = await open(schema, { address: addressOf('a_guest_of_it', 'secret of a_guest_of_it') });
    assert.equal((await reader.nearest('source', vectorOf('a'), 1, undefined, calm)).length, 1);
    assert.equal((await reader.findWords(['a'], 1, undefined, calm)).length, 1);
  });

  test('an indexer writes to its repository, and sees no chunk of another', async () => {
    const schema = newSchema();
    const owner = await open(schema);
    await owner.putVectors('older', rowsOf(['a']), calm);
    const other = await open(schema, { repository: 'other' });
    await other.putFiles([fileOf('secret.ts', ['b'])], calm);
    const address = await addLogin('an_indexer');
    await owner.grant('an_indexer', 'indexer', calm);
    const indexer = await open(schema, { address });
    await indexer.putVectors('older', rowsOf(['b']), calm);
    await indexer.putVectors('newer', rowsOf(['a', 'b']), calm);
    await indexer.putFiles([fileOf('a.ts', ['a']), fileOf('b.ts', ['b'])], calm);
    await indexer.putFiles([fileOf('a.ts', ['a', 'c'])], calm);
    await indexer.removeFiles(['b.ts'], calm);
    await indexer.settle(calm);
    assert.deepEqual(await indexer.status(calm).then(({ files, chunks }) => [files, chunks]), [1, 2]);
    assert.equal((await indexer.nearest('newer', vectorOf('a'), 5, undefined, calm)).length, 1);
    assert.equal((await owner.findWords(['c'], 5, undefined, calm)).length, 1);
    const theirs = await open(schema, { address, repository: 'other' });
    assert.equal(await reasonOf(theirs.putFiles([fileOf('mine.ts', ['x'])], calm)), 'no-rights');
    assert.equal(await reasonOf(theirs.findWords(['b'], 5, undefined, calm)), 'no-rights');
    const unknown = await open(schema, { address, repository: 'nobody’s' });
    assert.equal(await reasonOf(unknown.putFiles([fileOf('mine.ts', ['x'])], calm)), 'no-rights');
    const client = new pg.Client({ connectionString: address, ssl: false });
    await client.connect();
    assert.deepEqual((await client.query(`SELECT DISTINCT path FROM ${schema}.chunks`)).rows, [{ path: 'a.ts' }]);
    await client.end();
    assert.equal(await reasonOf(owner.grant('nobody at all', 'reader', calm)), 'unexpected');
  });
});

/** Checks that a login is refused what a statement asks for. */
async function assertRefused(address: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: address, ssl: false });
  await client.connect();
  await assert.rejects(client.query(sql), { code: '42501' }, sql);
  await client.end();
}

describe('a server that cannot be used', () => {
  const openTo = (address: string, others: Partial<PostgresOptions> = {}) =>
    reasonOf(openPostgresStore({ address, repository: 'mine', schema: 'not_made', ...others }, calm));
  const encrypted = (host: string): string =>
    `postgres://postgres:${encodeURIComponent(testPassword)}@${host}:${server.port}/postgres?sslmode=require`;

  test('is named by its reason, without a word of the password', async () => {
    const refused = openPostgresStore({ address: addressOf('postgres', 'a wrong secret'), repository: 'mine' }, calm);
    const error = await refused.catch((reason: unknown) => reason);
    assert.ok(error instanceof IndexStoreError);
    assert.equal(error.reason, 'refused-login');
    assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }) + error.stack, /wrong|secret|postgres:\/\//);
    assert.equal(await openTo(addressOf('postgres', testPassword, 'nowhere')), 'no-database');
    assert.equal(await openTo(addressOf('nobody', '')), 'refused-login');
    assert.equal(await openTo('postgres://postgres@127.0.0.1:1/postgres'), 'unreachable');
  });

  test('encrypts with a certificate that is known, or not at all', async () => {
    assert.equal(await openTo(encrypted('127.0.0.1')), 'bad-certificate');
    const { cert } = readSelfSignedPair();
    const schema = newSchema();
    const store = await open(schema, { address: encrypted('localhost'), authorities: [cert], connections: 1 });
    await store.putFiles([fileOf('a.ts', ['a'])], calm);
    const sql = `SELECT bool_and(s.ssl) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'parley' AND a.query ILIKE '%commit%' AND s.ssl`;
    assert.deepEqual(await server.run(sql), [['t']]);
    const bound = { address: `${encrypted('localhost')}&channel_binding=require`, authorities: [cert] };
    assert.equal((await (await open(schema, bound)).status(calm)).files, 1);
    // An abort goes over an encrypted connection as well.
    await asAnother(async (client) => {
      await client.query(`BEGIN; LOCK TABLE ${schema}.files`);
      const stop = new AbortController();
      const asked = reasonOf(store.changedFiles([fileOf('a.ts', ['a'])], stop.signal));
      await waiting(1);
      stop.abort();
      assert.equal(await asked, 'cancelled');
      await waiting(0);
    });
    assert.equal((await store.status(calm)).files, 1);
  });

  test('is read-only: what is there is found, and nothing is written', async () => {
    const schema = newSchema();
    const store = await open(schema);
    await store.putFiles([fileOf('a.ts', ['a'])], calm);
    await addLogin('a_statue');
    await server.run('ALTER ROLE a_statue SUPERUSER; ALTER ROLE a_statue SET default_transaction_read_only = on');
    const address = addressOf('a_statue', 'secret of a_statue');
    const fixed = await open(schema, { address });
    assert.equal((await fixed.findWords(['a'], 5, undefined, calm)).length, 1);
    assert.equal(await reasonOf(fixed.putFiles([fileOf('b.ts', ['b'])], calm)), 'read-only');
    assert.equal(await reasonOf(fixed.putVectors('source', rowsOf(['a']), calm)), 'read-only');
    assert.equal(await openTo(address), 'read-only');
  });

  test('has an index that a newer Parley made', async () => {
    const schema = newSchema();
    await open(schema);
    await server.run(`COMMENT ON SCHEMA ${schema} IS 'Index of Parley, version 7'`);
    assert.equal(await reasonOf(open(schema)), 'newer-schema');
    // A comment may be lost on the way to another server.
    await server.run(`COMMENT ON SCHEMA ${schema} IS NULL; INSERT INTO ${schema}.migrations (version) VALUES (7)`);
    assert.equal(await reasonOf(open(schema)), 'newer-schema');
    await server.run(`DELETE FROM ${schema}.migrations WHERE version = 7`);
    assert.equal((await (await open(schema)).status(calm)).files, 0);
  });

  test('has a schema of our name that belongs to somebody else', async () => {
    const schema = newSchema();
    await addLogin('a_squatter');
    await server.run(`CREATE SCHEMA ${schema} AUTHORIZATION a_squatter`);
    assert.equal(await reasonOf(open(schema)), 'no-rights');
    const prepared = newSchema();
    await server.run(`CREATE SCHEMA ${prepared} AUTHORIZATION postgres`);
    assert.equal((await (await open(prepared)).status(calm)).files, 0);
  });

  test('gives no schema to a login that may not make one', async () => {
    const address = await addLogin('a_guest');
    assert.equal(await openTo(address), 'no-rights');
  });

  test('has no pgvector, or an old one', async () => {
    await server.run(`CREATE DATABASE bare`);
    assert.equal(await openTo(addressOf('postgres', testPassword, 'bare')), 'no-vectors');
    const schema = newSchema();
    await open(schema);
    const setVersion = (version: string) =>
      server.run(
        `SET allow_system_table_mods = on; UPDATE pg_extension SET extversion = '${version}' WHERE extname = 'vector'`,
      );
    await setVersion('0.7.4');
    assert.equal(await reasonOf(open(schema)), 'no-vectors');
    await setVersion('0.10.1');
    await open(schema);
    await setVersion('0.8.0');
  });

  test('does not write in Unicode', async () => {
    await server.run(`CREATE DATABASE narrow ENCODING LATIN1 LOCALE 'C' TEMPLATE template0`);
    assert.equal(await openTo(addressOf('postgres', testPassword, 'narrow')), 'unexpected');
  });

  test('has all its connections in use', async () => {
    const login = await addLogin('a_lonely_one');
    await server.run('ALTER ROLE a_lonely_one CONNECTION LIMIT 0');
    assert.equal(await openTo(login), 'busy');
  });
});
