import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isCancelled, ServiceError } from '../../../src/base/errors.ts';
import { estimateTokens } from '../../../src/base/tokens.ts';
import { type Chunk, chunkFile, chunkText } from '../../../src/search/chunker/chunker.ts';
import type { EmbeddingModel } from '../../../src/search/embedding/embeddingModel.ts';
import { openStore } from '../../../src/search/store/store.ts';
import type { IndexProgress } from '../../../src/search/types.ts';
import { createSearchClient, type SearchClient } from '../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const script = new URL('../../../src/search/worker/worker.ts', import.meta.url);

/** Vectors by meaning, for a world with three meanings. */
function vectorOf(text: string): Float32Array {
  const meanings = [/ship|boat|vessel/i, /retry|again|backoff/i, /tax|invoice|price/i];
  return Float32Array.from([...meanings.map((meaning) => (meaning.test(text) ? 1 : 0)), 0.1]);
}

function createService() {
  const sent: string[] = [];
  const service = {
    sent,
    requests: 0,
    fail: undefined as ServiceError | undefined,
    embeddingModel: {
      model: 'm',
      embed: async (texts, signal) => {
        service.requests++;
        if (signal.aborted) throw new ServiceError('cancelled');
        if (service.fail !== undefined) throw service.fail;
        sent.push(...texts);
        return texts.map(vectorOf);
      },
    } satisfies EmbeddingModel as EmbeddingModel,
  };
  return service;
}

function workspace(t: TestContext, files: Record<string, string>) {
  const root = temporaryFolder(t);
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, scope, write };
}

function client(t: TestContext, directory = temporaryFolder(t), cachePath?: string): SearchClient {
  const created = createSearchClient(script, directory, cachePath);
  t.after(() => created.close());
  return created;
}

const harbour = {
  'boats.ts': 'export const vessels = ["ship"];\n',
  'net.ts': 'export function backoff() {}\n',
  'money.ts': 'export const price = 1;\n',
  '.env': 'SECRET=1\n',
};

test('a plan counts what would be sent and sends nothing; the run sends just that; a second run sends nothing', async (t) => {
  const { scope } = workspace(t, harbour);
  const service = createService();
  const search = client(t);
  const plan = await search.plan(scope, { model: 'm' });
  assert.equal(service.requests, 0);
  assert.deepEqual([plan.pending.files, plan.pending.chunks], [3, 3]);
  assert.ok(plan.pending.tokens > 0);
  assert.deepEqual(plan.excluded, { 'secret-path': 1 });
  const result = await search.index(scope, service.embeddingModel);
  assert.deepEqual(result, { files: 3, chunks: 3, embedded: 3, reused: 0, skipped: 1 });
  assert.ok(!service.sent.some((text) => text.includes('SECRET')));
  service.requests = 0;
  assert.deepEqual(await search.index(scope, service.embeddingModel), {
    files: 3,
    chunks: 3,
    embedded: 0,
    reused: 3,
    skipped: 1,
  });
  assert.equal(service.requests, 0);
});

test('a question in other words finds the file by meaning, and says so', async (t) => {
  const { scope } = workspace(t, harbour);
  const service = createService();
  const search = client(t);
  await search.index(scope, service.embeddingModel);
  const query = { text: 'try it again', limit: 5, globs: [] };
  const answer = await search.search(scope.roots, query, service.embeddingModel);
  assert.equal(answer.by, 'both');
  assert.deepEqual([answer.hits[0]?.path, answer.hits[0]?.why, answer.hits[0]?.startLine], ['net.ts', 'meaning', 1]);
  const asked = service.requests;
  await search.search(scope.roots, query, service.embeddingModel);
  assert.equal(service.requests, asked, 'the same question is not sent twice');
});

test('a folder of the workspace that is opened beside it as well costs nothing, and its files are found once', async (t) => {
  const { root, scope } = workspace(t, { 'tides.ts': harbour['net.ts'], 'inner/boats.ts': harbour['boats.ts'] });
  const service = createService();
  const search = client(t);
  await search.index(scope, service.embeddingModel);
  service.sent.length = 0;
  for (const roots of [[root, join(root, 'inner')], [root]]) {
    await search.index({ ...scope, roots }, service.embeddingModel);
    const { hits } = await search.search(roots, { text: 'vessels', limit: 5, globs: [] }, undefined);
    assert.equal(hits.length, 1);
  }
  assert.deepEqual(service.sent, []);
});

