/** What `parley-search index --publish` stores for a team, and what others find by it. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { nextTurn } from '../../src/base/nextTurn.ts';
import { createEngine } from '../../src/search/engine.ts';
import { IndexStoreError } from '../../src/search/team/indexStoreError.ts';
import { createTeamIndex } from '../../src/search/team/teamIndex.ts';
import { openTeamStore } from '../../src/search/team/teamStore.ts';
import { mustRun } from '../host/processes.ts';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { temporaryFolder } from '../support/searchFolder.ts';
import { serviceArgs, textsSentTo, withKey } from './commandLine.ts';
import {
  type DebianPostgres,
  startDebianPostgres,
  startPglite,
  type TestPostgres,
  testPassword,
} from './postgresServers.ts';
import { cloneOf, code, pathsIn, pathsOf, publishedIn, question, teamOf, writeFiles } from './teamClones.ts';

const calm = new AbortController().signal;
let servers: { pglite: TestPostgres; debian: DebianPostgres };
let service: ReferenceService;
before(async () => {
  servers = { pglite: await startPglite(), debian: await startDebianPostgres() };
  service = await createReferenceService();
});
after(async () => {
  await Promise.all([...Object.values(servers).map((server) => server.stop()), service.close()]);
});
const publish = () => ['index', ...serviceArgs(service), '--yes', '--publish'];
const ask = (text = question) => ['query', text, ...serviceArgs(service)];

for (const name of ['pglite', 'debian'] as const) {
  describe(`what is published: ${name}`, () => {
    test('a clone without vectors finds by meaning what it has, and sends nothing but the question', async (t) => {
      const at = teamOf(servers[name].address, 'fresh');
      const builder = cloneOf(t, { ...code, 'src/hidden plan.ts': 'export const invoiceOfOthers = "hidden fee";\n' });
      const { code: ended, value } = await builder.json(publish(), at);
      assert.deepEqual([ended, value.published], [0, { stored: 4, forgotten: 0, refused: 0 }]);

      const fresh = cloneOf(t);
      const from = service.requests.length;
      const found = await fresh.json(ask(), at);
      assert.deepEqual([found.value.by, pathsOf(found)[0]], ['both', 'src/pay.ts']);
      assert.equal((found.value.hits as { why: string }[])[0]?.why, 'meaning');
      assert.deepEqual(textsSentTo(service, from), [question]);
      assert.ok((found.value.team as { hits: number }).hits > 0);
      const { stdout, stderr } = await fresh.run(ask(), at);
      assert.match(stdout, /^src\/pay\.ts:1-3 {2}by meaning/);
      assert.match(stderr, /Found by words, and by meaning with the vectors of the team index\./);
      assert.ok(!`${JSON.stringify(found.value)}${stdout}${stderr}`.includes('hidden'), 'nothing of another branch');
      const alone = await fresh.json(ask(), withKey);
      assert.deepEqual([alone.value.by, alone.value.team, pathsOf(alone)], ['keywords', undefined, []]);
    });

    test('what changed is stored again, what is gone is forgotten, and a text goes only where it is asked for', async (t) => {
      const repository = 'changing';
      const at = teamOf(servers[name].address, repository);
      const builder = cloneOf(t);
      const run = async (...args: string[]) =>
        (await builder.json(['index', '--publish', ...args], at)).value.published as Record<string, number>;
      assert.equal((await run()).stored, 3);
      assert.deepEqual(
        await publishedIn(servers[name], repository),
        Object.keys(code).map((path) => [path, null]),
      );
      assert.deepEqual(await run(), { stored: 0, forgotten: 0, refused: 0 });
      writeFiles(builder.root, { 'src/sky.ts': 'export const rain = 1;\n', 'src/empty.ts': '' });
      rmSync(join(builder.root, 'src/stone.ts'));
      assert.deepEqual(await run(), { stored: 2, forgotten: 1, refused: 0 });
      assert.deepEqual(await pathsIn(servers[name], repository), ['src/empty.ts', 'src/pay.ts', 'src/sky.ts']);
      assert.equal((await run('--publish-text')).stored, 2, 'but for the one that has no text');
      assert.deepEqual((await publishedIn(servers[name], repository)).at(-1), [
        'src/sky.ts',
        'export const rain = 1;\n',
      ]);
      assert.equal((await run()).stored, 2, 'texts are taken out again');
      assert.deepEqual((await publishedIn(servers[name], repository)).at(-1), ['src/sky.ts', null]);
    });

    test('a file that is left out never arrives, and one that is left out by now is forgotten', async (t) => {
      const repository = 'left out';
      const at = teamOf(servers[name].address, repository);
      const key = `AKIA${'QRSTUVWX23456789'.slice(0, 16)}`;
      const builder = cloneOf(t, {
        ...code,
        '.env': 'PASSWORD=quite-a-secret-word\n',
        'src/key.ts': `export const key = '${key}';\n`,
        'dist/made.ts': 'export const made = 1;\n',
        '.gitignore': 'dist\n',
      });
      await builder.run(['index', '--publish', '--publish-text', '--exclude', 'src/sky.ts'], at);
      const published = await publishedIn(servers[name], repository);
      assert.deepEqual(
        published.map(([path]) => path).filter((path) => path !== '.gitignore'),
        ['src/pay.ts', 'src/stone.ts'],
      );
      assert.ok(![key, 'quite-a-secret-word'].some((secret) => JSON.stringify(published).includes(secret)));
      writeFiles(builder.root, { 'src/stone.ts': `export const key = '${key}';\n` });
      const { value } = await builder.json(['index', '--publish'], at);
      assert.equal((value.published as { forgotten: number }).forgotten, 1);
      assert.ok(!(await pathsIn(servers[name], repository)).includes('src/stone.ts'));
    });
  });
}

test('a query says what the team index had to do with it', async (t) => {
  const at = teamOf(servers.debian.address, 'halves');
  const mine = cloneOf(t);
  await mine.run(['index', ...serviceArgs(service), '--yes'], withKey);
  const whole = await mine.run(ask(), at);
  assert.match(whole.stderr, /Found by words and meaning\. The index has 3 files/);
  writeFiles(mine.root, { 'src/ship.ts': 'export function vessel() {}\n' });
  const none = await mine.run(ask(), at);
  assert.match(
    none.stderr,
    /Found by words, and by meaning in 75 % of the files; for the rest, the team index was asked\./,
  );
  assert.doesNotMatch(none.stderr, /could not be asked/);
  const fresh = await cloneOf(t).run(ask('cloud'), at);
  assert.match(fresh.stderr, /Found by words only: neither the index nor the team index has vectors that fit\./);
  const words = await cloneOf(t).run(['query', 'cloud', '--words'], at);
  assert.match(words.stderr, /Found by words only: the index has no vectors\. .*\nNothing was sent\./);
  const from = service.requests.length;
  // No program takes this port for a while.
  const down = await cloneOf(t).run(ask('cloud'), teamOf('postgres://a@127.0.0.1:2/b', 'halves'));
  assert.match(down.stderr, /Found by words only: the index has no vectors\./);
  assert.match(down.stderr, /The team index could not be asked: The team index does not answer\.\nNothing was sent\./);
  assert.deepEqual([down.code, textsSentTo(service, from)], [0, []]);
});

describe('how publishing goes', () => {
  test('each folder is its own repository, by the remote that git has', async (t) => {
    const [one, two] = [cloneOf(t), cloneOf(t, { 'other.ts': 'export const other = 1;\n' })];
    for (const [{ root }, name] of [[one, 'one'] as const, [two, 'two'] as const]) {
      await mustRun('git', ['-C', root, 'init', '-q'], {});
      await mustRun('git', ['-C', root, 'remote', 'add', 'origin', `git@example.com:team/${name}.git`], {});
    }
    const at = { env: { PARLEY_STORE: servers.debian.address } };
    const { value } = await one.json(['index', '--publish', one.root, two.root], at);
    assert.deepEqual(value.published, { stored: 4, forgotten: 0, refused: 0 });
    assert.deepEqual(await pathsIn(servers.debian, 'example.com/team/one'), Object.keys(code));
    assert.deepEqual(await pathsIn(servers.debian, 'example.com/team/two'), ['other.ts']);
    const same = await one.run(['index', '--publish', one.root, two.root], teamOf(servers.debian.address, 'same'));
    assert.equal(same.code, 2);
    assert.match(same.stderr, /Two of these folders are the repository same in the team index/);
    assert.deepEqual(await pathsIn(servers.debian, 'same'), []);
    const named = await two.run(['index', '--publish', '--repository', 'by its name'], at);
    assert.match(named.stdout, /Published to the team index: 1 file stored, 0 files forgotten\./);
    assert.deepEqual(await pathsIn(servers.debian, 'by its name'), ['other.ts']);
  });

  test('bad arguments get a sentence before anything is read', async (t) => {
    const builder = cloneOf(t);
    const other = join(builder.data, 'other');
    mkdirSync(other);
    const at = teamOf(servers.debian.address, 'bad');
    const all: [string[], { env?: NodeJS.ProcessEnv }, RegExp][] = [
      [
        ['--publish'],
        { env: { PARLEY_STORE: ' ' } },
        /No team index is set: .*PARLEY_STORE is empty\. Put the address/,
      ],
      [['--publish-text'], at, /--publish-text has the code go along .*Give both/],
      [['--repository', 'x', '.', other], at, /With --repository, one folder alone is indexed\./],
      [['--publish', '--repository', '  '], at, /The name of a repository has 1 to 500 characters\./],
      [['--publish', '--repository', 'x'.repeat(501)], at, /The name of a repository has 1 to 500 characters\./],
    ];
    for (const [args, more, sentence] of all) {
      const { code: ended, stdout, stderr } = await builder.run(['index', ...args], more);
      assert.deepEqual([ended, stdout], [2, ''], args.join(' '));
      assert.match(stderr, sentence);
    }
    const dry = await builder.run(['index', '--publish', '--dry-run'], at);
    assert.equal(dry.code, 0);
    assert.deepEqual(await pathsIn(servers.debian, 'bad'), []);
  });

  test('a store that fails is told by the exit code, and the index stays', async (t) => {
    const builder = cloneOf(t);
    // No program takes this port for a while.
    const gone = `postgres://postgres:${encodeURIComponent(testPassword)}@127.0.0.1:2/postgres`;
    const { code: ended, stdout, stderr } = await builder.run(['index', '--publish'], teamOf(gone, 'gone'));
    assert.equal(ended, 2);
    assert.match(stdout, /Indexed 3 files/);
    assert.match(stderr, /Not all was published\. The team index does not answer\. Run it again/);
    const { value } = await builder.json(['index', '--publish'], teamOf(gone, 'gone'));
    assert.deepEqual(value.published, { stored: 0, forgotten: 0, refused: 0, problem: 'unreachable' });
    for (const secret of [testPassword, encodeURIComponent(testPassword)])
      assert.ok(!(stdout + stderr).includes(secret));
    const bad = await builder.run(['index', '--publish'], teamOf('mysql://a:hidden-word@b/c', 'gone'));
    assert.equal(bad.code, 2);
    assert.match(bad.stderr, /PARLEY_STORE is no address of a PostgreSQL: .*written as %40/);
    assert.ok(!bad.stderr.includes('hidden-word'));
  });

  test('what an address says too much gets a next step that fits', async (t) => {
    const builder = cloneOf(t);
    const said = async (address: string): Promise<string> =>
      (await builder.run(['index', '--publish'], teamOf(address, 'none'))).stderr;
    for (const more of ['channel_binding=hidden-word', 'sslmode=hidden-word', 'pgbouncer=true']) {
      const text = await said(`postgres://a:hidden-word@127.0.0.1:2/c?${more}`);
      assert.match(
        text,
        /is no address of a PostgreSQL: .*; sslmode and channel_binding are the parameters that are taken\./,
      );
      assert.ok(!text.includes('hidden-word'));
    }
    for (const mode of ['disable', 'prefer'])
      assert.match(await said(`postgres://a:b@192.0.2.1/c?sslmode=${mode}`), /leave sslmode out of PARLEY_STORE/);
    const well = await said(`postgres://a:b@127.0.0.1:2/c?sslmode=disable`);
    assert.match(well, /The team index does not answer/);
    assert.ok(!well.includes('sslmode'));
  });

  test('what is stopped in the middle stays, and the next run stores the rest alone', async (t) => {
    const [root, repository] = [temporaryFolder(t), 'stopped'];
    const files = Array.from({ length: 2_500 }, (_, at) => [`f${at}.ts`, `export const topic${at} = ${at};\n`]);
    writeFiles(root, Object.fromEntries(files));
    const scope = { roots: [root], maxBytes: 1e6, exclude: [], allow: [], includeGenerated: false, encodings: {} };
    const abort = new AbortController();
    let fails: (() => void) | undefined = () => abort.abort();
    let settled = 0;
    const team = createTeamIndex(async (_, signal) => {
      const store = await openTeamStore({ address: servers.debian.address, repository }, signal);
      return {
        ...store,
        async putFiles(some, until) {
          const refused = await store.putFiles(some, until);
          fails?.();
          return refused;
        },
        async settle(until) {
          settled++;
          await store.settle(until);
        },
      };
    });
    const engine = createEngine(temporaryFolder(t), undefined, team);
    t.after(() => engine.close());
    await engine.index(scope, undefined, calm, () => undefined);
    const run = (signal: AbortSignal) => engine.publish([root], false, signal, () => undefined);
    await assert.rejects(run(abort.signal), { kind: 'cancelled' });
    const stored = (await pathsIn(servers.debian, repository)).length;
    assert.ok(stored > 0 && stored < files.length);
    fails = () => {
      throw new IndexStoreError('full');
    };
    const failed = await run(calm);
    assert.equal(failed?.problem, 'full', 'the batch is stored, and its answer lost');
    fails = undefined;
    const seen: number[] = [];
    const rest = await engine.publish([root], false, calm, ({ files: done, ofFiles }) => seen.push(done, ofFiles));
    assert.deepEqual(rest, { stored: 0, forgotten: 0, refused: 0 });
    assert.equal(settled, 1, 'once all is stored');
    assert.deepEqual(seen.slice(-2), [files.length, files.length]);
    assert.equal((await pathsIn(servers.debian, repository)).length, files.length);
  });

  test('Ctrl+C ends it while the server is waited for', { skip: process.platform === 'win32' }, async (t) => {
    const builder = cloneOf(t);
    const at = teamOf(servers.debian.address, 'waiting');
    assert.equal((await builder.run(['index', '--publish'], at)).code, 0);
    writeFiles(builder.root, { 'src/new.ts': 'export const fresh = 1;\n' });
    const other = new pg.Client({ connectionString: servers.debian.address, ssl: false });
    await other.connect();
    t.after(() => other.end());
    await other.query('BEGIN; SELECT 1 FROM parley.repositories FOR UPDATE');
    const onStart = (child: ChildProcess) => void waitForLock().then(() => child.kill('SIGINT'));
    const stopped = await builder.run(['index', '--publish'], { ...at, onStart });
    assert.equal(stopped.code, 130);
    assert.match(stopped.stderr, /Stopped\. What was stored stays\./);
    await other.query('ROLLBACK');
    const { value } = await builder.json(['index', '--publish'], at);
    assert.deepEqual(value.published, { stored: 1, forgotten: 0, refused: 0 });
  });
});

/** Waits until somebody waits for a lock. */
async function waitForLock(): Promise<void> {
  const sql = `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
  while ((await servers.debian.run(sql))[0]?.[0] === '0') await nextTurn();
}
