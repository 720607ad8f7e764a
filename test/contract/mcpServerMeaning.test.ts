import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../src/search/embedding/embeddingModel.ts';
import { createEngine } from '../../src/search/engine.ts';
import { openIndexRegistry } from '../../src/search/registry/indexRegistry.ts';
import { vectorText } from '../../src/search/registry/questionProtocol.ts';
import { type AnswerQuestion, openQuestionServer } from '../../src/search/registry/questionServer.ts';
import { startServer, workspace, write } from './mcpServer.ts';

const origin = 'https://embed.example.org';
/** Texts about water are near to each other, and so are those about ships. */
const vectorFor = (text: string): Float32Array =>
  Float32Array.of(
    1 + (text.match(/tide|water|flood/g)?.length ?? 0) * 8,
    1 + (text.match(/ship|harbour|vessel/g)?.length ?? 0) * 8,
    1,
  );

/** A workspace with an index that an editor has built with a made-up model. */
async function indexed(t: TestContext) {
  const { root, data } = workspace(t);
  const directory = join(data, 'editor');
  mkdirSync(directory);
  const source = { model: 'made-up', origin };
  const scope = { roots: [root], maxBytes: 1e6, exclude: [], allow: [], includeGenerated: false, encodings: {} };
  const engine = createEngine(directory);
  const model: EmbeddingModel = { ...source, embed: async (texts) => texts.map(vectorFor) };
  await engine.index(scope, model, new AbortController().signal, () => undefined);
  engine.close();
  await openIndexRegistry(data).write({ version: 1, directory, scope, source, usedAt: Date.now() });
  return { root, data, directory };
}

async function openWindow(t: TestContext, data: string, directory: string, answer: AnswerQuestion) {
  const server = await openQuestionServer(data, directory, answer);
  t.after(() => server.close());
}

interface Announcement {
  socket: string;
  token: string;
}
const announced = (data: string): Announcement => {
  const [name = ''] = readdirSync(join(data, 'windows')).filter((each) => each.endsWith('.json'));
  return JSON.parse(readFileSync(join(data, 'windows', name), 'utf8')) as Announcement;
};

/** A window that does as it likes with a connection. */
async function hostileWindow(t: TestContext, data: string, directory: string, act: (connection: Socket) => unknown) {
  const socket = join(data, 's');
  const open = new Set<Socket>();
  const server = createServer((connection) => {
    open.add(connection.on('error', () => undefined));
    connection.once('data', () => act(connection));
  });
  server.listen(socket);
  await once(server, 'listening');
  t.after(() => {
    for (const each of open) each.destroy();
    server.close();
  });
  write(data, { 'windows/hostile.json': JSON.stringify({ pid: process.pid, directory, socket, token: 't' }) });
}

test('a window gives the vector of the question, which is said to have been sent; the same one is not asked again', async (t) => {
  const { root, data, directory } = await indexed(t);
  const asked: string[] = [];
  await openWindow(t, data, directory, async (text, space) => {
    asked.push(`${space}: ${text}`);
    return vectorFor(text);
  });
  const { ask } = await startServer(t, data, [root]);
  for (let time = 0; time < 2; time++) {
    const { data: found, text } = await ask('search_code', { query: 'vessel' });
    assert.equal(found.by, 'words and meaning');
    assert.equal(found.places?.[0]?.path, 'src/harbour.ts');
    assert.equal(found.sentTo, time === 0 ? origin : undefined);
    assert.ok(text.includes(time === 0 ? `The question was sent to ${origin}, and no code.` : 'Nothing was sent.'));
    assert.match(text, /6 of them by meaning, kept current by an open editor/);
  }
  assert.deepEqual(asked, ['made-up: vessel']);
});

