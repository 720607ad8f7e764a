/** Who may use the index of a team: `parley-search grant` and `revoke`, and what a reader finds. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { mustRun } from '../host/processes.ts';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { serviceArgs, textsSentTo, withKey } from './commandLine.ts';
import { type DebianPostgres, startDebianPostgres, testPassword } from './postgresServers.ts';
import { cloneOf, code, pathsIn, pathsOf, question, teamOf, writeFiles } from './teamClones.ts';

let server: DebianPostgres;
let service: ReferenceService;
before(async () => {
  server = await startDebianPostgres();
  service = await createReferenceService();
});
after(() => Promise.all([server.stop(), service.close()]));

/** Makes a login, and gives the address with it. */
async function addLogin(login: string): Promise<string> {
  await server.run(`CREATE ROLE "${login}" LOGIN PASSWORD 'secret of ${login}'`);
  return addressOf(login);
}
const addressOf = (login: string): string =>
  `postgres://${login}:${encodeURIComponent(`secret of ${login}`)}@127.0.0.1:${server.port}/postgres`;
const publish = () => ['index', ...serviceArgs(service), '--yes', '--publish'];
const ask = (text = question) => ['query', text, ...serviceArgs(service)];

/** Tables that a login can read, or write to. */
async function tablesOf(login: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: addressOf(login), ssl: false });
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'parley' AND c.relkind = 'r' AND has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE') ORDER BY 1`);
    return rows.map(({ relname }) => relname as string);
  } finally {
    await client.end();
  }
}
const hasSchema = async (login: string): Promise<boolean> =>
  (await server.run(`SELECT has_schema_privilege('${login}', 'parley', 'USAGE')`))[0]?.[0] === 't';

