import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { commandCache } from '../../../../src/search/registry/dataFolder.ts';
import { createReferenceService } from '../../../service/server.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';
import { machine, registryOf } from './cliContextStub.ts';

test('another clone, a moved one and an index that was deleted send nothing again; another model does', async (t) => {
  const service = await createReferenceService({ key: null });
  t.after(() => service.close());
  const { cwd, data, run } = machine(t);
  const sentBy = async (folder: string, ...more: string[]): Promise<number> => {
    const from = service.requests.length;
    const named = ['--url', service.baseUrl, '--model', 'parley-embed', '--yes'];
    const { code, said } = await run(['index', folder, ...named, ...more]);
    assert.equal(code, 0, said);
    assert.equal((await run(['verify', folder])).code, 0);
    return service.requests.slice(from).flatMap(({ body }) => (body as { input: string[] }).input).length;
  };
  assert.equal(await sentBy('.'), 2);
  const clone = join(temporaryFolder(t), 'clone');
  cpSync(cwd, clone, { recursive: true });
  assert.equal(await sentBy(clone), 0);
  const moved = `${clone}-moved`;
  renameSync(clone, moved);
  assert.equal((await run(['clean'])).code, 0);
  writeFileSync(join(moved, 'c.ts'), 'export const capstan = 1;\n');
  assert.equal(await sentBy(moved), 1);
  assert.equal(await sentBy(moved, '--index', join(temporaryFolder(t), 'kept')), 0);
  assert.equal(await sentBy(moved, '--model', 'parley-embed-2'), 3);
  assert.deepEqual(
    readdirSync(data).filter((name) => name.endsWith('.db')),
    ['vectorCache.db'],
  );
});

describe('a damaged vector', () => {
  /** An index by meaning, and the files of its vectors. */
  async function byMeaning(t: TestContext) {
    const service = await createReferenceService({ key: null });
    t.after(() => service.close());
    const { data, ...rest } = machine(t);
    const named = ['index', '--url', service.baseUrl, '--model', 'parley-embed', '--yes'];
    assert.equal((await rest.run(named)).code, 0);
    const [{ directory = '' } = {}] = await registryOf(data);
    const sent = (): number => service.requests.flatMap(({ body }) => (body as { input: string[] }).input).length;
    const forget = (): void => rmSync(commandCache(data));
    return { ...rest, named, sent, forget, files: (ending: string) => join(directory, `vectors-1${ending}`) };
  }
  /** Overwrites half of a row of the file, the first or the last one. */
  function spoil(path: string, row: 'first' | 'last'): void {
    const bytes = readFileSync(path);
    const size = bytes.length / 2;
    bytes.fill(0x5a, row === 'first' ? size / 2 : size + size / 2, row === 'first' ? size : undefined);
    writeFileSync(path, bytes);
  }

  test('is counted by verify, and asked for again by index; no other is', async (t) => {
    for (const [ending, row] of [
      ['.values', 'first'],
      ['.rest', 'last'],
    ] as const) {
      const { run, named, sent, forget, files } = await byMeaning(t);
      forget();
      spoil(files(ending), row);
      const damaged = await run(['verify']);
      assert.equal(damaged.code, 1);
      assert.match(damaged.said, /1 chunk damaged on the disk\.\n.*with --url and --model brings it up to date/);
      const before = sent();
      assert.equal((await run(named)).code, 0);
      assert.equal(sent() - before, 1);
      assert.equal((await run(['verify'])).code, 0);
    }
  });

  test('is missing with its file, and without a service it stays so', async (t) => {
    const { run, named, sent, forget, files } = await byMeaning(t);
    forget();
    rmSync(files('.values'));
    assert.match((await run(['verify'])).said, /2 chunks damaged/);
    assert.equal((await run(['index'])).code, 0);
    assert.equal((await run(['verify'])).code, 1);
    const before = sent();
    assert.equal((await run(named)).code, 0);
    assert.equal(sent() - before, 2);
    assert.equal((await run(['verify'])).code, 0);
  });

  test('is taken from the cache, where that has it', async (t) => {
    const { run, named, sent, files } = await byMeaning(t);
    const before = sent();
    rmSync(files('.rest'));
    assert.equal((await run(named)).code, 0);
    assert.equal(sent(), before);
    assert.equal((await run(['verify'])).code, 0);
  });

  test('is none where only its signs are, which follow from the rest: nothing is sent', async (t) => {
    const { run, named, sent, files } = await byMeaning(t);
    spoil(files('.bits'), 'first');
    const before = sent();
    assert.equal((await run(named)).code, 0);
    assert.equal(sent(), before);
    assert.equal((await run(['verify'])).code, 0);
  });
});
