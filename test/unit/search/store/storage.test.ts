import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { ServiceError } from '../../../../src/base/errors.ts';
import type { EmbeddingModel } from '../../../../src/search/embedding/embeddingModel.ts';
import { storageError } from '../../../../src/search/store/storageError.ts';
import { stateOf } from '../../../../src/search/ui/shared/state.ts';
import { createSearchClient, type SearchClient } from '../../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';
import { errorText, sentenceOf, stateText } from '../../../support/vscodeStub.ts';

const script = new URL('../../../../src/search/worker/worker.ts', import.meta.url);
const badDisk = join(import.meta.dirname, '../../../support/badDisk.ts');

function client(t: TestContext, directory: string): SearchClient {
  const created = createSearchClient(script, directory);
  t.after(() => created.close());
  return created;
}

/** What a program says that runs in a process of its own. */
function outputOf(t: TestContext, program: string, ...args: string[]): string {
  const file = join(temporaryFolder(t), 'program.mjs');
  writeFileSync(file, program);
  const { stdout, stderr } = spawnSync(process.execPath, [...args, file], { encoding: 'utf8', timeout: 60_000 });
  return stdout.trim() || stderr;
}

test('what the disk and the database say is told by its reason', () => {
  const reasonOf = (details: object): string | undefined => {
    const error = storageError(Object.assign(new Error('words'), details));
    return error instanceof ServiceError ? error.hint : undefined;
  };
  assert.equal(reasonOf({ code: 'ENOSPC' }), 'full');
  assert.equal(reasonOf({ code: 'EROFS' }), 'read-only');
  assert.equal(reasonOf({ code: 'EEXIST' }), 'read-only');
  assert.equal(reasonOf({ code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'full');
  assert.equal(reasonOf({ code: 'ERR_SQLITE_ERROR', errcode: 8 | (4 << 8) }), 'read-only');
  assert.equal(reasonOf({ code: 'ERR_SQLITE_ERROR', errcode: 267 }), 'damaged');
  assert.equal(reasonOf({ code: 'ERR_SQLITE_ERROR', errcode: 1 }), undefined);
});

test('a database that is full says so', (t) => {
  const database = new DatabaseSync(join(temporaryFolder(t), 'full.db'));
  database.exec('CREATE TABLE t (x); PRAGMA max_page_count = 2');
  try {
    database.exec('INSERT INTO t VALUES (hex(zeroblob(100000)))');
    assert.fail('it was not full');
  } catch (error) {
    assert.equal((storageError(error) as ServiceError).hint, 'full');
  } finally {
    database.close();
  }
});

/** What is searched for by words, and by meaning. */
const files = { 'boats.ts': 'export const ships = 1;\n', 'places.md': '# The harbour\n' };

function workspace(t: TestContext): { directory: string; root: string } {
  const [directory, root] = [temporaryFolder(t), temporaryFolder(t)];
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  // Another user has to find them.
  for (const folder of [directory, root]) chmodSync(folder, 0o755);
  return { directory, root };
}

/** What `test/support/badDisk.ts` says of a scenario. `command` gets the program as `"$0" "$@"`, and the folder of the index as `$3`. */
function outcomeOf(
  scenario: string,
  { directory, root }: { directory: string; root: string },
  { command = 'exec "$0" "$@"', user = [] as string[] } = {},
): Record<string, unknown> {
  const args = ['-c', command, process.execPath, badDisk, scenario, directory, root, ...user];
  const { stdout, stderr, signal } = spawnSync('sh', args, { encoding: 'utf8', timeout: 120_000 });
  return stdout.trim() === '' ? { stderr, signal } : (JSON.parse(stdout) as Record<string, unknown>);
}

/** Mounts something over the folder of the index that only the process sees, and that goes with it. */
const mounted = (mount: string): string => `exec unshare -rm sh -c '${mount} && exec "$0" "$@"' "$0" "$@"`;
const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', `mount -t tmpfs tmpfs ${tmpdir()}`]).status === 0;
/** A test for machines where a process may mount something for itself; the others stand in for it elsewhere. */
const testMounted: typeof test = canMount ? test : ((() => console.log('# Nothing can be mounted here.')) as never);

const whole = { files: 2, filesDone: 2, words: ['keywords', 'places.md'], meaning: ['both', 'boats.ts'] };
const readOnly = {
  before: whole,
  failures: ['storage read-only', 'storage read-only', 'storage read-only'],
  after: whole,
};

describe('an index that cannot be written to is searched by words and by meaning, and the state says why it stays', () => {
  test('in a folder of somebody else', { skip: process.platform === 'win32' }, (t) => {
    const place = workspace(t);
    assert.deepEqual(outcomeOf('build', place), { failure: 'none' });
    const isRoot = process.getuid?.() === 0;
    // What Parley writes only its user can read: somebody lets the other user read it.
    for (const name of readdirSync(place.directory)) chmodSync(join(place.directory, name), 0o444);
    chmodSync(place.directory, 0o555);
    try {
      assert.deepEqual(outcomeOf('read-only', place, isRoot ? { user: ['65534'] } : {}), readOnly);
    } finally {
      chmodSync(place.directory, 0o755);
    }
  });

  for (const [name, build] of Object.entries({ 'closed in order': 'build', 'left by a crash': 'build and die' })) {
    testMounted(`on a disk mounted for reading, ${name}`, (t) => {
      const place = workspace(t);
      outcomeOf(build, place);
      const command = mounted('mount --bind "$3" "$3" && mount -o remount,bind,ro "$3"');
      assert.deepEqual(outcomeOf('read-only', place, { command }), readOnly);
    });
  }

  testMounted('where there is none, the call ends with the reason', (t) => {
    const command = mounted('mount --bind "$3" "$3" && mount -o remount,bind,ro "$3"');
    assert.match(String(outcomeOf('read-only', workspace(t), { command })['stderr']), /ServiceError.*storage/s);
  });

  test('which is a sentence', () => {
    const error = new ServiceError('storage', { hint: 'read-only' });
    assert.match(sentenceOf(error), /cannot be written to.*can be searched/);
  });
});

describe('on a full disk', () => {
  const small = mounted('mount -t tmpfs -o size=4m tmpfs "$3"');

  testMounted(
    'a build ends with the reason, what is in is found, and nothing is paid for twice when there is room',
    (t) => {
      const { failure, before, last, after, twice } = outcomeOf('full', workspace(t), { command: small });
      const { words, meaning, filesDone, files } = before as typeof whole;
      assert.deepEqual([failure, words, meaning], ['storage full', whole.words, whole.meaning]);
      // How many got their vectors before the disk was full depends on how busy the machine is; those of before have theirs.
      assert.ok(filesDone >= 2 && filesDone < files, `${filesDone} of ${files}`);
      assert.deepEqual([last, after, twice], ['none', { ...whole, files: 102, filesDone: 102 }, 0]);
    },
  );

  testMounted('an index is opened and searched all the same, and nothing is sent that could not be kept', (t) => {
    const outcome = outcomeOf('full before', workspace(t), { command: small });
    assert.deepEqual(outcome, { before: whole, failure: 'storage full', after: whole, sent: 0 });
  });

  test('a file that may grow no more ends a build; the rest is found', { skip: process.platform === 'win32' }, (t) => {
    const place = workspace(t);
    outcomeOf('build', place);
    const { failure, after } = outcomeOf('limited', place, { command: 'ulimit -f 400; exec "$0" "$@"' });
    assert.match(String(failure), /^storage (full|failed)$/);
    assert.deepEqual(after, whole);
  });

  test('the state says that what is in it stays', () => {
    assert.match(sentenceOf(new ServiceError('storage', { hint: 'full' })), /full.*stays and can be searched/);
    assert.match(sentenceOf(new ServiceError('storage', { hint: 'failed' })), /quota/);
  });
});

test('without node:sqlite the call ends with a reason, and no worker is left', (t) => {
  const program = `
    import { createSearchClient } from ${JSON.stringify(new URL('../../../../src/search/worker/searchClient.ts', import.meta.url).href)};
    const client = createSearchClient(new URL(${JSON.stringify(script.href)}), '/nowhere');
    await client.status().catch((error) => console.log(error.kind, error.hint));`;
  assert.equal(outputOf(t, program, '--no-experimental-sqlite'), 'storage sqlite');
  const { sentence, canRetry } = errorText(new ServiceError('storage', { hint: 'sqlite' }));
  assert.match(sentence, /^This VS Code has no database for the index.*1\.101 or newer has one\.$/);
  assert.equal(canRetry, false);
});

test('damage in the middle of the database is said; the next run builds it again and pays for nothing twice', async (t) => {
  const [directory, root] = [temporaryFolder(t), temporaryFolder(t)];
  for (let number = 0; number < 60; number++) {
    writeFileSync(join(root, `${number}.ts`), `export const value${number} = "${'text '.repeat(100)}";\n`);
  }
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  let sent = 0;
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    embed: async (texts) => {
      sent += texts.length;
      return texts.map((text) => Float32Array.of(text.length, 1, 1));
    },
  };
  const first = createSearchClient(script, directory);
  await first.index(scope, embeddingModel);
  await first.close();
  const paidFor = sent;
  const path = join(directory, 'index.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x5a, 8_192));
  const search = client(t, directory);
  await assert.rejects(search.index(scope, embeddingModel), { kind: 'storage', hint: 'damaged' });
  const result = await search.index(scope, embeddingModel);
  assert.equal(result.files, 60);
  assert.equal(sent, paidFor);
  assert.ok(readdirSync(directory).includes('index.db.damaged'));
});

test('a model whose vectors get another length is built anew, once, and never takes the old ones for new', async (t) => {
  const [directory, root] = [temporaryFolder(t), temporaryFolder(t)];
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, `${name}.ts`), `export const ${name} = "${name}";\n`);
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  let length = 3;
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    origin: 'https://service.test',
    embed: async (texts) => texts.map((text) => new Float32Array(length).fill(text.length)),
  };
  const search = createSearchClient(script, directory, join(directory, 'vectorCache.db'));
  t.after(() => search.close());
  assert.equal((await search.index(scope, embeddingModel)).embedded, 3);
  length = 5;
  writeFileSync(join(root, 'd.ts'), 'export const d = "d";\n');
  await assert.rejects(search.index(scope, embeddingModel), { kind: 'malformed', hint: 'another length' });
  assert.equal((await search.index(scope, embeddingModel)).embedded, 3);
  assert.equal((await search.index(scope, embeddingModel)).embedded, 0);
  const question = { text: 'export', limit: 5, globs: [] };
  assert.equal((await search.search(scope.roots, question, embeddingModel)).by, 'both');
});

