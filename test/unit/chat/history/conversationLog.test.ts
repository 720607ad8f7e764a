import assert from 'node:assert/strict';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import type { Action } from '../../../../src/chat/conversation/conversation.ts';
import {
  type ConversationLog,
  createConversationLog,
  gatherMs,
  removedEnding,
} from '../../../../src/chat/history/conversationLog.ts';
import { readLog } from '../../../../src/chat/history/logLine.ts';
import { answer, append, ask, describing, end } from '../actions.ts';
import { until } from '../until.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await files.mkdtemp(join(tmpdir(), 'parley-log-'));
  path = join(folder, 'conversations', 'c.jsonl');
});
afterEach(() => files.rm(folder, { recursive: true }));

/** A log, and what came of each of its writes. */
function open(writer: string): { log: ConversationLog; writes: unknown[] } {
  const writes: unknown[] = [];
  return { log: createConversationLog(path, writer, (error) => writes.push(error)), writes };
}

/** Puts a file where the folder should be; gives what brings the folder back. */
async function forbid(): Promise<() => Promise<void>> {
  const at = join(path, '..');
  await files.rename(at, `${at}.away`);
  await files.writeFile(at, 'a file where the folder should be');
  return async () => {
    await files.rm(at);
    await files.rename(`${at}.away`, at);
  };
}

const created: Action = { type: 'create', id: 'c', at: 1 };

/** A conversation that has its file. */
async function begin(): Promise<void> {
  const { log } = open('first');
  log.append(created);
  await log.flush();
}

/** What is in a file, but for its first line. */
async function actionsIn(file: string): Promise<Action[]> {
  const { entries, corrupted } = readLog(await files.readFile(file));
  assert.equal(corrupted, 0);
  const [first, ...rest] = entries.map(({ action }) => action);
  assert.deepEqual(first, created);
  return rest;
}

const idOf = (action: Action): string => ('id' in action ? action.id : '');

