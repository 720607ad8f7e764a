/** The index of a team through a pooler that gives each transaction another connection. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { openPostgresStore } from '../../src/search/team/postgres/postgresStore.ts';
import { calm, fileOf, indexStoreContract, reasonOf } from './indexStoreContract.ts';
import { startDebianPostgres, startPooler } from './postgresServers.ts';

const started = startDebianPostgres();
const pooler = started.then(startPooler);
after(async () => {
  await (await pooler).stop();
  await (await started).stop();
});

async function open(repository: string, schema: string) {
  const { address } = await pooler;
  return openPostgresStore({ address, repository, schema }, calm);
}

indexStoreContract('a pooler of transactions', async () => {
  await pooler;
  return { open: (repository) => open(repository, 'contract'), stop: async () => undefined };
});

describe('through a pooler', () => {
  test('all that come at once make one index, and nothing of a session stays', async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => open('mine', 'at_once')));
    const server = await started;
    assert.deepEqual(await server.run('SELECT count(*) FROM at_once.migrations'), [['1']]);
    assert.deepEqual(await server.run(`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'`), [['0']]);
    const client = new pg.Client({ connectionString: (await pooler).address, ssl: false });
    await client.connect();
    const sql = `SELECT current_setting('statement_timeout') AS timeout, current_setting('search_path') AS path,
      coalesce(current_setting('hnsw.ef_search', true), '') AS breadth, (SELECT count(*) FROM pg_prepared_statements) AS named`;
    for (let turn = 0; turn < 4; turn++) {
      const { rows } = await client.query(sql);
      assert.deepEqual(rows, [{ timeout: '0', path: '"$user", public', breadth: '', named: '0' }]);
    }
    await client.end();
    await Promise.all(stores.map((store) => store.close()));
  });

  test('an abort ends the statement on the server behind it', async () => {
    const store = await open('mine', 'aborted');
    await store.putFiles([fileOf('a.ts', ['a'])], calm);
    const server = await started;
    const holder = new pg.Client({ connectionString: server.address, ssl: false });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE aborted.files');
    const waiting = async (count: string): Promise<void> => {
      const sql = `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      for (;;) if ((await server.run(sql))[0]?.[0] === count) return;
    };
    const stop = new AbortController();
    const asked = reasonOf(store.changedFiles([fileOf('a.ts', ['a'])], stop.signal));
    await waiting('1');
    stop.abort();
    assert.equal(await asked, 'cancelled');
    await waiting('0');
    await holder.end();
    assert.equal((await store.status(calm)).files, 1);
    await store.close();
  });
});