test('of a question of any length the beginning is read, and sent', async (t) => {
  const { scope } = workspace(t, harbour);
  const service = createService();
  const search = client(t);
  await search.index(scope, service.embeddingModel);
  service.sent.length = 0;
  const log = Array.from({ length: 100_000 }, (_, at) => `readPart${at} failed`).join(' ');
  const query = { text: `vessels ${log}`, limit: 5, globs: [] };
  const { hits } = await search.search(scope.roots, query, service.embeddingModel);
  assert.equal(hits[0]?.path, 'boats.ts');
  assert.deepEqual(service.sent, [query.text.slice(0, 10_000)]);
});

test('without a service the keyword half answers; with one that fails it answers and says so', async (t) => {
  const { scope } = workspace(t, harbour);
  const search = client(t);
  await search.index(scope, undefined);
  const query = { text: 'vessels', limit: 5, globs: [] };
  const words = await search.search(scope.roots, query, undefined);
  assert.deepEqual([words.by, words.hits[0]?.path, words.hits[0]?.why], ['keywords', 'boats.ts', 'definition']);
  const service = createService();
  await search.index(scope, service.embeddingModel);
  service.fail = new ServiceError('refused');
  const failed = await search.search(scope.roots, query, service.embeddingModel);
  assert.deepEqual([failed.by, failed.hits[0]?.path], ['failed', 'boats.ts']);
});

test('a changed file alone is sent again; a renamed one is not; a deleted one leaves', async (t) => {
  const { root, scope, write } = workspace(t, harbour);
  const service = createService();
  const search = client(t);
  await search.index(scope, service.embeddingModel);
  service.sent.length = 0;
  write('money.ts', 'export const invoice = "tax and more";\n');
  await search.update(scope, [join(root, 'money.ts')], service.embeddingModel);
  assert.equal(service.sent.length, 1);
  assert.match(service.sent[0] ?? '', /tax and more/);
  renameSync(join(root, 'boats.ts'), join(root, 'fleet.ts'));
  rmSync(join(root, 'net.ts'));
  const files = ['boats.ts', 'fleet.ts', 'net.ts'].map((path) => join(root, path));
  const result = await search.update(scope, files, service.embeddingModel);
  assert.equal(service.sent.length, 1);
  assert.equal(result.files, 2);
  const find = async (text: string) =>
    (await search.search(scope.roots, { text, limit: 5, globs: [] }, undefined)).hits;
  assert.deepEqual(
    (await find('vessels')).map((hit) => hit.path),
    ['fleet.ts'],
  );
  assert.deepEqual(await find('backoff'), []);
});

test('an index whose files were cut without their grammar gets their names, and sends nothing', async (t) => {
  const { root, scope, write } = workspace(t, {});
  const directory = temporaryFolder(t);
  const service = createService();
  await client(t, directory).index(scope, undefined);
  // Text at the margin, after an empty line, looks like a border where there is no tree.
  const help = Array.from({ length: 30 }, (_, at) => `\nwords NUMBER ${at} at the margin, after an empty line`).join(
    '\n',
  );
  const one = `class BerthNUMBER(val draft: Int) {\n  val help = """${help}"""\n}\n`;
  const text = Array.from({ length: 8 }, (_, at) => one.replaceAll('NUMBER', String(at))).join('\n');
  write('Berth.kt', text);
  const before = chunkText(text);
  assert.notDeepEqual((await chunkFile('Berth.kt', text)).map(startOf), before.map(startOf));

  const store = openStore(directory);
  const { size, mtimeMs } = statSync(join(root, 'Berth.kt'));
  const content = { hash: hash('sha256', text), chunks: before, lines: 0 };
  store.putFiles(root, [{ path: 'Berth.kt', stamp: { size, mtimeMs }, content }]);
  store.close();
  assert.equal((await client(t, directory).index(scope, service.embeddingModel)).embedded, before.length);

  const again = openStore(directory);
  again.setMeta('chunker', '3');
  again.setMeta('names', '1');
  again.close();
  service.requests = 0;
  const search = client(t, directory);
  assert.equal((await search.index(scope, service.embeddingModel)).embedded, 0);
  const { hits } = await search.search(scope.roots, { text: 'draft', limit: 5, globs: [] }, undefined);
  assert.equal(hits[0]?.why, 'definition');
  assert.equal(service.requests, 0);
});

const startOf = ({ startLine }: Chunk): number => startLine;

test('a deleted folder takes its files along', async (t) => {
  const { root, scope } = workspace(t, { 'a/one.ts': 'one\n', 'a/b/two.ts': 'two\n', 'ab.ts': 'three\n' });
  const search = client(t);
  await search.index(scope, undefined);
  rmSync(join(root, 'a'), { recursive: true });
  assert.equal((await search.update(scope, [join(root, 'a')], undefined)).files, 1);
});