describe('The log of a conversation', () => {
  it('is written by itself after a moment, in one piece', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { log, writes } = open('one');
    log.append(created);
    log.append(ask('q', 2));
    t.mock.timers.tick(gatherMs - 1);
    log.append(ask('q2', 3));
    t.mock.timers.tick(1);
    await until(() => writes.length > 0);
    assert.deepEqual(writes, [undefined]);
    assert.deepEqual(await actionsIn(path), [ask('q', 2), ask('q2', 3)]);
    log.append(ask('q3', 4));
    t.mock.timers.tick(gatherMs);
    await until(() => writes.length > 1);
    assert.equal((await actionsIn(path)).length, 3);
  });

  it('joins the pieces of a text, and leaves out what is of the moment', async () => {
    const { log } = open('one');
    const actions = [
      created,
      append('a', 'one '),
      append('a', 'two'),
      append('a', 'Hm.', 'reasoning'),
      append('b', 'other'),
      describing('a', { waitSeconds: 3 }),
      append('b', ' text'),
      describing('a', { model: 'm', waitSeconds: undefined }),
      append('b', 'new'),
      end('a', 9),
    ];
    for (const action of actions) log.append(action);
    await log.flush();
    assert.deepEqual(await actionsIn(path), [
      append('a', 'one two'),
      append('a', 'Hm.', 'reasoning'),
      append('b', 'other text'),
      describing('a', { model: 'm' }),
      append('b', 'new'),
      end('a', 9),
    ]);
  });

  it('keeps the order of what is noted while it is written', async () => {
    const { log } = open('one');
    const flushes: Promise<void>[] = [];
    log.append(created);
    for (let i = 0; i < 50; i++) {
      log.append(ask(`q${i}`, i));
      if (i % 3 === 0) flushes.push(log.flush());
    }
    await Promise.all([...flushes, log.flush()]);
    assert.deepEqual(
      (await actionsIn(path)).map(idOf),
      Array.from({ length: 50 }, (_, i) => `q${i}`),
    );
  });

  it('writes of a long answer what is new alone', async () => {
    const { log } = open('one');
    log.append(created);
    log.append(append('a', 'word '.repeat(400_000)));
    await log.flush();
    const before = (await files.stat(path)).size;
    log.append(append('a', 'more'));
    await log.flush();
    const grown = (await files.stat(path)).size - before;
    assert.ok(grown > 0 && grown < 200, `${grown} bytes`);
  });

  it('makes no file where there is nothing to write', async () => {
    const { log, writes } = open('one');
    await log.flush();
    assert.deepEqual([await files.readdir(folder), writes], [[], []]);
    await assert.rejects(log.readNew(), { code: 'ENOENT' });
  });

  it('gives each window what the other has written, once, and nothing of its own', async () => {
    const [one, two] = [open('one').log, open('two').log];
    one.append(created);
    one.append(ask('q1', 2));
    await one.flush();
    assert.deepEqual(await two.readNew(), { actions: [created, ask('q1', 2)], corrupted: 0 });
    two.append(ask('q2', 3, 'q1'));
    two.append(ask('q3', 4, 'q2'));
    await two.flush();
    assert.deepEqual((await one.readNew()).actions, [ask('q2', 3, 'q1'), ask('q3', 4, 'q2')]);
    for (const log of [one, two]) assert.deepEqual((await log.readNew()).actions, []);
    one.append(end('a', 9));
    await one.flush();
    assert.deepEqual((await one.readNew()).actions, []);
    assert.deepEqual((await two.readNew()).actions, [end('a', 9)]);
  });

  it('reads a line that another window is at when it is whole', async () => {
    const [one, two] = [open('one').log, open('two').log];
    one.append(created);
    one.append(ask('q2', 3));
    await one.flush();
    const whole = await files.readFile(path);
    const seen: Action[] = [];
    for (let bytes = 0; bytes <= whole.length; bytes += 7) {
      await files.writeFile(path, whole.subarray(0, bytes));
      seen.push(...(await two.readNew()).actions);
    }
    await files.writeFile(path, whole);
    seen.push(...(await two.readNew()).actions);
    assert.deepEqual(seen, [created, ask('q2', 3)]);
  });

  it('loses nothing of two windows that write at once, and each hears all of the other, in its order', async () => {
    await begin();
    const names = ['one', 'two'];
    const idsBy = (name: string): string[] => Array.from({ length: 200 }, (_, i) => `${name}-${i}`);
    const heard = await Promise.all(
      names.map(async (name, window) => {
        const { log } = open(name);
        const actions: Action[] = [];
        await log.readNew();
        for (const [i, id] of idsBy(name).entries()) {
          // Now and then a text that is longer than what Node writes at once.
          log.append(i % 50 === 25 ? append(id, 'x'.repeat(1_500_000)) : ask(id, i));
          if (i % (window + 2) === 0) await log.flush();
          if (i % 5 === 4) actions.push(...(await log.readNew()).actions);
        }
        await log.flush();
        return { log, actions };
      }),
    );
    const all = await actionsIn(path);
    assert.equal(all.length, 400);
    for (const [i, { log, actions }] of heard.entries()) {
      const other = names[1 - i] ?? '';
      actions.push(...(await log.readNew()).actions);
      assert.deepEqual(actions.map(idOf), idsBy(other));
      assert.deepEqual(
        all.map(idOf).filter((id) => id.startsWith(other)),
        idsBy(other),
      );
    }
  });

  it('keeps what cannot be written, says so, and writes it once that is possible', async () => {
    await begin();
    const allow = await forbid();
    const { log, writes } = open('one');
    log.append(ask('q1', 2));
    assert.equal(log.isUnsaved, false);
    await assert.rejects(log.flush(), { code: /^(ENOTDIR|EEXIST)$/ });
    assert.equal(writes.length, 1);
    assert.ok(writes[0] instanceof Error);
    assert.equal(log.isUnsaved, true);
    log.append(ask('q2', 3));
    await assert.rejects(log.flush());
    await allow();
    log.append(ask('q3', 4));
    await log.flush();
    assert.equal(log.isUnsaved, false);
    assert.deepEqual([writes.length, writes[2]], [3, undefined]);
    assert.deepEqual((await actionsIn(path)).map(idOf), ['q1', 'q2', 'q3']);
  });

  it('tries again by itself what could not be written', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await files.writeFile(join(path, '..'), 'a file where the folder should be');
    const { log, writes } = open('one');
    log.append(created);
    log.append(ask('q', 2));
    t.mock.timers.tick(gatherMs);
    await until(() => writes.length > 0);
    assert.ok(writes[0] instanceof Error);
    await files.rm(join(path, '..'));
    t.mock.timers.tick(60_000);
    await until(() => writes.length > 1);
    assert.equal(writes[1], undefined);
    assert.deepEqual(await actionsIn(path), [ask('q', 2)]);
  });

  it('brings back a file that another window has deleted: what is written is wanted', async () => {
    await begin();
    const { log } = open('one');
    await log.readNew();
    await files.rename(path, path + removedEnding);
    log.append(ask('q', 2));
    await log.flush();
    assert.deepEqual(await actionsIn(path), [ask('q', 2)]);
    assert.deepEqual(await files.readdir(join(folder, 'conversations')), ['c.jsonl']);
  });

  it('makes no file without its first line where the one it had is gone', async () => {
    await begin();
    const { log, writes } = open('one');
    await files.rm(path);
    log.append(ask('q', 2));
    await assert.rejects(log.flush(), { code: 'ENOENT' });
    assert.deepEqual(await files.readdir(join(folder, 'conversations')), []);
    assert.deepEqual([writes.length, log.isUnsaved], [1, true]);
    // It would be tried again.
    await begin();
    await log.flush();
    assert.deepEqual(await actionsIn(path), [ask('q', 2)]);
  });

  it('writes the whole conversation anew where its file is gone for good, with what was noted', async () => {
    await begin();
    const { log, writes } = open('one');
    const all: Action[] = [created, ask('q', 2), answer('a', 3, 'q')];
    log.keepWhole(() => all);
    await log.readNew();
    await files.rm(join(path, '..'), { recursive: true });
    log.append(answer('a', 3, 'q'));
    await log.flush();
    assert.deepEqual(await actionsIn(path), all.slice(1));
    assert.deepEqual([writes, log.isUnsaved], [[undefined], false], 'nothing is tried again');
    const other = open('other').log;
    other.append(append('a', 'more'));
    await other.flush();
    assert.deepEqual((await log.readNew()).actions, [append('a', 'more')]);
    log.append(end('a', 9));
    await log.flush();
    assert.deepEqual(await actionsIn(path), [...all.slice(1), append('a', 'more'), end('a', 9)]);
  });

  it('is written anew by one of two windows, and the other adds what it alone knows', async () => {
    await begin();
    const [one, two] = [open('one').log, open('two').log];
    const known: Action[] = [created, ask('q', 2), answer('a', 3, 'q'), append('a', 'Half')];
    for (const log of [one, two]) {
      log.keepWhole(() => [...known, ask(log === one ? 'q1' : 'q2', 9, 'a')]);
      await log.readNew();
    }
    await files.rm(path);
    one.append(ask('q1', 9, 'a'));
    two.append(ask('q2', 9, 'a'));
    await Promise.all([one.flush(), two.flush()]);
    const written = await actionsIn(path);
    assert.deepEqual(written.slice(0, 3), known.slice(1), 'no text stands there twice');
    assert.deepEqual(written.slice(3).map(idOf).sort(), ['q1', 'q2']);
    assert.ok([(await one.readNew()).actions, (await two.readNew()).actions].every(({ length }) => length <= 1));
  });

  it('follows a file that another window wrote anew from its end on', async () => {
    await begin();
    const [one, two] = [open('one').log, open('two').log];
    one.keepWhole(() => [created, ask('q', 2), answer('a', 3, 'q'), append('a', 'Half')]);
    await two.readNew();
    await files.rm(path);
    one.append(append('a', 'Half'));
    await one.flush();
    assert.deepEqual((await two.readNew()).actions, []);
    one.append(append('a', ' and half'));
    await one.flush();
    assert.deepEqual((await two.readNew()).actions, [append('a', ' and half')]);
  });

  it('writes nothing twice that a full disk took a part of', async (t) => {
    await begin();
    const { log, writes } = open('one');
    const texts = Array.from({ length: 9 }, (_, i) => append(`a${i % 2}`, `${i} `.repeat(20)));
    for (const action of texts) log.append(action);
    await takesOnly(t, 500);
    await assert.rejects(log.flush(), { code: 'ENOSPC' });
    assert.ok(writes[0] instanceof Error);
    t.mock.restoreAll();
    log.append(end('a0', 9));
    await log.flush();
    const { entries, corrupted } = readLog(await files.readFile(path));
    assert.deepEqual(
      entries.map(({ action }) => action),
      [created, ...texts, end('a0', 9)],
    );
    assert.equal(corrupted, 1, 'the line that was cut');
  });
});

/** From now on, a write takes so many bytes and no more. */
async function takesOnly(t: TestContext, most: number): Promise<void> {
  const file = await files.open(folder);
  const handle = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const write = handle.write as (this: typeof file, bytes: Buffer, ...rest: number[]) => ReturnType<typeof file.write>;
  t.mock.method(handle, 'write', function (this: typeof file, bytes: Buffer) {
    return write.call(this, bytes, 0, most);
  });
}