describe('who may use a team index', () => {
  test('a reader finds by meaning what it has, reads no table and writes nothing; without the right it finds by words', async (t) => {
    const [repository, login] = ['read', 'anna'];
    const owner = teamOf(server.address, repository);
    const builder = cloneOf(t, { ...code, 'src/hidden.ts': 'export const invoiceOfOthers = "fee";\n' });
    assert.equal((await builder.run(publish(), owner)).code, 0);
    const at = teamOf(await addLogin(login), repository);
    const fresh = cloneOf(t);

    const before = await fresh.run(ask('cloud charge'), at);
    assert.equal(before.code, 0);
    assert.match(before.stdout, /^src\/sky\.ts:1-3 {2}by words/);
    assert.match(before.stderr, /The team index could not be asked: This user may not use this repository in the team/);

    const granted = await builder.run(['grant', login, 'reader'], owner);
    assert.deepEqual([granted.code, granted.stdout], [0, `${login} may search read.\n`]);
    const from = service.requests.length;
    const found = await fresh.json(ask(), at);
    assert.deepEqual([found.code, found.value.by, pathsOf(found)[0]], [0, 'both', 'src/pay.ts']);
    assert.ok(!JSON.stringify(found.value).includes('hidden'));
    assert.deepEqual(textsSentTo(service, from), [question]);
    assert.deepEqual(await tablesOf(login), []);

    const mine = cloneOf(t, { 'mine.ts': 'export const mine = 1;\n' });
    const refused = await mine.run(['index', '--publish'], at);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /may not write to this repository in the team index\. Its owner can allow it/);
    assert.equal((await pathsIn(server, repository)).length, 4);
    const others = await fresh.run(ask(), teamOf(addressOf(login), 'another repository'));
    assert.match(others.stderr, /This user may not use this repository/);
    const forgers = await fresh.run(['grant', login, 'indexer'], at);
    assert.deepEqual([forgers.code, forgers.stdout], [2, '']);
    assert.match(
      forgers.stderr,
      /Only the owner of the team index may do this\. Put the address with the login of its own/,
    );

    assert.match((await builder.run(['revoke', login], owner)).stdout, /^anna may use read no longer\.$/m);
    const later = await fresh.json(ask('cloud'), at);
    assert.deepEqual(later.value.team, { hits: 0, problem: 'no-rights' });
    assert.deepEqual(pathsOf(later), ['src/sky.ts']);
    assert.equal(await hasSchema(login), false);
    await server.run(`DROP ROLE ${login}`);
    assert.deepEqual(
      [granted, before, refused, forgers].some(({ stderr }) => stderr.includes('secret of')),
      false,
    );
  });

  test('of several folders, those are published and asked about that are granted', async (t) => {
    const login = 'parts';
    const address = await addLogin(login);
    const [first, second, third] = [cloneOf(t), cloneOf(t, { 'b.ts': 'export const b = 1;\n' }), cloneOf(t)];
    const roots = [first.root, second.root, third.root];
    for (const [at, root] of roots.entries()) {
      await mustRun('git', ['-C', root, 'init', '-q'], {});
      await mustRun('git', ['-C', root, 'remote', 'add', 'origin', `git@example.com:parts/${at}.git`], {});
    }
    await second.json(['grant', login, 'indexer', '--repository', 'example.com/parts/1'], teamOf(server.address, ''));
    const { code: ended, value } = await first.json(['index', '--publish', ...roots], {
      env: { PARLEY_STORE: address },
    });
    assert.equal(ended, 2);
    assert.deepEqual(value.published, { stored: 1, forgotten: 0, refused: 0, problem: 'no-rights' });
    assert.deepEqual(await pathsIn(server, 'example.com/parts/1'), ['b.ts']);
    assert.deepEqual(await pathsIn(server, 'example.com/parts/0'), []);
    // The same for a question: it finds what it may, and says that this is not all.
    const env = { ...withKey.env, PARLEY_STORE: address };
    const args = [...ask(), '--folder', second.root];
    const asked = await cloneOf(t).run([...args, '--folder', third.root], { env });
    assert.match(asked.stderr, /could not be asked about all folders: This user may not use this repository/);
    const alone = await cloneOf(t).run(args, { env });
    assert.doesNotMatch(alone.stderr, /could not be asked/);
    await second.json(['revoke', login, '--repository', 'example.com/parts/1'], teamOf(server.address, ''));
    await server.run(`DROP ROLE ${login}`);
  });

  test('how a login has set its sessions changes nothing', async (t) => {
    const [login, repository] = ['setting', 'set'];
    const address = await addLogin(login);
    await cloneOf(t).json(['grant', login, 'indexer'], teamOf(server.address, repository));
    for (const setting of ['bytea_output = escape', 'row_security = off', 'extra_float_digits = -15']) {
      await server.run(`ALTER ROLE ${login} RESET ALL; ALTER ROLE ${login} SET ${setting}`);
      const builder = cloneOf(t, { ...code, 'set.ts': `export const set = "${setting}";\n` });
      const { value } = await builder.json(publish(), teamOf(address, repository));
      assert.equal((value.published as { problem?: string }).problem, undefined, setting);
      const found = await cloneOf(t).json(ask(), teamOf(address, repository));
      assert.deepEqual([found.value.by, pathsOf(found)[0]], ['both', 'src/pay.ts'], setting);
    }
    await cloneOf(t).json(['revoke', login], teamOf(server.address, repository));
    await server.run(`DROP ROLE ${login}`);
  });

  test('an indexer publishes; what it may do to tables ends with its last repository', async (t) => {
    const login = 'builder';
    const at = await addLogin(login);
    const grant = (role: string, name: string) => cloneOf(t).json(['grant', login, role], teamOf(server.address, name));
    const revoke = (name: string) => cloneOf(t).json(['revoke', login], teamOf(server.address, name));
    assert.deepEqual((await grant('indexer', 'first')).value, { login, role: 'indexer', repository: 'first' });
    await grant('indexer', 'second');
    await grant('reader', 'third');
    const builder = cloneOf(t);
    const published = await builder.json(publish(), teamOf(at, 'first'));
    assert.deepEqual(published.value.published, { stored: 3, forgotten: 0, refused: 0 });
    writeFiles(builder.root, { 'src/more.ts': 'export const more = 1;\n' });
    rmSync(`${builder.root}/src/sky.ts`);
    const again = await builder.json(publish(), teamOf(at, 'first'));
    assert.deepEqual(again.value.published, { stored: 1, forgotten: 1, refused: 0 });
    assert.equal((await builder.run(publish(), teamOf(at, 'third'))).code, 2, 'a reader there');

    const kept = await builder.run(['grant', login, 'reader'], teamOf(server.address, 'first'));
    assert.match(kept.stdout, /^builder may index first already; to have it search alone, run “parley-search revoke”/);
    await revoke('first');
    assert.ok((await tablesOf(login)).includes('chunks'), 'for the second one');
    assert.equal((await builder.run(publish(), teamOf(at, 'first'))).code, 2);
    assert.deepEqual((await revoke('second')).value, { login, repository: 'second', isRevoked: true });
    assert.deepEqual([await tablesOf(login), await hasSchema(login)], [[], true]);
    await revoke('third');
    assert.equal(await hasSchema(login), false);
    const nothing = await builder.run(['revoke', login], teamOf(server.address, 'third'));
    assert.equal(nothing.code, 1);
    assert.match(nothing.stderr, /Nothing of third was granted to builder\./);
    await server.run(`DROP ROLE ${login}`);
  });

  test('what was granted to a login that is gone does not pass to the next one of its name', async (t) => {
    const owner = teamOf(server.address, 'names');
    const builder = cloneOf(t);
    await builder.run(publish(), owner);
    const at = teamOf(await addLogin('guest'), 'names');
    await builder.run(['grant', 'guest', 'indexer'], owner);
    await server.run('DROP OWNED BY guest; DROP ROLE guest');
    assert.equal((await builder.run(['revoke', 'guest'], owner)).code, 0);
    await addLogin('guest');
    const found = await cloneOf(t).json(ask(), at);
    assert.equal((found.value.team as { problem: string }).problem, 'no-rights');
  });

  test('what cannot be granted gets a sentence', async (t) => {
    const clone = cloneOf(t);
    await server.run('CREATE ROLE readers NOLOGIN');
    const at = teamOf(server.address, 'sentences');
    const bad = teamOf(server.address.replace(encodeURIComponent(testPassword), 'another-word'), 'sentences');
    const all: [string[], { env: NodeJS.ProcessEnv }, RegExp][] = [
      [['grant', 'nobody'], at, /“grant” takes a login of the server, and “reader” or “indexer”\. A reader searches;/],
      [['grant', 'nobody', 'owner'], at, /“grant” takes a login of the server/],
      [['grant', 'a', 'reader', 'b'], at, /“grant” takes a login of the server/],
      [['revoke'], at, /“revoke” takes a login of the server\./],
      [
        ['grant', 'nobody', 'reader'],
        at,
        /The server has no login “nobody”\. Have it made there first, with CREATE ROLE/,
      ],
      [['grant', 'public', 'reader'], at, /The server has no login “public”\./],
      [
        ['grant', `x"; DROP SCHEMA parley; --'`, 'reader'],
        at,
        /The server has no login “x"; DROP SCHEMA parley; --'”\./,
      ],
      [['grant', 'readers', 'reader'], at, /“readers” is a group of the server, and nobody logs in as one\. Name/],
      [['grant', 'postgres', 'reader'], { env: withKey.env }, /No team index is set: .*Put the address/],
      [['revoke', 'postgres'], { env: { PARLEY_STORE: 'postgres://@' } }, /PARLEY_STORE is no address of a PostgreSQL/],
      [['grant', 'postgres', 'reader', '--folder', 'nowhere'], at, /There is no folder .*nowhere\. Name a folder/],
      [['grant', 'postgres', 'reader'], bad, /did not accept the user name or the password in PARLEY_STORE\. Look at/],
      [['grant', 'postgres', 'reader', '--token', 'x'], at, /Keys are not taken as arguments/],
    ];
    for (const [args, more, sentence] of all) {
      const { code: ended, stdout, stderr } = await clone.run(args, more);
      assert.deepEqual([ended, stdout], [2, ''], args.join(' '));
      assert.match(stderr, sentence);
      assert.ok(!stderr.includes('another-word') && !stderr.includes(testPassword));
    }
    const missing = await clone.run(['revoke', 'nobody'], at);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /Nothing of sentences was granted to nobody\./);
  });

  test('a login with any name is granted and loses it', async (t) => {
    const clone = cloneOf(t);
    const at = teamOf(server.address, 'odd names');
    for (const login of ['Anna "the" Reader', "o'hara", 'ünï code', 'with;semicolon', '-dash']) {
      await server.run(`CREATE ROLE "${login.replaceAll('"', '""')}" LOGIN`);
      const granted = await clone.run(['grant', '--', login, 'reader'], at);
      assert.deepEqual([granted.code, granted.stdout], [0, `${login} may search odd names.\n`]);
      const revoked = await clone.run(['revoke', '--', login], at);
      assert.deepEqual([revoked.code, revoked.stdout], [0, `${login} may use odd names no longer.\n`]);
    }
  });
});