for (const ending of ['values', 'rest']) {
  test(`a .${ending} file cut short is said by the state; the rest is found, and the next run asks for what is gone alone`, async (t) => {
    const [directory, root] = [temporaryFolder(t), temporaryFolder(t)];
    for (let i = 0; i < 40; i++) writeFileSync(join(root, `${i}.ts`), `export const value${i} = ${i};\n`);
    const scope = { roots: [root], maxBytes: 1024 * 1024 };
    let sent = 0;
    const embeddingModel: EmbeddingModel = {
      model: 'm',
      embed: async (texts) => {
        sent += texts.filter((text) => text !== 'question').length;
        return texts.map((text) => Float32Array.of(Number(/value(\d+)/.exec(text)?.[1] ?? 3), 9, 9));
      },
    };
    const first = createSearchClient(script, directory);
    await first.index(scope, embeddingModel);
    await first.close();
    const path = join(directory, `vectors-1.${ending}`);
    truncateSync(path, Math.floor(readFileSync(path).length / 2));
    const search = client(t, directory);
    const ask = () => search.search(scope.roots, { text: 'question', limit: 40, globs: [] }, embeddingModel);
    // Before anything is asked.
    const status = await search.status(embeddingModel);
    assert.equal(status.filesDone, 20);
    const { by, hits } = await ask();
    assert.deepEqual([by, hits.length], ['both', 20]);
    const state = stateOf({ phase: { kind: 'idle' }, status, paused: undefined, waitUntil: undefined }, 0);
    const said = stateText({ state, status } as Parameters<typeof stateText>[0]);
    assert.match(said ?? '', /20 chunks damaged on the disk, until the next run/);
    sent = 0;
    await search.index(scope, embeddingModel);
    assert.deepEqual([sent, (await ask()).hits.length], [20, 40]);
  });
}