test('a file that starts to hold a secret leaves the index', async (t) => {
  const { root, scope, write } = workspace(t, harbour);
  const search = client(t);
  await search.index(scope, undefined);
  write('money.ts', `const price = 1; const key = "AKIA${'QWERTYUI98765432'}";\n`);
  const result = await search.update(scope, [join(root, 'money.ts')], undefined);
  assert.deepEqual([result.files, result.skipped], [2, 2]);
  assert.deepEqual((await search.status()).excluded, { 'secret-path': 1, 'secret-content': 1 });
});

test('a source file with a sample key is found and embedded, without what stands about the key', async (t) => {
  const filler = (name: string): string =>
    Array.from({ length: 80 }, (_, at) => `export function ${name}${at}() {\n  return ${at};\n}\n`).join('\n');
  const key = `AKIA${'QWERTYUI98765432'}`;
  const text = `${filler('above')}\nconst nearKey = '${key}';\n\n${filler('below')}`;
  const { scope } = workspace(t, { 'client.test.ts': text });
  const search = client(t);
  const service = createService();
  const { skipped } = await search.index(scope, service.embeddingModel);
  assert.equal(skipped, 0);
  assert.ok(service.sent.length > 3);
  assert.ok(service.sent.every((sent) => !/QWERTY|nearKey/.test(sent)));
  for (const name of ['above3', 'below70']) {
    const { hits } = await search.search(scope.roots, { text: name, limit: 5, globs: [] }, undefined);
    assert.ok(hits[0]?.text.includes(`${name}()`), name);
  }
  const { hits } = await search.search(scope.roots, { text: 'nearKey', limit: 5, globs: [] }, undefined);
  assert.ok(hits.every((hit) => !hit.text.includes('nearKey')));
});

test('a run that fails keeps what came back, and the next one asks only for the rest', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`f${i}.ts`, `export const ship${i} = ${i};\n`]),
  );
  const { scope } = workspace(t, files);
  const service = createService();
  const good = service.embeddingModel.embed;
  const flaky: EmbeddingModel = {
    model: 'm',
    embed: (texts, signal) => {
      if (service.requests === 2)
        return Promise.reject(new ServiceError('auth', { status: 401, url: 'http://host/v1' }));
      return good(texts, signal);
    },
  };
  const search = client(t);
  await assert.rejects(search.index(scope, flaky), {
    name: 'ServiceError',
    kind: 'auth',
    status: 401,
    url: 'http://host/v1',
  });
  const before = service.sent.length;
  assert.ok(before > 0 && before < 200);
  const result = await search.index(scope, service.embeddingModel);
  assert.equal(result.embedded, 200 - before);
  assert.equal(new Set(service.sent).size, 200);
  assert.equal(service.sent.length, 200);
});

test('a run closed in the middle is taken up again, and nothing that was stored is asked for again', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`f${i}.ts`, `export const ship${i} = ${i};\n`]),
  );
  const { scope } = workspace(t, files);
  const service = createService();
  const directory = temporaryFolder(t);
  const first = client(t, directory);
  const stored: number[] = [];
  const killed = new Promise<void>((resolve) => {
    const onEvent = (progress: IndexProgress): void => {
      if (progress.phase !== 'embedding' || progress.chunks === 0) return;
      stored.push(progress.chunks);
      if (stored.length === 3) void first.close().then(resolve);
    };
    first.index(scope, service.embeddingModel, { onEvent }).catch((error: unknown) => assert.ok(isCancelled(error)));
  });
  await killed;
  const known = Math.max(...stored);
  assert.ok(known > 0 && known < 300);
  const second = client(t, directory);
  const result = await second.index(scope, service.embeddingModel);
  assert.equal(result.chunks, 300);
  assert.ok(result.embedded <= 300 - known, `${result.embedded} were asked for, ${known} had been stored`);
  assert.equal((await second.status({ model: 'm' })).filesDone, 300);
});

test('a cancel rejects as cancelled, and what came back before it stays', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`f${i}.ts`, `export const ship${i} = ${i};\n`]),
  );
  const { scope } = workspace(t, files);
  const service = createService();
  const search = client(t);
  const controller = new AbortController();
  const onEvent = (progress: IndexProgress): void => {
    if (progress.phase === 'embedding' && progress.chunks > 0) controller.abort();
  };
  await assert.rejects(
    search.index(scope, service.embeddingModel, { signal: controller.signal, onEvent }),
    isCancelled,
  );
  const done = (await search.status({ model: 'm' })).filesDone ?? 0;
  assert.ok(done > 0 && done < 300, String(done));
});

