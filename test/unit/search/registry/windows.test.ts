import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  longestLine,
  readAnnouncement,
  readQuestion,
  readReply,
  vectorOf,
  vectorText,
} from '../../../../src/search/registry/questionProtocol.ts';
import { openQuestionServer } from '../../../../src/search/registry/questionServer.ts';
import { createSharedReading } from '../../../../src/search/registry/sharedReading.ts';
import { askWindows, windowsOf } from '../../../../src/search/registry/windows.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

test('a vector goes over the wire as it is', () => {
  const vector = Float32Array.of(0, -1.5, 3.4e38, 1e-40);
  assert.deepEqual(vectorOf(vectorText(vector)), vector);
  assert.equal(vectorOf('').length, 0);
  // Half a number at the end is none.
  assert.equal(vectorOf(Buffer.alloc(7).toString('base64')).length, 1);
  assert.ok(vectorText(new Float32Array(8_000)).length < longestLine);
  assert.ok(JSON.stringify({ token: 't', text: '\0'.repeat(10_000), space: 's' }).length < longestLine);
});

test('lines of another form are none', () => {
  assert.deepEqual(readQuestion('{"token":"t","text":"x","space":"s"}'), { token: 't', text: 'x', space: 's' });
  assert.deepEqual(readReply('{"refused":"model"}'), { refused: 'model' });
  for (const line of ['', '{', 'null', '[]', '{"token":1}', '{"refused":"money"}', '{"vector":[1]}']) {
    assert.deepEqual(
      [readQuestion(line), readReply(line), readAnnouncement(line)],
      [undefined, undefined, undefined],
      line,
    );
  }
  assert.equal(readAnnouncement('{"pid":1.5,"directory":"d","socket":"s","token":"t"}'), undefined);
});

