/** Clones of one repository that share their vectors by the database of a team. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../src/search/embedding/embeddingModel.ts';
import { createEngine } from '../../src/search/engine.ts';
import type { IndexStore } from '../../src/search/team/indexStore.ts';
import { IndexStoreError } from '../../src/search/team/indexStoreError.ts';
import { createTeamIndex } from '../../src/search/team/teamIndex.ts';
import { openTeamStore, tryTeamStore } from '../../src/search/team/teamStore.ts';
import { createReferenceService } from '../service/server.ts';
import { temporaryFolder } from '../support/searchFolder.ts';
import { commandLine, serviceArgs, withKey } from './commandLine.ts';
import { vectorOf } from './indexStoreContract.ts';
import { startDebianPostgres, startPglite, type TestPostgres, testPassword } from './postgresServers.ts';

const calm = new AbortController().signal;
type Open = (root: string, signal: AbortSignal) => Promise<IndexStore | undefined>;

/** A clone with so many files, whose engine asks a service and the team. */
function clone(t: TestContext, open: Open, { files = 3, dimensions = 8 } = {}) {
  const root = join(temporaryFolder(t), 'code');
  mkdirSync(root);
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  for (let at = 0; at < files; at++) write(`f${at}.ts`, `export const topic${at} = ${at};\n`);
  const scope = { roots: [root], maxBytes: 1e6, exclude: [], allow: [], includeGenerated: false, encodings: {} };
  const sent: string[] = [];
  const model: EmbeddingModel = {
    ...{ model: 'm', origin: 'https://a.example', url: 'https://a.example/v1' },
    async embed(texts) {
      sent.push(...texts);
      return texts.map((text) => vectorOf(text, dimensions));
    },
  };
  const engine = createEngine(temporaryFolder(t), undefined, createTeamIndex(open));
  t.after(() => engine.close());
  return { engine, sent, write, scope, model, index: () => engine.index(scope, model, calm, () => undefined) };
}

