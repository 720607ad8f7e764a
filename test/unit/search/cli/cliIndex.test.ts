import assert from 'node:assert/strict';
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { recordUpdate } from '../../../../src/search/cli/indexPlace.ts';
import { createEngine } from '../../../../src/search/engine.ts';
import { ownScope } from '../../../../src/search/registry/folderIndex.ts';
import { type IndexRecord, readRecord } from '../../../../src/search/registry/indexRecord.ts';
import { openIndexRegistry } from '../../../../src/search/registry/indexRegistry.ts';
import { createReferenceService } from '../../../service/server.ts';
import { asHome, temporaryFolder } from '../../../support/searchFolder.ts';
import { machine, registryOf } from './cliContextStub.ts';

describe('which index is brought up to date', () => {
  test('a folder inside one that is indexed has an index of its own: nothing beside it is read or sent', async (t) => {
    const { data, run } = machine(t);
    await run(['index']);
    const { lines } = await run(['index', 'inner', '--json']);
    const { result } = JSON.parse(lines[0] ?? '{}') as { result: { files: number } };
    assert.equal(result.files, 1);
    assert.equal((await registryOf(data)).length, 2);
  });

  test('the home folder is read where it is named, and not because a terminal was opened there', async (t) => {
    const { cwd, data, run } = machine(t);
    asHome(t, cwd);
    for (const args of [['index'], ['query', 'harbour'], ['query', 'harbour', '--folder', '.']]) {
      const { code, said } = await run(args);
      assert.equal(code, 2, args.join(' '));
      assert.ok(
        said.startsWith(`${cwd} has more than code in it, and is not read unasked. Name a folder of code;`),
        said,
      );
    }
    assert.deepEqual(await registryOf(data), []);
    assert.equal((await run(['query', 'beacon', '--folder', 'inner'])).code, 0);
    assert.equal((await run(['index', '.'])).code, 0);
    assert.equal((await run(['index'])).code, 0);
    assert.equal((await run(['query', 'harbour'])).code, 0);
  });

  test('two ways to a folder lead to one index, and two folders do not', async (t) => {
    const { cwd, data, run } = machine(t);
    symlinkSync(cwd, join(data, 'link'));
    const filesOf = async (...folders: string[]): Promise<unknown> => {
      const { result } = JSON.parse((await run(['index', ...folders, '--json'])).lines[0] ?? '{}') as {
        result: { files: number };
      };
      return [result.files, (await registryOf(data)).length];
    };
    assert.deepEqual(await filesOf('.', join(data, 'link'), './inner/..'), [2, 1]);
    assert.deepEqual(await filesOf(join(data, 'link')), [2, 1]);
    assert.deepEqual(await filesOf(join(data, 'link', 'inner'), cwd), [2, 1]);
    assert.deepEqual(await filesOf('inner'), [1, 2]);
  });

  test('what is said of the files holds from then on, until something else is said', async (t) => {
    const { data, run } = machine(t);
    await run(['index', '--exclude', 'inner']);
    await run(['index', '--max-file-size', '10']);
    const [record] = await registryOf(data);
    assert.deepEqual([record?.scope.exclude, record?.scope.maxBytes], [['inner'], 10 * 1024]);
    assert.equal((await run(['query', 'beacon'])).code, 1);
    await run(['index', '--exclude', 'nothing']);
    assert.equal((await run(['query', 'beacon'])).code, 0);
  });

  test('the index of an editor is brought up to date where it is, by the editor’s own rules', async (t) => {
    const { cwd, data, run } = machine(t);
    const directory = temporaryFolder(t);
    const scope = {
      roots: [cwd],
      maxBytes: 5_000,
      exclude: ['inner'],
      allow: [],
      includeGenerated: false,
      encodings: {},
    };
    const source = { model: 'm', origin: 'https://a.example' };
    await openIndexRegistry(data).write({ version: 1, directory, scope, source, usedAt: 0 });
    assert.match((await run(['index', '--exclude', 'x'])).said, /is an editor’s.*Leave --exclude out/);
    assert.equal((await run(['index'])).code, 0);
    const records = await registryOf(data);
    assert.deepEqual([records.length, records[0]?.directory, records[0]?.scope], [1, directory, scope]);
    assert.deepEqual(records[0]?.source?.model, 'm');
    assert.ok((records[0]?.usedAt ?? 0) > 0);
    assert.ok(readdirSync(directory).includes('index.db'));
  });

  test('the model of an editor’s index is the editor’s to say; a command’s own is that of its last run', async (t) => {
    const service = await createReferenceService({ key: null });
    t.after(() => service.close());
    const named = ['--url', service.baseUrl, '--model', 'parley-embed', '--yes'];
    const editors: IndexRecord['source'][] = [undefined, { model: 'm', origin: 'https://a.example' }];
    for (const source of editors) {
      const { cwd, data, run } = machine(t);
      const directory = temporaryFolder(t);
      const record: IndexRecord = { version: 1, directory, scope: { ...ownScope, roots: [cwd] }, source, usedAt: 1 };
      await openIndexRegistry(data).write(record);
      for (const more of [[], ['--index', directory]]) {
        const { code, said } = await run(['index', ...named, ...more]);
        assert.equal(code, 0, said);
        const [{ usedAt = 0, ...found } = {}] = await registryOf(data);
        assert.ok(usedAt > 1);
        assert.deepEqual(readRecord(JSON.stringify({ ...found, usedAt: 1 })), readRecord(JSON.stringify(record)));
      }
    }
    for (const more of [[], ['--index', join(temporaryFolder(t), 'kept')]]) {
      const { data, run } = machine(t);
      await run(['index', ...more]);
      await run(['index', ...named]);
      assert.deepEqual(
        (await registryOf(data)).map(({ source }) => source?.model),
        ['parley-embed'],
      );
    }
  });

  test('what an editor records during a run stays', async (t) => {
    const { cwd, data } = machine(t);
    const directory = temporaryFolder(t);
    const record: IndexRecord = { version: 1, directory, scope: { ...ownScope, roots: [cwd] }, usedAt: 1 };
    await openIndexRegistry(data).write({ ...record, source: { model: 'chosen meanwhile' } });
    await recordUpdate(data, record);
    assert.equal((await registryOf(data))[0]?.source?.model, 'chosen meanwhile');
  });

  test('--index keeps it in a folder of one’s own, and in none that holds something else', async (t) => {
    const { cwd, data, run } = machine(t);
    const place = join(temporaryFolder(t), 'kept');
    assert.equal((await run(['index', '--index', place])).code, 0);
    assert.equal((await registryOf(data))[0]?.directory, place);
    assert.equal((await run(['index', '--index', place])).code, 0);
    assert.equal((await run(['query', 'harbour'])).code, 0);
    assert.match((await run(['index', '--index', cwd])).said, /holds something else than an index/);
    assert.match((await run(['index', 'inner', '--index', place])).said, /holds the index of other folders/);
    assert.match((await run(['index', '--index', join(cwd, 'a.ts')])).said, /is not a folder/);
  });

  test('on a terminal the question has what would be sent, and no is no', async (t) => {
    const service = await createReferenceService({ key: null });
    t.after(() => service.close());
    const { run } = machine(t);
    const args = ['index', '--url', service.baseUrl, '--model', 'parley-embed', '--price-per-million', '1000'];
    const no = await run(args, [false]);
    assert.equal(no.code, 1);
    assert.match(no.notes.join('\n'), /To send: 2 chunks of 2 files.*\n.*costs about 0\.0\d/);
    assert.match(no.asked[0] ?? '', /^Send this to 127\.0\.0\.1:\d+\? \[y\/N\]$/);
    assert.equal(service.requests.length, 0);
    const yes = await run(args, [true]);
    assert.equal(yes.code, 0);
    assert.ok(service.requests.length > 0);
    const again = await run(args);
    assert.equal(again.code, 0);
    assert.match(again.said, /Nothing was sent\./);
  });
});