test('globs and the limit hold for the whole answer', async (t) => {
  const { scope } = workspace(t, { 'a.ts': 'ship\n', 'b.py': 'ship\n', 'c.py': 'ship\n' });
  const search = client(t);
  await search.index(scope, undefined);
  const answer = await search.search(scope.roots, { text: 'ship', limit: 1, globs: ['*.py'] }, undefined);
  assert.equal(answer.hits.length, 1);
  assert.match(answer.hits[0]?.path ?? '', /\.py$/);
});

test('a process killed in the middle leaves a whole index, and nothing it had stored is asked for again', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, i) => [`f${i}.ts`, `export const ship${i} = ${i};\n`]),
  );
  const { root, scope } = workspace(t, files);
  const directory = temporaryFolder(t);
  const builder = fileURLToPath(new URL('../../support/searchBuild.ts', import.meta.url));
  const child = spawn(process.execPath, [builder, directory, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  let stored = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    stored = Math.max(stored, Number(line));
    if (stored > 100) child.kill('SIGKILL');
  }
  assert.ok(stored > 100 && stored < 1_000, String(stored));
  const database = new DatabaseSync(join(directory, 'index.db'));
  assert.equal(database.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok');
  database.close();
  const service = createService();
  const search = client(t, directory);
  const result = await search.index(scope, service.embeddingModel);
  assert.equal(result.chunks, 1_000);
  assert.ok(result.embedded <= 1_000 - stored, `${result.embedded} were asked for, ${stored} had been stored`);
  assert.equal((await search.status({ model: 'm' })).filesDone, 1_000);
});

test('a model that gives vectors of another length than before is refused with its address, and the index stays', async (t) => {
  const { scope, write } = workspace(t, harbour);
  const service = createService();
  const search = client(t);
  await search.index(scope, service.embeddingModel);
  write('new.ts', 'export const vessel = 1;\n');
  const other: EmbeddingModel = {
    model: 'm',
    url: 'http://host/v1',
    embed: async (texts) => texts.map(() => Float32Array.of(1, 2)),
  };
  await assert.rejects(search.index(scope, other), { kind: 'malformed', url: 'http://host/v1' });
  const answer = await search.search(
    scope.roots,
    { text: 'try it again', limit: 5, globs: [] },
    service.embeddingModel,
  );
  assert.deepEqual([answer.by, answer.hits[0]?.path], ['both', 'net.ts']);
});

test('a save does not take up a run that was cancelled: only what changed is sent', async (t) => {
  const { root, scope, write } = workspace(t, harbour);
  const service = createService();
  const search = client(t);
  await search.plan(scope, { model: 'm' });
  const files = ['boats.ts', 'net.ts'].map((path) => join(root, path));
  await search.update(scope, files, service.embeddingModel);
  assert.equal(service.requests, 0);
  write('net.ts', 'export const again = 1;\n');
  await search.update(scope, files, service.embeddingModel);
  assert.equal(service.sent.length, 1);
});

test('what one folder paid for, a clone of it and an index made anew find on this machine; another service does not', async (t) => {
  const cachePath = join(temporaryFolder(t), 'vectorCache.db');
  const service = createService();
  const embeddingModel = { ...service.embeddingModel, origin: 'http://one' };
  const original = workspace(t, harbour);
  assert.equal((await client(t, undefined, cachePath).index(original.scope, embeddingModel)).embedded, 3);
  const clone = workspace(t, { ...harbour, 'more.ts': 'export const vessel = 2;\n' });
  const search = client(t, undefined, cachePath);
  const before = service.sent.length;
  assert.equal((await search.plan(clone.scope, embeddingModel)).pending.chunks, 1);
  const result = await search.index(clone.scope, embeddingModel);
  assert.deepEqual([result.embedded, result.reused, service.sent.length - before], [1, 3, 1]);
  const answer = await search.search(clone.scope.roots, { text: 'try it again', limit: 5, globs: [] }, embeddingModel);
  assert.deepEqual([answer.by, answer.hits[0]?.path], ['both', 'net.ts']);
  const elsewhere = { ...service.embeddingModel, origin: 'http://two' };
  assert.equal((await client(t, undefined, cachePath).plan(clone.scope, elsewhere)).pending.chunks, 4);
});

