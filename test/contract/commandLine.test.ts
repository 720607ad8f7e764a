import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { temporaryFolder } from '../support/searchFolder.ts';
import { testKey } from './client.ts';
import { commandLine, serviceArgs, textsSentTo, withKey } from './commandLine.ts';
import { startServer } from './mcpServer.ts';

describe('the command line with a service', () => {
  let service: ReferenceService;
  before(async () => {
    service = await createReferenceService();
  });
  after(() => service.close());

  test('an index by meaning answers a question, reports itself, and is found sound', async (t) => {
    const cli = commandLine(t);
    const indexed = await cli.json(['index', ...serviceArgs(service), '--yes', '--price-per-million', '2'], withKey);
    assert.equal(indexed.code, 0);
    const { plan, result } = indexed.value as {
      plan: { pending: { tokens: number }; cost: number };
      result: Record<string, unknown>;
    };
    assert.deepEqual([result.files, result.chunks, result.embedded, result.sentTo], [3, 3, 3, service.origin]);
    assert.equal(plan.cost, (plan.pending.tokens / 1_000_000) * 2);

    const from = service.requests.length;
    const asked = await cli.json(['query', 'ship1', ...serviceArgs(service)], withKey);
    assert.equal(asked.code, 0);
    assert.equal(asked.value.by, 'both');
    assert.equal(asked.value.sentTo, service.origin);
    assert.equal((asked.value.hits as { path: string }[])[0]?.path, 'f1.ts');
    assert.deepEqual(textsSentTo(service, from), ['ship1']);

    const report = await cli.json(['report']);
    assert.deepEqual([report.value.files, report.value.filesDone, report.value.model], [3, 3, 'parley-embed']);
    const verified = await cli.run(['verify']);
    assert.deepEqual([verified.code, verified.stdout], [0, 'The index is sound and current.\n']);
  });

  test('a dry run sends nothing and needs no key', async (t) => {
    const cli = commandLine(t);
    const from = service.requests.length;
    const { code, stdout } = await cli.run(['index', ...serviceArgs(service), '--dry-run']);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /To send: 3 chunks of 3 files, about \d+ tokens, to 127\.0\.0\.1:\d+, for the model parley-embed/,
    );
    assert.equal(service.requests.length, from);
  });

  test('without a terminal nothing is sent before --yes', async (t) => {
    const cli = commandLine(t);
    const from = service.requests.length;
    const { code, stderr } = await cli.run(['index', ...serviceArgs(service)], withKey);
    assert.equal(code, 2);
    assert.match(stderr, /nobody is here to say yes\. Add --yes/);
    assert.equal(service.requests.length, from);
  });

  test('the key stands in no output and no file', async (t) => {
    const cli = commandLine(t);
    const wrong = 'sk-wrong-7f3a9c2e51d84b60';
    const from = service.requests.length;
    const outputs = [
      await cli.run(['index', ...serviceArgs(service), '--yes'], withKey),
      await cli.run(['index', ...serviceArgs(service), '--key', testKey]),
      await cli.run(['index', ...serviceArgs(service), `--api-key=${testKey}`]),
      await cli.run(['index', ...serviceArgs(service), '--key-env', testKey, '--yes']),
      await cli.run(['index', ...serviceArgs(service), `--${testKey}`]),
      await cli.run([testKey]),
      await cli.run(['query', 'ship1', ...serviceArgs(service), '--json'], { env: { PARLEY_API_KEY: wrong } }),
    ];
    for (const { stdout, stderr } of outputs) {
      assert.doesNotMatch(stdout + stderr, /sk-parley|7f3a9c2e/);
    }
    assert.deepEqual(
      outputs.map(({ code }) => code),
      [0, 2, 2, 2, 2, 2, 2],
    );
    assert.ok(service.requests.length > from);
    for (const name of readdirSync(cli.data, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      assert.ok(!readFileSync(join(name.parentPath, name.name)).includes(testKey), name.name);
    }
  });

  test('a wrong key ends with a sentence and 2, and what words find is kept', async (t) => {
    const cli = commandLine(t);
    const { code, stderr } = await cli.run(['index', ...serviceArgs(service), '--yes'], {
      env: { PARLEY_API_KEY: 'sk-wrong-000' },
    });
    assert.equal(code, 2);
    assert.match(stderr, /did not accept the API key\. Look at the key in PARLEY_API_KEY/);
    const asked = await cli.json(['query', 'ship2']);
    assert.deepEqual([asked.code, asked.value.by], [0, 'keywords']);
  });

  test('a question that reached no service was not sent; one that got no answer was', async (t) => {
    const cli = commandLine(t);
    await cli.run(['index', ...serviceArgs(service), '--yes'], withKey);
    // No program takes this port for a while, as it may one that was just closed.
    const closed = 'http://127.0.0.1:2/v1';
    const [nobody, noTls] = [closed, service.baseUrl].map((url) => url.replace(/^http:/, 'https:'));
    const ask = async (url = '') => {
      const args = ['query', 'ship1', '--url', url, '--model', 'parley-embed'];
      const { code, stderr } = await cli.run(args, withKey);
      const { value } = await cli.json(args, withKey);
      const isSaid = /The question was sent to \S+, and no code\./.test(stderr);
      assert.equal(isSaid, !stderr.includes('Nothing was sent.'), stderr);
      assert.equal(value.sentTo, isSaid ? new URL(url).origin : undefined);
      return [code, isSaid];
    };
    const from = service.requests.length;
    for (const url of [closed, nobody, noTls, 'https://nobody.invalid/v1']) {
      assert.deepEqual(await ask(url), [2, false], url);
    }
    assert.equal(service.requests.length, from);
    for (const fault of ['reset', '503', 'garbage']) {
      service.setFault(fault);
      assert.deepEqual(await ask(service.baseUrl), [2, true], fault);
    }
    service.setFault(undefined);
    assert.ok(service.requests.length > from);
    assert.deepEqual(await ask(service.baseUrl), [0, true]);
  });

  test('the key comes from another variable or a command', async (t) => {
    const cli = commandLine(t);
    const named = await cli.run(['index', ...serviceArgs(service), '--yes', '--key-env', 'OTHER_KEY'], {
      env: { OTHER_KEY: testKey },
    });
    assert.equal(named.code, 0, named.stderr);
    const command = `"${process.execPath}" -e "console.log(process.env.KEPT + '\\nsecond')"`;
    const asked = await cli.json(['query', 'ship1', ...serviceArgs(service), '--key-command', command], {
      env: { KEPT: testKey },
    });
    assert.equal(asked.value.by, 'both');
    const failed = await cli.run(['query', 'ship1', ...serviceArgs(service), '--key-command', 'exit 3']);
    assert.equal(failed.code, 2);
    assert.match(failed.stderr, /The command that --key-command names failed\./);
  });

  test('Ctrl+C in the middle ends with 130, and the next run sends only the rest', {
    skip: process.platform === 'win32',
  }, async (t) => {
    const own = await createReferenceService();
    t.after(() => own.close());
    const cli = commandLine(t, 120);
    own.setFault('embeddings-batch-10');
    const stopped = cli.run(['index', ...serviceArgs(own), '--yes'], {
      ...withKey,
      onStart: (child) => {
        void own
          .waitForRequest(({ status }) => status === 200)
          .then(() => own.setFault('slow-first-byte'))
          .then(() => own.waitForRequest(({ fault }) => fault === 'slow-first-byte'))
          .then(() => child.kill('SIGINT'));
      },
    });
    const { code, stderr } = await stopped;
    assert.equal(code, 130, stderr);
    assert.match(stderr, /Stopped\. What was stored stays\.\n$/);
    own.setFault(undefined);
    own.release();
    const from = own.requests.length;
    const { value } = await cli.json(['index', ...serviceArgs(own), '--yes'], withKey);
    const { embedded, reused, chunks } = value.result as { embedded: number; reused: number; chunks: number };
    assert.equal(chunks, 120);
    assert.ok(reused > 0);
    assert.equal(textsSentTo(own, from).length, embedded);
    assert.equal(embedded + reused, 120);
  });

  test('two commands at once make one index, and each text is sent once', async (t) => {
    const cli = commandLine(t, 40);
    const from = service.requests.length;
    const runs = await Promise.all([1, 2].map(() => cli.run(['index', ...serviceArgs(service), '--yes'], withKey)));
    assert.deepEqual(
      runs.map(({ code, stderr }) => [code, code === 0 ? '' : stderr]),
      [
        [0, ''],
        [0, ''],
      ],
    );
    const sent = textsSentTo(service, from);
    assert.equal(new Set(sent).size, 40);
    assert.equal(sent.length, 40);
    assert.equal((await cli.run(['verify'])).code, 0);
  });

  test('a service that is not the one of the index is told', async (t) => {
    const cli = commandLine(t);
    await cli.run(['index', ...serviceArgs(service), '--yes'], withKey);
    const other = await createReferenceService();
    t.after(() => other.close());
    const asked = await cli.run(['query', 'ship1', ...serviceArgs(other)], withKey);
    assert.match(asked.stderr, /The index is of http:\/\/127\.0\.0\.1:\d+, and http:\/\/127\.0\.0\.1:\d+ was asked\./);
    const model = await cli.run(['query', 'ship1', '--url', service.baseUrl, '--model', 'parley-embed-2'], withKey);
    assert.match(model.stderr, /Found by words only: the index is of parley-embed\./);
    const same = await cli.run(['query', 'ship1', ...serviceArgs(service)], withKey);
    assert.doesNotMatch(same.stderr, /was asked/);
  });

  test('a key goes to no other machine over plain http, and an address with a password is not repeated', async (t) => {
    const cli = commandLine(t);
    const open = await cli.run(['index', '--url', 'http://example.com/v1', '--model', 'm', '--yes'], withKey);
    assert.equal(open.code, 2);
    assert.match(open.stderr, /does not send your key to example\.com over plain http/);
    const named = await cli.run(
      ['index', '--url', 'https://me:hunter2@example.com/v1', '--model', 'm', '--yes'],
      withKey,
    );
    assert.equal(named.code, 2);
    assert.match(named.stderr, /user name or password/);
    assert.doesNotMatch(named.stderr, /hunter2/);
  });
});