test('questions at once wait for each other, and all of them get their vector', async (t) => {
  const { root, data, directory } = await indexed(t);
  await openWindow(t, data, directory, async (text) => vectorFor(text));
  const servers = await Promise.all([startServer(t, data, [root]), startServer(t, data, [root])]);
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, n) => servers[n % 2]?.ask('search_code', { query: `vessel ${n}`, limit: 1 })),
  );
  assert.deepEqual([...new Set(all.map((each) => each?.data.by))], ['words and meaning']);
});

test('a token is good for one question, and a wrong one for none', async (t) => {
  const { data, directory } = await indexed(t);
  await openWindow(t, data, directory, async (text) => vectorFor(text));
  const send = async (token: string): Promise<string> => {
    const connection = connect(announced(data).socket).setEncoding('utf8');
    connection.write(`${JSON.stringify({ token, text: 'vessel', space: 'made-up' })}\n`);
    let line = '';
    for await (const piece of connection) line += piece;
    return line;
  };
  const { token } = announced(data);
  assert.match(await send('wrong'), /^\{"refused":"token"\}\n$/);
  assert.match(await send(token), /^\{"vector":/);
  assert.match(await send(token), /^\{"refused":"token"\}\n$/);
  assert.notEqual(announced(data).token, token);
  assert.match(await send(announced(data).token), /^\{"vector":/);
});

test('a window that refuses is told with its reason, and whether the question was sent', async (t) => {
  const { root, data, directory } = await indexed(t);
  let reason: 'model' | 'consent' | 'service' = 'model';
  await openWindow(t, data, directory, async () => reason);
  const { ask } = await startServer(t, data, [root]);
  const reasons = {
    model: /the editor uses another embedding model now\. Run \*Parley: Index Workspace\* there\. Nothing was sent\./,
    consent: /the editor may send no questions of this folder\. Search there once to allow it\. Nothing was sent\./,
    service:
      /the embedding service gave the editor no vector of the question\. The question was sent to https:\/\/embed/,
  };
  for (const [each, sentence] of Object.entries(reasons)) {
    reason = each as typeof reason;
    const { data: found, text } = await ask('search_code', { query: 'harbour' });
    assert.deepEqual([found.by, found.places?.[0]?.path], ['words', 'src/harbour.ts']);
    assert.match(text, sentence);
  }
});

test('a vector that does not fit the index is no vector', async (t) => {
  const { root, data, directory } = await indexed(t);
  await openWindow(t, data, directory, async () => Float32Array.of(1, 2));
  const { ask } = await startServer(t, data, [root]);
  const { data: found, text } = await ask('search_code', { query: 'harbour' });
  assert.deepEqual([found.by, found.sentTo, found.places?.[0]?.path], ['words', origin, 'src/harbour.ts']);
  assert.match(text, /the vector of the question has another length than those of the index/);
});

const none = vectorText(Float32Array.of(Number.NaN, 1, 1));
const hostile: readonly { name: string; act(connection: Socket): unknown }[] = [
  { name: 'a line without an end', act: (connection) => connection.write('x'.repeat(400_000)) },
  { name: 'rubbish', act: (connection) => connection.end('{"vector":7}\n') },
  { name: 'numbers that are none', act: (connection) => connection.end(`${JSON.stringify({ vector: none })}\n`) },
  {
    name: 'zeros',
    act: (connection) => connection.end(`${JSON.stringify({ vector: vectorText(new Float32Array(3)) })}\n`),
  },
  { name: 'an end', act: (connection) => connection.destroy() },
];
for (const { name, act } of hostile) {
  test(`a window that answers with ${name} leaves an answer by words, which says so`, async (t) => {
    const { root, data, directory } = await indexed(t);
    await hostileWindow(t, data, directory, act);
    const { ask } = await startServer(t, data, [root]);
    const { data: found, text } = await ask('search_code', { query: 'harbour' });
    assert.deepEqual([found.by, found.places?.[0]?.path], ['words', 'src/harbour.ts']);
    assert.match(
      text,
      /Searched by words only: the editor did not answer as it should\. .* The question may have been sent to/,
    );
  });
}

test('a window that never answers can be left: the question is cancelled, and the next tool answers', async (t) => {
  const { root, data, directory } = await indexed(t);
  let onAsked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  await hostileWindow(t, data, directory, () => onAsked());
  const { ask, client } = await startServer(t, data, [root]);
  const cancel = new AbortController();
  const question = client.callTool({ name: 'search_code', arguments: { query: 'harbour' } }, { signal: cancel.signal });
  await isAsked;
  cancel.abort();
  await assert.rejects(question);
  assert.equal((await ask('index_status', {})).data.coverage?.isOpenInEditor, true);
});

test('a window that ended without a word is taken out: by its process, or by its socket after a restart', async (t) => {
  const { root, data, directory } = await indexed(t);
  const none = { directory, socket: join(data, 'none'), token: 't' };
  write(data, {
    'windows/gone.json': JSON.stringify({ ...none, pid: 2 ** 22 + 1 }),
    'windows/restarted.json': JSON.stringify({ ...none, pid: process.pid }),
    'windows/odd.json': '{"pid":"x"}',
  });
  const { ask } = await startServer(t, data, [root]);
  const { data: found, text } = await ask('search_code', { query: 'harbour' });
  assert.deepEqual([found.by, found.coverage?.isOpenInEditor], ['words', false]);
  assert.match(text, /meaning needs this folder open in the editor\. Nothing was sent\./);
  assert.deepEqual(
    readdirSync(join(data, 'windows')),
    process.platform === 'win32' ? ['odd.json', 'restarted.json'] : ['odd.json'],
  );
});

test('a window behind whose socket nobody listens is as good as none', async (t) => {
  const { root, data, directory } = await indexed(t);
  const socket = join(data, 'left');
  writeFileSync(socket, '');
  write(data, { 'windows/left.json': JSON.stringify({ pid: process.pid, directory, socket, token: 't' }) });
  const { ask } = await startServer(t, data, [root]);
  const { text, data: found } = await ask('search_code', { query: 'harbour' });
  assert.equal(found.by, 'words');
  assert.match(text, /Nothing was sent\./);
  rmSync(socket);
});

test('similar code is found by meaning without a window, as its vector is in the index', async (t) => {
  const { root, data } = await indexed(t);
  const { ask } = await startServer(t, data, [root]);
  const { data: found, text } = await ask('find_similar', { path: 'tools/tide.py', line: 1 });
  assert.deepEqual([found.by, found.places?.[0]?.path, found.sentTo], ['meaning', 'tools/tide_copy.py', undefined]);
  assert.match(text, /Searched by meaning\. Nothing was sent\./);
});

test('code without a vector is sent to the service, which is said; without a window its words answer', async (t) => {
  const { root, data, directory } = await indexed(t);
  write(root, { 'tools/tide.py': 'def flood(hour):\n    """Water over the quay."""\n    return tide(hour) + surge\n' });
  const { ask } = await startServer(t, data, [root]);
  const alone = await ask('find_similar', { path: 'tools/tide.py', line: 1 });
  assert.match(alone.text, /Searched by words only: meaning needs this folder open in the editor\. Nothing was sent\./);
  await openWindow(t, data, directory, async (text) => vectorFor(text));
  const { data: found, text } = await ask('find_similar', { path: 'tools/tide.py', line: 1 });
  assert.deepEqual([found.by, found.sentTo], ['meaning', origin]);
  assert.match(
    text,
    /The code at the place was sent to https:\/\/embed\.example\.org, as it has no vector in the index\./,
  );
});

test('a window leaves nothing behind when it closes', async (t) => {
  const { data, directory } = await indexed(t);
  const server = await openQuestionServer(data, directory, async () => 'model');
  const { socket } = announced(data);
  await server.close();
  assert.deepEqual([readdirSync(join(data, 'windows')), existsSync(socket)], [[], false]);
});
