import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openIndexRegistry } from '../../src/search/registry/indexRegistry.ts';
import { temporaryFolder } from '../support/searchFolder.ts';
import { script, startServer, workspace, write } from './mcpServer.ts';

/** A workspace whose files take a while to be read. */
function large(t: TestContext, files = 1_200): { root: string; data: string } {
  const found = workspace(t);
  const body = 'export function keel(): number {\n  return 1;\n}\n\n'.repeat(20);
  write(found.root, Object.fromEntries(Array.from({ length: files }, (_, n) => [`fleet/d${n % 30}/f${n}.ts`, body])));
  return found;
}

const filesOfIndex = (data: string): string[] =>
  readdirSync(join(data, 'indexes'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.name.endsWith('.json'))
    .map((each) => join(each.parentPath, each.name));

test('a folder that is not there, or is a file, is named; it is searched once it is there', async (t) => {
  const { root, data } = workspace(t);
  const folder = join(root, 'later');
  const { ask, paths } = await startServer(t, data, [folder]);
  const none = await ask('search_code', { query: 'harbour' });
  assert.deepEqual(
    [none.isError, none.text],
    [true, `There is no folder ${folder}. Start the search with a folder that is there.`],
  );
  writeFileSync(folder, 'a file');
  assert.match((await ask('index_status', {})).text, /There is no folder/);
  assert.ok(!existsSync(join(data, 'indexes')), 'nothing is recorded of it');
  rmSync(folder);
  write(folder, { 'a.ts': 'export const harbour = 1;\n' });
  assert.deepEqual(await paths('harbour'), ['a.ts']);
  rmSync(folder, { recursive: true });
  assert.match((await ask('search_code', { query: 'harbour' })).text, /There is no folder/);
});

test('the home folder and the root of the disk are not read; a folder in the home is', async (t) => {
  const { data: home } = workspace(t);
  write(home, { 'code/a.ts': 'export const harbour = 1;\n' });
  for (const folder of [home, '/', join(home, 'code', '..')]) {
    const { ask, client } = await startServer(t, home, [folder]);
    const { isError, text } = await ask('search_code', { query: 'harbour' });
    assert.equal(isError, true, folder);
    assert.match(text, / has more than code in it, and is not read as a whole\. Give the search a folder of code/);
    await client.close();
  }
  const { paths } = await startServer(t, home, [join(home, 'code')]);
  assert.deepEqual(await paths('harbour'), ['a.ts']);
});

test('what is no git repository is searched, and git says nothing of it in a sentence', async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'a.ts': 'export const harbour = 1;\n' });
  const { ask, paths } = await startServer(t, temporaryFolder(t), [root]);
  assert.deepEqual(await paths('harbour'), ['a.ts']);
  const { isError, text } = await ask('search_code', { query: 'harbour', changed_since: 'main' });
  assert.deepEqual([isError, text], [true, 'Git does not say what changed here. Leave `changed_since` out.']);
});

test('the files of a folder that is gone, as with a disk that is not mounted, stay in the index of an editor', async (t) => {
  const [one, other] = [workspace(t), workspace(t)];
  const first = await startServer(t, one.data, [one.root, other.root]);
  assert.equal((await first.ask('index_status', {})).data.coverage?.files, 12);
  await first.client.close();
  renameSync(other.root, `${other.root}-away`);
  t.after(() => rmSync(`${other.root}-away`, { recursive: true }));
  const second = await startServer(t, one.data, [one.root]);
  write(one.root, { 'src/harbour.ts': 'export const harbourMaster = 2;\n' });
  assert.deepEqual(await second.paths('harbourMaster harbour', { limit: 1 }), ['src/harbour.ts']);
  // The reading behind the answers ends with the server at the latest.
  await second.client.close();
  renameSync(`${other.root}-away`, other.root);
  mkdirSync(`${other.root}-away`);
  const third = await startServer(t, one.data, [other.root]);
  assert.equal((await third.ask('index_status', {})).data.coverage?.files, 12);
});

test('an index whose files were overwritten is repaired, and answers in the end', async (t) => {
  const { root, data } = workspace(t);
  const first = await startServer(t, data, [root]);
  await first.paths('harbour');
  await first.client.close();
  for (const file of filesOfIndex(data)) writeFileSync(file, Buffer.alloc(Math.max(8_192, statSync(file).size), 0x5a));
  const second = await startServer(t, data, [root]);
  const answers = [
    await second.ask('search_code', { query: 'harbour' }),
    await second.ask('search_code', { query: 'harbour' }),
  ];
  assert.ok(
    answers.some(({ data: found }) => found.places?.[0]?.path === 'src/harbour.ts'),
    answers.map(({ text }) => text).join('\n'),
  );
});

test('where the data folder cannot be written, the first answer says so', async (t) => {
  const { root, data } = workspace(t);
  const blocked = join(data, 'blocked');
  // A file in the place of the folder: no user can write below it, root neither.
  writeFileSync(blocked, '');
  const { ask } = await startServer(t, join(blocked, 'data'), [root]);
  const { isError, text } = await ask('search_code', { query: 'harbour' });
  assert.equal(isError, true);
  assert.match(text, /^There is no index of this folder, and none can be written|^The index cannot be read or written/);
});