describe('the command line without a service', () => {
  test('a second folder is searched with the first, and each has its place', async (t) => {
    const cli = commandLine(t);
    const second = temporaryFolder(t);
    writeFileSync(join(second, 'harbour.ts'), 'export const harbour = 1;\n');
    const both = ['--folder', cli.root, '--folder', second];
    const { stdout, code } = await cli.run(['query', 'harbour', ...both]);
    assert.equal(code, 0);
    assert.ok(stdout.startsWith(`${join(second, 'harbour.ts')}:1  `), stdout);
    assert.match((await cli.run(['query', 'ship1', ...both])).stdout, /^f1\.ts:1-4 {2}/);
  });

  test('a file that came since is found, and one that went is not', async (t) => {
    const cli = commandLine(t);
    assert.equal((await cli.run(['query', 'lighthouse'])).code, 1);
    writeFileSync(join(cli.root, 'new.ts'), 'export const lighthouse = 1;\n');
    const verified = await cli.run(['verify']);
    assert.deepEqual([verified.code, verified.stdout], [1, 'Not as in the index: 1 file new, 0 changed, 0 gone.\n']);
    assert.equal((await cli.run(['query', 'lighthouse'])).code, 0);
    rmSync(join(cli.root, 'new.ts'));
    assert.equal((await cli.run(['query', 'lighthouse'])).code, 1);
    assert.equal((await cli.run(['verify'])).code, 0);
  });

  test('without git, what changed cannot be said, and what is no folder is named', async (t) => {
    const cli = commandLine(t);
    const since = await cli.run(['query', 'ship1', '--changed-since', 'main']);
    assert.equal(since.code, 2);
    assert.match(since.stderr, /no git repository, so nobody can say what changed\. Leave --changed-since out\./);
    const file = await cli.run(['index', 'f1.ts']);
    assert.equal(file.code, 2);
    assert.match(file.stderr, /f1\.ts is not a folder\. Name a folder with code in it\./);
    const missing = await cli.run(['query', 'x', '--folder', 'nowhere']);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /There is no folder .*nowhere\./);
  });

  test('a data folder that can be no folder is told in a sentence', async (t) => {
    const cli = commandLine(t);
    const file = join(temporaryFolder(t), 'file');
    writeFileSync(file, '');
    const { code, stderr } = await cli.run(['query', 'ship1'], { env: { PARLEY_DATA_DIR: join(file, 'data') } });
    assert.equal(code, 2);
    assert.match(stderr, /PARLEY_DATA_DIR/);
  });

  test('a damaged index is found out and left as it is, and index builds it again', async (t) => {
    const cli = commandLine(t, 30);
    await cli.run(['index']);
    const { value } = await cli.json(['report']);
    const path = join(value.directory as string, 'index.db');
    assert.equal((await cli.run(['verify'])).code, 0);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(2000, 0x5a), 0, 2000, 4096 * 3);
    closeSync(file);
    const before = readFileSync(path);
    const damaged = await cli.json(['verify']);
    assert.equal(damaged.code, 1);
    assert.equal(damaged.value.isSound, false);
    assert.deepEqual(readFileSync(path), before);
    const again = await cli.run(['index']);
    assert.equal(again.code, 0, again.stderr);
    const sound = await cli.run(['verify']);
    assert.equal(sound.code, 0, sound.stdout);
    assert.equal((await cli.run(['query', 'ship7'])).code, 0);
  });

  test('a list names each index, and clean deletes those whose folders are gone', async (t) => {
    const cli = commandLine(t);
    const gone = temporaryFolder(t);
    writeFileSync(join(gone, 'a.ts'), 'export const a = 1;\n');
    await cli.run(['index']);
    await cli.run(['index', gone]);
    rmSync(gone, { recursive: true });
    const listed = await cli.run(['list']);
    assert.match(listed.stdout, /\(gone\) {2}/);
    assert.equal(listed.stdout.trim().split('\n').length, 2);
    const dry = await cli.json(['clean', '--dry-run']);
    assert.equal((dry.value.deleted as unknown[]).length, 1);
    assert.equal(((await cli.json(['list'])).value.indexes as unknown[]).length, 2);
    const cleaned = await cli.json(['clean']);
    assert.equal((cleaned.value.deleted as { directory: string }[]).length, 1);
    const left = (await cli.json(['list'])).value.indexes as { folders: { path: string }[] }[];
    assert.deepEqual(
      left.map(({ folders }) => folders.map(({ path }) => path)),
      [[cli.root]],
    );
  });

  test('clean leaves an index alone while a search for agents has it open', async (t) => {
    const cli = commandLine(t);
    const { paths, client } = await startServer(t, cli.data, [cli.root]);
    assert.deepEqual(await paths('ship1', { limit: 1 }), ['f1.ts']);
    const clean = ['clean', '--older-than', '0'];
    assert.deepEqual((await cli.json(clean)).value.deleted, []);
    assert.deepEqual(await paths('ship2', { limit: 1 }), ['f2.ts']);
    await client.close();
    assert.equal(((await cli.json(clean)).value.deleted as unknown[]).length, 1);
  });

  test('a reader that has seen enough is no error', async (t) => {
    const cli = commandLine(t, 30);
    const { code, stderr } = await cli.run(['query', 'topic1 ship return', '--limit', '30'], {
      onStart: (child) => child.stdout?.destroy(),
    });
    assert.equal(code, 0);
    assert.doesNotMatch(stderr, /EPIPE|Error/);
  });

  test('git says what changed since a commit', async (t) => {
    const cli = commandLine(t);
    const git = (...args: string[]): void => {
      const as = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
      execFileSync('git', [...as, ...args], { cwd: cli.root, stdio: 'ignore' });
    };
    git('init', '-b', 'main');
    git('add', '.');
    git('commit', '-m', 'one');
    writeFileSync(join(cli.root, 'f2.ts'), '// topic2\nexport function ship2() {\n  return 22;\n}\n');
    const { value } = await cli.json(['query', 'return ship', '--changed-since', 'main']);
    assert.deepEqual(
      (value.hits as { path: string }[]).map(({ path }) => path),
      ['f2.ts'],
    );
  });
});