test('instructions stand before texts and questions; another one for texts is another space, and back costs nothing', async (t) => {
  const { scope } = workspace(t, harbour);
  const service = createService();
  const search = client(t);
  const embeddingModel = { ...service.embeddingModel, documentPrefix: 'passage: ', queryPrefix: 'query: ' };
  await search.index(scope, embeddingModel);
  assert.ok(service.sent.every((text) => text.startsWith('passage: ')));
  await search.search(scope.roots, { text: 'try it again', limit: 5, globs: [] }, embeddingModel);
  assert.equal(service.sent.at(-1), 'query: try it again');
  assert.equal((await search.index(scope, { ...embeddingModel, documentPrefix: 'text: ' })).embedded, 3);
  assert.equal((await search.index(scope, { ...embeddingModel, queryPrefix: 'other: ' })).embedded, 0);
});

test('no more is sent than the allowance, and what is left is sent later', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}.ts`, `ship ${i}\n`.repeat(20)]));
  const { scope } = workspace(t, files);
  const service = createService();
  const search = client(t);
  const allowance = Math.floor((await search.plan(scope, { model: 'm' })).pending.tokens / 2);
  const { embedded } = await search.index(scope, { ...service.embeddingModel, allowance });
  assert.ok(embedded > 20 && embedded <= 25, String(embedded));
  const tokens = service.sent.reduce((sum, text) => sum + estimateTokens(text), 0);
  assert.ok(tokens <= allowance, `${tokens} of ${allowance}`);
  assert.equal((await search.index(scope, service.embeddingModel)).embedded, 50 - embedded);
});

test('a call that comes while an index is deleted waits, and finds a new one', async (t) => {
  const { scope } = workspace(t, harbour);
  const directory = temporaryFolder(t);
  const search = client(t, directory);
  await search.index(scope, undefined);
  let isGone = false;
  const deleting = search.close(async () => {
    await rm(directory, { recursive: true });
    isGone = true;
  });
  const status = await search.status();
  assert.ok(isGone, 'the call came in between');
  assert.equal(status.indexed.files, 0);
  await deleting;
  assert.equal((await search.index(scope, undefined)).files, 3);
});

test('parts of sentences are found in Chinese, Japanese, Korean and Thai, and names that stand beside such letters', async (t) => {
  const { scope } = workspace(t, {
    'config.ts': '// 读取配置文件并合并默认值\nexport const a = 1;\n',
    'rerun.ts': '// 重跑gen-itgc后50条\nexport const b = 1;\n',
    'login.ts': '// ユーザー認証を行う関数\nexport const c = 1;\n',
    'options.ts': '// 설정을 불러온다\nexport const d = 1;\n',
    'cart.ts': '// คำนวณราคารวมของตะกร้าสินค้า\nexport const e = 1;\n',
    'size.ts': '// Berechnet die Größe\nexport const f = 1;\n',
    'api.ts': '// ＡＰＩの鍵\nexport const g = 1;\n',
  });
  const search = client(t);
  await search.index(scope, undefined);
  const questions = {
    ...{ 配置: 'config.ts', 配置文件: 'config.ts', 合并默认值: 'config.ts', 'gen-itgc': 'rerun.ts', itgc: 'rerun.ts' },
    ...{ 認証: 'login.ts', ユーザー認証: 'login.ts', 설정: 'options.ts', ราคารวม: 'cart.ts' },
    ...{ Größe: 'size.ts', api: 'api.ts' },
  };
  for (const [text, path] of Object.entries(questions)) {
    const { hits } = await search.search(scope.roots, { text, limit: 3, globs: [] }, undefined);
    assert.equal(hits[0]?.path, path, text);
  }
  const { hits } = await search.search(scope.roots, { text: '删除', limit: 3, globs: [] }, undefined);
  assert.deepEqual(hits, [], 'other words are not found');
});

test('a question that is the name of a file which is left out is told so; words, and names of other files, are not', async (t) => {
  const longLine = `const a = "${'x'.repeat(12_000)}";\n`;
  const { scope } = workspace(t, {
    'src/longline.js': longLine,
    'src/use.ts': 'import "longline.js";\n',
    'a/.env': 'A=1\n',
  });
  const search = client(t);
  await search.index(scope, undefined);
  const ask = async (text: string) =>
    (await search.search(scope.roots, { text, limit: 5, globs: [] }, undefined)).leftOut;
  for (const name of ['longline.js', 'LongLine.js', 'src/longline.js'])
    assert.deepEqual(await ask(name), { path: 'src/longline.js', reason: 'minified' }, name);
  for (const text of ['longline', 'line.js', 'use.ts', 'where is longline.js', '.env', 'e.g.'])
    assert.equal(await ask(text), undefined, text);
});