/** Windows that act like this, in their order. */
async function windows(t: TestContext, ...acts: ((connection: Socket) => void)[]): Promise<string> {
  const data = temporaryFolder(t);
  mkdirSync(join(data, 'windows'));
  for (const [at, act] of acts.entries()) {
    const socket = join(data, `s${at}`);
    const open = new Set<Socket>();
    const server = createServer((connection) => {
      open.add(connection.on('error', () => undefined));
      connection.once('data', () => act(connection));
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    t.after(() => {
      for (const each of open) each.destroy();
      server.close();
    });
    const told = { pid: process.pid, directory: '/d', socket, token: 't' };
    writeFileSync(join(data, 'windows', `${at}.json`), JSON.stringify(told));
  }
  return data;
}
const says = (reply: object) => (connection: Socket) => void connection.end(`${JSON.stringify(reply)}\n`);
const good = says({ vector: vectorText(Float32Array.of(1, 2)) });
const ask = (data: string, patience?: number) =>
  askWindows(data, '/d', 'x', 's', new AbortController().signal, patience);

test('the next window is asked where one has no vector', async (t) => {
  const vector = Float32Array.of(1, 2);
  assert.deepEqual(await ask(await windows(t, says({ refused: 'consent' }), good)), { vector });
  assert.deepEqual(await ask(await windows(t, (connection) => void connection.destroy(), good)), { vector });
  assert.deepEqual(await ask(await windows(t, () => undefined, good), 20), { vector });
});

test('a window that says nothing has an end, as have those that never know a token', async (t) => {
  assert.deepEqual(await ask(await windows(t, () => undefined), 20), { refused: 'silent' });
  let times = 0;
  const never = (connection: Socket): void => {
    times++;
    says({ refused: 'token' })(connection);
  };
  assert.deepEqual(await ask(await windows(t, never)), { refused: 'token' });
  assert.equal(times, 5);
  assert.deepEqual(await ask(temporaryFolder(t)), { refused: 'none' });
});

/** A window with this socket, which is announced and runs no more; and its folder. @param prefix of the folder's name */
async function endedWindow(t: TestContext, { isKilled = true, prefix = 'parley-', rest = [] as string[] } = {}) {
  const data = temporaryFolder(t);
  const folder = mkdtempSync(join(realpathSync(tmpdir()), prefix));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const socket = join(folder, 's');
  const child = spawn(process.execPath, ['-e', `require('net').createServer().listen(${JSON.stringify(socket)})`]);
  t.after(() => child.kill());
  while (!existsSync(socket)) await new Promise((resolve) => setImmediate(resolve));
  if (isKilled) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  for (const name of rest) writeFileSync(join(folder, name), '');
  mkdirSync(join(data, 'windows'));
  // No system gives a process this number.
  const told = { pid: 2 ** 22 + 1, directory: '/d', socket, token: 't' };
  writeFileSync(join(data, 'windows', 'ended.json'), JSON.stringify(told));
  return { data, socket, left: () => (existsSync(folder) ? readdirSync(folder) : undefined) };
}

describe('what a window left that was killed', { skip: process.platform === 'win32' }, () => {
  test('is removed by the next that looks: its announcement, its socket and the folder of that', async (t) => {
    const asked = await endedWindow(t);
    assert.deepEqual(asked.left(), ['s']);
    assert.deepEqual(await ask(asked.data), { refused: 'none' });
    assert.deepEqual([asked.left(), readdirSync(join(asked.data, 'windows'))], [undefined, []]);
    // After a restart the socket may be gone, and its folder not.
    const restarted = await endedWindow(t);
    rmSync(restarted.socket);
    await windowsOf(restarted.data, '/another');
    assert.equal(restarted.left(), undefined);
    const opened = await endedWindow(t);
    const window = await openQuestionServer(opened.data, '/new', async () => 'consent');
    assert.equal(opened.left(), undefined, 'a new window looks, too');
    assert.equal((await windowsOf(opened.data, '/new')).length, 1);
    await window.close();
  });

  test('stays where somebody listens, where something else is in the folder, and where it is not ours', async (t) => {
    for (const [more, left] of [
      [{ isKilled: false }, ['s']],
      [{ rest: ['mine.txt'] }, ['mine.txt']],
      [{ prefix: 'parley-search-' }, ['s']],
      [{ prefix: 'other-' }, ['s']],
    ] as const) {
      const window = await endedWindow(t, { ...more, rest: 'rest' in more ? [...more.rest] : [] });
      await windowsOf(window.data, '/d');
      assert.deepEqual(window.left(), left, JSON.stringify(more));
    }
    const file = await endedWindow(t);
    rmSync(file.socket);
    writeFileSync(file.socket, 'a file');
    await windowsOf(file.data, '/d');
    assert.deepEqual(file.left(), ['s']);
  });
});

test('one reading serves all who wait, and goes on while one of them does', async () => {
  const ends: (() => void)[] = [];
  let stopped = 0;
  const reading = createSharedReading(
    (signal, report) =>
      new Promise((resolve, reject) => {
        report({ phase: 'reading', files: 0, ofFiles: 1 });
        signal.addEventListener('abort', () => {
          stopped++;
          reject(new Error('stopped'));
        });
        ends.push(resolve);
      }),
  );
  const [one, two] = [new AbortController(), new AbortController()];
  const first = reading.wait(one.signal, () => undefined);
  const second = reading.wait(two.signal, () => undefined);
  assert.deepEqual([ends.length, reading.isAwaited, reading.isRunning], [1, true, true]);
  one.abort();
  await assert.rejects(first, { kind: 'cancelled' });
  assert.equal(stopped, 0);
  ends[0]?.();
  await second;
  assert.deepEqual([reading.isAwaited, reading.isRunning], [false, false]);
  const third = reading.wait(two.signal, () => undefined);
  two.abort();
  await assert.rejects(third, { kind: 'cancelled' });
  assert.deepEqual([stopped, reading.isRunning], [1, false], 'nobody waits any more');
  await assert.rejects(
    reading.wait(two.signal, () => undefined),
    { kind: 'cancelled' },
  );
  assert.equal(ends.length, 2, 'nothing is begun for one who is gone');
});

test('a reading behind the answers is joined by who waits, and its errors are nobody’s', async () => {
  let begun = 0;
  const failing = createSharedReading(async () => {
    begun++;
    throw new Error('disk');
  });
  failing.begin();
  failing.begin();
  assert.equal(begun, 1);
  await assert.rejects(
    failing.wait(new AbortController().signal, () => undefined),
    /disk/,
  );
  await failing.stop();
  assert.equal(failing.isRunning, false);
});