test('an index that another program has just begun is no damaged one', async (t) => {
  const { data, run } = machine(t);
  await run(['index']);
  const [{ directory = '' } = {}] = await registryOf(data);
  for (const names of [['vectors.db'], ['index.db', 'vectors.db'], ['index.db']]) {
    for (const name of names) {
      for (const ending of ['', '-wal', '-shm']) rmSync(join(directory, `${name}${ending}`), { force: true });
      writeFileSync(join(directory, name), '');
    }
    const { code, said } = await run(['index']);
    assert.equal(code, 0, said);
    assert.equal((await run(['verify'])).code, 0);
  }
  writeFileSync(join(directory, 'vectors.db'), 'no database at all'.repeat(100));
  assert.match((await run(['verify'])).said, /vectors\.db is damaged on the disk/);
});

describe('the engine', () => {
  test('counts the files that are new, changed and gone, and none after it has read them', async (t) => {
    const { cwd } = machine(t);
    const { signal } = new AbortController();
    const scope = { roots: [cwd], maxBytes: 1_000_000 };
    writeFileSync(join(cwd, 'image.bin'), Buffer.from([0, 1, 2, 0]));
    const engine = createEngine(temporaryFolder(t));
    t.after(() => engine.close());
    await engine.index(scope, undefined, signal, () => undefined);
    assert.deepEqual(await engine.behind(scope, signal), { added: 0, changed: 0, gone: 0 });
    assert.deepEqual(engine.check(), { databases: [], texts: 0, vectors: 0 });
    writeFileSync(join(cwd, 'a.ts'), 'export const harbours = 22;\n');
    writeFileSync(join(cwd, 'c.ts'), 'export const c = 1;\n');
    assert.deepEqual(await engine.behind(scope, signal), { added: 1, changed: 1, gone: 0 });
    await engine.index(scope, undefined, signal, () => undefined);
    assert.deepEqual(await engine.behind(scope, signal), { added: 0, changed: 0, gone: 0 });
  });
});