test('rubbish beside the records and announcements keeps nobody from an answer', async (t) => {
  const { root, data } = workspace(t);
  const relative = { version: 1, directory: 'here', scope: { roots: ['.'], maxBytes: 1 }, usedAt: 9e15 };
  write(data, {
    'indexes/a.json': '{',
    'indexes/b.json': '[]',
    'indexes/c.json': JSON.stringify({
      version: 2,
      directory: root,
      scope: { roots: [root], maxBytes: 1 },
      usedAt: 9e15,
    }),
    'indexes/d.json': JSON.stringify(relative),
    'indexes/e.json': JSON.stringify({
      ...relative,
      directory: join(data, 'gone'),
      scope: { roots: [root], maxBytes: 1e6 },
    }),
    'indexes/f.json/x': 'a folder',
    'windows/a.json': 'null',
    'windows/b.json': JSON.stringify({ pid: -1, directory: 1 }),
  });
  const { paths } = await startServer(t, data, [root]);
  assert.equal((await paths('letIn draught'))[0], 'src/harbour.ts');
  assert.ok(!existsSync(join(data, 'gone')), 'an index that is gone is not made again in its place');
});

test('two servers on a new folder at once both answer', async (t) => {
  const { root, data } = large(t, 300);
  const servers = await Promise.all([startServer(t, data, [root]), startServer(t, data, [root])]);
  const found = await Promise.all(servers.map(({ ask }) => ask('search_code', { query: 'letIn draught' })));
  for (const { isError, text, data: answer } of found) {
    assert.equal(isError, false, text);
    assert.equal(answer.places?.[0]?.path, 'src/harbour.ts');
  }
});

test('a thousand questions at once before the files are read share one reading, and all are answered', async (t) => {
  const { root, data } = workspace(t);
  const { ask } = await startServer(t, data, [root]);
  const all = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) =>
      ask('search_code', { query: `harbour ${n % 7}`, detail: 'places', limit: 1 }),
    ),
  );
  assert.deepEqual([...new Set(all.map(({ data: found }) => found.places?.[0]?.path))], ['src/harbour.ts']);
});

test('reading the files tells its progress, can be cancelled, and the next question is answered', async (t) => {
  const { root, data } = large(t);
  const { ask, client } = await startServer(t, data, [root]);
  const cancel = new AbortController();
  const seen: number[] = [];
  const first = client.callTool(
    { name: 'search_code', arguments: { query: 'draught' } },
    {
      signal: cancel.signal,
      onprogress: ({ progress, total }) => {
        seen.push(progress);
        assert.ok((total ?? 0) > 1_000);
        cancel.abort();
      },
    },
  );
  await assert.rejects(first);
  assert.ok(seen.length > 0);
  let last = await ask('search_code', { query: 'letIn draught' });
  assert.equal(last.isError, false, last.text);
  while (last.data.places?.[0]?.path !== 'src/harbour.ts') last = await ask('search_code', { query: 'letIn draught' });
});

test('one who cancels takes the reading from nobody else', async (t) => {
  const { root, data } = large(t);
  const { ask, client } = await startServer(t, data, [root]);
  const cancel = new AbortController();
  const first = client.callTool(
    { name: 'search_code', arguments: { query: 'draught' } },
    { signal: cancel.signal, onprogress: () => cancel.abort() },
  );
  const second = ask('search_code', { query: 'letIn draught' });
  await assert.rejects(first);
  assert.equal((await second).data.places?.[0]?.path, 'src/harbour.ts');
});

test('closing standard input in the middle of a reading ends the server and its processes', async (t) => {
  const { root, data } = large(t);
  const child = spawn(process.execPath, [script, 'mcp', root], {
    env: { PATH: process.env['PATH'], PARLEY_DATA_DIR: data },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  send({ id: 1, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  send({
    id: 2,
    method: 'tools/call',
    params: { name: 'search_code', arguments: { query: 'harbour' }, _meta: { progressToken: 1 } },
  });
  let out = '';
  for await (const piece of child.stdout.setEncoding('utf8')) {
    out += piece;
    if (out.includes('notifications/progress')) break;
  }
  const below = childrenOf(child.pid ?? 0);
  child.stdin.end();
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  assert.equal(code, 0);
  while (below.some(isRunning)) await new Promise((resolve) => setImmediate(resolve));
});

function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    try {
      const status = /^\d+$/.test(name) ? readStatus(name) : '';
      return new RegExp(`^PPid:\\s${pid}$`, 'm').test(status) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s[ZX]/m.test(readStatus(String(pid)));
  } catch {
    return false;
  }
}

test('an index that an editor makes while the server runs is the one that answers from then on', async (t) => {
  const { root, data } = workspace(t);
  const { ask } = await startServer(t, data, [root]);
  assert.match((await ask('index_status', {})).text, /Words only/);
  const directory = join(data, 'editor');
  mkdirSync(directory);
  const scope = { roots: [root], maxBytes: 1e6, exclude: [], allow: [], includeGenerated: false, encodings: {} };
  await openIndexRegistry(data).write({ version: 1, directory, scope, source: { model: 'm' }, usedAt: Date.now() });
  assert.match((await ask('index_status', {})).text, /Meaning by m\./);
});

const readStatus = (pid: string): string => readFileSync(`/proc/${pid}/status`, 'utf8');
