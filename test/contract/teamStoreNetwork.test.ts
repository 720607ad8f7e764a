/** What a network does to the index of a team, and what a server does that is none. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openPostgresStore, type PostgresOptions } from '../../src/search/team/postgres/postgresStore.ts';
import { calm, fileOf, reasonOf, rowsOf } from './indexStoreContract.ts';
import { type DebianPostgres, startDebianPostgres } from './postgresServers.ts';
import {
  columns,
  done,
  message,
  ready,
  row,
  startCutProxy,
  startWireServer,
  type WireServer,
  welcome,
} from './postgresWire.ts';

describe('a network between', () => {
  let server: DebianPostgres;
  before(async () => {
    server = await startDebianPostgres();
  });
  after(() => server?.stop());

  const through = (port: number, schema: string, others: Partial<PostgresOptions> = {}) =>
    openPostgresStore(
      { address: server.address.replace(`:${server.port}/`, `:${port}/`), repository: 'mine', schema, ...others },
      calm,
    );

  test('that is cut at any byte of a write leaves all of it or nothing, and the next goes through', async () => {
    const proxy = await startCutProxy(server.port);
    const direct = await through(server.port, 'cut');
    const texts = Array.from({ length: 40 }, (_, at) => `text ${at}`);
    const old = Array.from({ length: 4 }, (_, at) => fileOf(`${at}.ts`, [`old ${at}`]));
    const files = Array.from({ length: 4 }, (_, at) => fileOf(`${at}.ts`, texts.slice(at * 10, at * 10 + 10)));
    const store = await through(proxy.port, 'cut', { connections: 1 });
    const reasons = new Set<string>();
    for (let bytes = 400; bytes < 12_000; bytes += 900) {
      await direct.putFiles(old, calm);
      proxy.cutAfter = bytes;
      for (const write of [
        () => store.putFiles(files, calm),
        () => store.putVectors(`cut at ${bytes}`, rowsOf(texts), calm),
      ]) {
        const reason = await reasonOf(write());
        reasons.add(reason);
        const { chunks } = await direct.status(calm);
        assert.ok(chunks === 4 || chunks === 40, `${chunks} chunks`);
        const found = await direct.vectors(
          `cut at ${bytes}`,
          rowsOf(texts).map(({ hash }) => hash),
          calm,
        );
        assert.ok(found.length === 0 || found.length === 40, `${found.length} vectors`);
        if (reason === 'none') assert.ok(chunks === 40 || found.length === 40);
      }
      proxy.cutAfter = undefined;
    }
    assert.deepEqual([...reasons].sort(), ['none', 'unreachable']);
    await store.putFiles(files, calm);
    assert.equal((await store.status(calm)).chunks, 40);
    await Promise.all([store.close(), direct.close(), proxy.close()]);
  });

  test('that passes nothing on is waited for as long as was said, and an abort waits for nobody', async () => {
    const proxy = await startCutProxy(server.port);
    const store = await through(proxy.port, 'held', { statementMs: 1_500, graceMs: 300 });
    await store.status(calm);
    proxy.isHeld = true;
    const stop = new AbortController();
    const asked = [reasonOf(store.status(calm)), reasonOf(store.status(stop.signal))];
    await proxy.held();
    stop.abort();
    assert.deepEqual(await Promise.all(asked), ['timeout', 'cancelled']);
    proxy.isHeld = false;
    assert.equal((await store.status(calm)).files, 0);
    await Promise.all([store.close(), proxy.close()]);
  });

  test('a statement that takes too long is ended by the server', async () => {
    const store = await through(server.port, 'slow', { statementMs: 1_000 });
    const { run } = server;
    await run(`CREATE FUNCTION slow.wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';
      CREATE TRIGGER wait BEFORE INSERT ON slow.files FOR EACH ROW EXECUTE FUNCTION slow.wait()`);
    assert.equal(await reasonOf(store.putFiles([fileOf('a.ts', ['a'])], calm)), 'timeout');
    assert.equal((await store.status(calm)).files, 0);
    await store.close();
  });
});

describe('a server that is none', () => {
  const servers: WireServer[] = [];
  const limits = { connectMs: 30_000, statementMs: 30_000 };
  after(() => Promise.all(servers.map((server) => server.close())));

  async function reasonAt(...how: Parameters<typeof startWireServer>): Promise<string> {
    const server = await startWireServer(...how);
    servers.push(server);
    return reasonOf(openPostgresStore({ address: addressOf(server), repository: 'mine', ...limits }, calm));
  }
  const addressOf = ({ port }: WireServer, query = ''): string =>
    `postgres://user:secret@127.0.0.1:${port}/database${query}`;
  const never = (): undefined => undefined;
  /** What the first question is answered with by a server that could be used, field by field. */
  const probe = (...fields: readonly string[]): Buffer => Buffer.concat([columns(fields.map(String)), row(...fields)]);
  const whole = (...parts: readonly Buffer[]): Buffer => Buffer.concat([...parts, done('SELECT 1'), ready('T')]);
  /** Writes again and again until nobody listens. */
  const pour = (socket: Socket, bytes: Buffer): void => {
    const again = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.on('drain', again);
    again();
  };

  test('speaks another protocol, or ends at once', async () => {
    assert.equal(await reasonAt(never, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')), 'unreachable');
    assert.equal(await reasonAt(never, (socket) => socket.destroy()), 'unreachable');
    assert.equal(await reasonAt(never, (socket) => socket.end()), 'unreachable');
    assert.equal(await reasonAt(never, (socket) => socket.write(message('R', 99))), 'unexpected');
    const refusal = message('E', Buffer.from('SFATAL\0C28P01\0Mpassword "secret" of postgres://user:secret@host\0\0'));
    assert.equal(await reasonAt(never, (socket) => socket.write(refusal)), 'refused-login');
  });

  test('does not encrypt where that was asked for: no login is sent', async () => {
    let said = '';
    const server = await startWireServer(never, (socket) => {
      socket.on('data', (bytes) => (said += bytes));
      socket.write('N');
    });
    servers.push(server);
    const address = addressOf(server, '?sslmode=verify-full');
    assert.equal(await reasonOf(openPostgresStore({ address, repository: 'mine' }, calm)), 'no-tls');
    assert.doesNotMatch(said, /user|secret/);
  });

  test('answers with what was not asked', async () => {
    const answers: (readonly [Buffer, string])[] = [
      [whole(probe('150000', 'UTF8')), 'unexpected'],
      [whole(probe('many', 'UTF8', '0.8.0', 'public', 'f', '', 'f')), 'unexpected'],
      [whole(probe('1e999', 'UTF8', '0.8.0', 'public', 'f', '', 'f')), 'unexpected'],
      [whole(probe('150000', 'UTF8', '0.8.0', 'public', 'perhaps', '', 'f')), 'unexpected'],
      [whole(probe('140000', 'UTF8', '0.8.0', 'public', 'f', '', 'f')), 'too-old'],
      [whole(probe('150000', 'UTF8', '0.8.0', 'public', 'f', 'Index of Parley, version 99', 'f')), 'newer-schema'],
      [whole(probe('150000', 'UTF8', '<script>', 'public', 'f', 'Index of Parley, version 1', 'f')), 'no-vectors'],
      [Buffer.concat([done('SELECT 0'), ready('T')]), 'unexpected'],
      [message('E', Buffer.from('SERROR\0CXX000\0Mpostgres://user:secret@host\0\0')), 'unexpected'],
      [message('G', Buffer.from([0, 0, 0])), 'unexpected'],
    ];
    for (const [answer, reason] of answers) {
      const isError = answer[0] === 'E'.charCodeAt(0) || answer[0] === 'G'.charCodeAt(0);
      assert.equal(
        await reasonAt(() => (isError ? Buffer.concat([answer, ready('E')]) : answer)),
        reason,
        answer.toString(),
      );
    }
  });

  test('answers with no message of this protocol', async () => {
    const server = await startWireServer(() => Buffer.from('?? nonsense'));
    servers.push(server);
    const open = openPostgresStore(
      { address: addressOf(server), repository: 'mine', statementMs: 50, graceMs: 50 },
      calm,
    );
    assert.equal(await reasonOf(open), 'timeout');
  });

  test('has another schema under our name', async () => {
    const facts = probe('150000', 'UTF8', '0.8.0', 'public', 'f', 'Index of Parley, version 1', 'f');
    const server = await startWireServer((sql) =>
      /server_version_num/.test(sql)
        ? whole(facts)
        : Buffer.concat([message('E', Buffer.from('SERROR\0C42P01\0Mno such table\0\0')), ready('E')]),
    );
    servers.push(server);
    const store = await openPostgresStore({ address: addressOf(server), repository: 'mine' }, calm);
    assert.equal(await reasonOf(store.status(calm)), 'unexpected');
    assert.equal(await reasonOf(store.findWords(['a'], 5, undefined, calm)), 'unexpected');
    await store.close();
  });

  test('does not come to an end: rows, notices, a message, before the login and after it', async () => {
    const rows = Buffer.concat(Array.from({ length: 500 }, () => row('150000', 'x'.repeat(1_000))));
    const notice = message('N', Buffer.from(`SNOTICE\0C00000\0M${'x'.repeat(60_000)}\0\0`));
    const huge = Buffer.concat([Buffer.from('D'), Buffer.from([0x7f, 0xff, 0xff, 0xff])]);
    const zeros = Buffer.alloc(65_536);
    const endless: [Buffer, Buffer][] = [
      [columns(['a', 'b']), rows],
      [Buffer.alloc(0), notice],
      [huge, zeros],
    ];
    for (const [first, again] of endless) {
      const reason = await reasonAt((_, socket) => {
        socket.write(first);
        pour(socket, again);
        return undefined;
      });
      assert.equal(reason, 'unexpected');
    }
    for (const again of [notice, zeros]) {
      const reason = await reasonAt(never, (socket) => {
        socket.write(again === zeros ? huge : Buffer.alloc(0));
        pour(socket, again);
      });
      assert.equal(reason, 'unexpected');
    }
  });

  test('says nothing: it is waited for as long as was said', async () => {
    const server = await startWireServer(never, () => undefined);
    servers.push(server);
    const open = openPostgresStore({ address: addressOf(server), repository: 'mine', connectMs: 100 }, calm);
    assert.equal(await reasonOf(open), 'unreachable');
    const mute = await startWireServer(never, (socket) => void socket.write(welcome));
    servers.push(mute);
    const asked = openPostgresStore(
      { address: addressOf(mute), repository: 'mine', statementMs: 50, graceMs: 50 },
      calm,
    );
    assert.equal(await reasonOf(asked), 'timeout');
  });
});