describe('vectors that a team shares', () => {
  let servers: Record<'pglite' | 'debian', TestPostgres>;
  before(async () => {
    servers = { pglite: await startPglite(), debian: await startDebianPostgres() };
  });
  after(() => Promise.all(Object.values(servers).map((server) => server.stop())));

  for (const name of ['pglite', 'debian'] as const) {
    test(`a second clone asks for nothing that the first had: ${name}`, async (t) => {
      const open: Open = (_, signal) => openTeamStore({ address: servers[name].address, repository: 'shared' }, signal);
      const first = clone(t, open);
      const { team: given } = await first.index();
      assert.deepEqual([first.sent.length, given], [3, { taken: 0, given: 3 }]);

      const second = clone(t, open, { files: 4 });
      const plan = await second.engine.plan(second.scope, second.model, calm, () => undefined);
      assert.deepEqual([plan.pending.chunks, plan.team], [1, { taken: 3, given: 0 }]);
      const { team } = await second.index();
      assert.deepEqual(
        second.sent.map((text) => text.includes('topic3')),
        [true],
      );
      assert.deepEqual(team, { taken: 0, given: 1 });

      await first.index();
      first.write('f3.ts', 'export const topic3 = 3;\n');
      await first.engine.update(
        first.scope,
        [join(first.scope.roots[0] ?? '', 'f3.ts')],
        first.model,
        calm,
        () => undefined,
      );
      assert.equal(first.sent.length, 3, 'what the second sent is not sent by the first');
    });
  }

  test('a server that is gone fails nothing, and gets what it lacks from the next run', async (t) => {
    const at = { address: servers.debian.address, repository: 'later' };
    let isGone = true;
    const { engine, index, sent, write, scope, model } = clone(t, async (_, signal) => {
      if (isGone) throw new IndexStoreError('unreachable');
      return openTeamStore(at, signal);
    });
    write('own.ts', `export const own = '${randomBytes(8).toString('hex')}';\n`);
    const without = await index();
    assert.deepEqual([without.embedded, without.team], [sent.length, { taken: 0, given: 0, problem: 'unreachable' }]);
    assert.ok(sent.length > 0);
    isGone = false;
    const { team, embedded } = await engine.index(scope, model, calm, () => undefined);
    assert.deepEqual([embedded, team?.problem], [0, undefined]);
    assert.ok((team?.given ?? 0) > 0);
  });

  test('a store that was lost in mid-run is opened anew by the next, and an update of a file leaves it alone for a while', async (t) => {
    let opened = 0;
    const fails = () => Promise.reject(new IndexStoreError('timeout'));
    const broken = { vectors: fails, missing: fails, close: async () => undefined } as unknown as IndexStore;
    const { engine, scope, model, index } = clone(t, async () => {
      opened++;
      return broken;
    });
    assert.equal((await index()).team?.problem, 'timeout');
    const before = opened;
    const file = join(scope.roots[0] ?? '', 'f0.ts');
    await engine.update(scope, [file], model, calm, () => undefined);
    assert.equal(opened, before, 'not asked while files are saved');
    await index();
    assert.ok(opened > before);
  });

  test('whoever may only read takes, and gives nothing; that is no problem', async (t) => {
    const readOnly = async (signal: AbortSignal): Promise<IndexStore> => {
      const store = await openTeamStore({ address: servers.debian.address, repository: 'read' }, signal);
      return { ...store, putVectors: () => Promise.reject(new IndexStoreError('no-rights')) };
    };
    let opened = 0;
    const { engine, scope, model, index, write, sent } = clone(t, async (_, signal) => {
      opened++;
      return readOnly(signal);
    });
    write('mine.ts', `export const mine = '${randomBytes(8).toString('hex')}';\n`);
    const { team } = await index();
    assert.equal(team?.problem, undefined);
    assert.equal(team?.given, 0);
    const late = `export const late = '${randomBytes(8).toString('hex')}';\n`;
    const other = clone(t, (_, signal) =>
      openTeamStore({ address: servers.debian.address, repository: 'read' }, signal),
    );
    other.write('late.ts', late);
    await other.index();
    write('late.ts', late);
    const before = sent.length;
    await engine.update(scope, [join(scope.roots[0] ?? '', 'late.ts')], model, calm, () => undefined);
    assert.deepEqual([sent.length, opened], [before, 1], 'a file that is saved takes, by the same connection');
  });

  test('vectors of another length than those that are here are left', async (t) => {
    const open: Open = (_, signal) => openTeamStore({ address: servers.debian.address, repository: 'length' }, signal);
    const name = randomBytes(8).toString('hex');
    const first = clone(t, open, { files: 0, dimensions: 16 });
    first.write('a.ts', `export const ${`a${name}`} = 1;\n`);
    await first.index();
    const second = clone(t, async () => undefined, { files: 1 });
    await second.index();
    const third = clone(t, open, { files: 1 });
    third.write('b.ts', 'export const own = 1;\n');
    await third.index();
    third.write('a.ts', `export const ${`a${name}`} = 1;\n`);
    const { team } = await third.index();
    assert.equal(team?.taken, 0);
    assert.equal(team?.problem, undefined);
  });

  test('without a store nothing is told of one; a cancelled run ends as such', async (t) => {
    const { index } = clone(t, async () => undefined);
    assert.equal('team' in (await index()), false);
    const abort = new AbortController();
    const stopped = clone(t, (_, signal) => {
      abort.abort();
      return openTeamStore({ address: servers.debian.address, repository: 'stop' }, signal);
    });
    const run = stopped.engine.index(stopped.scope, stopped.model, abort.signal, () => undefined);
    await assert.rejects(run, { kind: 'cancelled' });
  });

  test('whoever may only search takes what others have, and gives nothing', async (t) => {
    const { address } = servers.debian;
    const open: Open = (_, signal) => openTeamStore({ address, repository: 'granted' }, signal);
    await clone(t, open).index();
    await servers.debian.run(`CREATE ROLE a_searcher LOGIN PASSWORD 'a word'`);
    const theirs = address.replace(/\/\/[^@]*@/, '//a_searcher:a%20word@');
    const at = { address: theirs, repository: 'granted' };
    await assert.rejects(tryTeamStore(at, calm), { reason: 'no-rights' });
    const owner = await openTeamStore({ address, repository: 'granted' }, calm);
    await owner.grant('a_searcher', 'reader', calm);
    await owner.close();
    assert.equal((await tryTeamStore(at, calm)).vectors, undefined);

    const reader = clone(t, (_, signal) => openTeamStore(at, signal));
    reader.write('own.ts', `export const own = '${randomBytes(8).toString('hex')}';\n`);
    const { team } = await reader.index();
    assert.deepEqual([reader.sent.length, team], [1, { taken: 3, given: 0 }]);
  });

  test('a store that is tried says what it has, without its password', async () => {
    const { shown, vectors = 0 } = await tryTeamStore({ address: servers.debian.address, repository: 'tried' }, calm);
    assert.match(shown, /^postgres:\/\/\w+@(127\.0\.0\.1|localhost):\d+\/postgres$/);
    for (const secret of [testPassword, encodeURIComponent(testPassword)]) assert.ok(!shown.includes(secret));
    assert.ok(vectors > 0);
    await assert.rejects(tryTeamStore({ address: 'mysql://a@b/c', repository: 'x' }, calm), { reason: 'bad-address' });
  });

  test('the command line exchanges them, too, and says nothing of the password', async (t) => {
    const service = await createReferenceService();
    t.after(() => service.close());
    const run = (address: string) => {
      const env = { ...withKey.env, PARLEY_STORE: address };
      return commandLine(t).run(['index', ...serviceArgs(service), '--yes'], { env });
    };
    const first = await run(servers.debian.address);
    assert.equal(first.code, 0);
    assert.match(first.stderr, /To the team index: the vectors of 3 chunks/);
    const from = service.requests.length;
    const second = await run(servers.debian.address);
    assert.match(second.stderr, /From the team index: the vectors of 3 chunks/);
    assert.equal(service.requests.length, from);
    const wrong = await run(servers.debian.address.replace(encodeURIComponent(testPassword), 'another-word'));
    assert.equal(wrong.code, 0, 'the run goes on without it');
    const said = wrong.stderr.match(/did not accept the user name or the password in PARLEY_STORE/g);
    assert.equal(said?.length, 1, wrong.stderr);
    for (const { stdout, stderr } of [first, second, wrong]) {
      for (const secret of [testPassword, encodeURIComponent(testPassword), 'another-word']) {
        assert.ok(!(stdout + stderr).includes(secret));
      }
    }
  });
});
