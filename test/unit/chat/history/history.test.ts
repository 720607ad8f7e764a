import assert from 'node:assert/strict';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Action } from '../../../../src/chat/conversation/conversation.ts';
import { reduce } from '../../../../src/chat/conversation/reduce.ts';
import type { ConversationLog } from '../../../../src/chat/history/conversationLog.ts';
import { createHistory, type History } from '../../../../src/chat/history/history.ts';
import { answer, append, ask, idsOf, play, turn } from '../actions.ts';
import { until } from '../until.ts';

const dayMs = 24 * 3600 * 1000;
const create = (id: string, at = 1): Action => ({ type: 'create', id, at });

let folder: string;
beforeEach(async () => {
  folder = join(await files.mkdtemp(join(tmpdir(), 'parley-history-')), 'conversations');
});
afterEach(() => files.rm(join(folder, '..'), { recursive: true }));

/** Writes a conversation of a turn, and what else is said. */
async function write(history: History, id: string, at = 10, ...more: readonly Action[]): Promise<ConversationLog> {
  const log = history.begin(id);
  for (const action of [create(id), ...turn(id, at), ...more]) log.append(action);
  await log.flush();
  return log;
}

const pathOf = (name: string): string => join(folder, name);
const listed = async (history: History): Promise<string[]> => (await history.list()).map(({ id }) => id);
const messagesOf = async (history: History, id: string) => (await history.open(id))?.conversation.messages;

/** Changes the bytes of a file, as a disk or a killed process might. */
async function damage(name: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  await files.writeFile(pathOf(name), change(await files.readFile(pathOf(name))));
}

describe('The history of conversations', () => {
  it('gives a question that waits to one window alone, and forgets after a day that it did', async () => {
    const [one, other] = [createHistory(folder), createHistory(folder)];
    assert.deepEqual([one.claim('a'), other.claim('a'), one.claim('a'), other.claim('b')], [true, false, false, true]);
    const before = new Date(Date.now() - dayMs - 60_000);
    await files.utimes(pathOf('a.asked'), before, before);
    assert.deepEqual(await listed(createHistory(folder)), []);
    assert.deepEqual(await files.readdir(folder), ['b.asked']);
  });

  it('gives back what was written, and lists it newest first', async () => {
    const history = createHistory(folder);
    assert.deepEqual(await history.list(), []);
    await write(history, 'old', 10);
    await write(history, 'new', 20);
    assert.deepEqual(
      (await history.list()).map(({ id, title, questions, updatedAt }) => [id, title, questions, updatedAt]),
      [
        ['new', 'Question qnew', 1, 22],
        ['old', 'Question qold', 1, 12],
      ],
    );
    const { messages } = play(turn('old', 10)).conversation;
    for (const window of [history, createHistory(folder)]) {
      assert.deepEqual(await messagesOf(window, 'old'), messages);
    }
    assert.equal(await history.open('none'), undefined);
  });

  it('lists pinned ones first, by the names that they were given, with the folder they belong to', async () => {
    const history = createHistory(folder);
    const workspace = { uri: 'file:///harbour', name: 'harbour' };
    const log = history.begin('pinned');
    log.append({ ...create('pinned'), workspace } as Action);
    for (const action of turn(1, 10)) log.append(action);
    log.append({ type: 'pin', isPinned: true, at: 20 });
    log.append({ type: 'rename', title: 'Kept', at: 21 });
    await log.flush();
    await write(history, 'new', 30);
    const [first, second] = await history.list();
    assert.deepEqual([first?.title, first?.isPinned, first?.workspace], ['Kept', true, workspace]);
    assert.deepEqual([second?.id, second?.isPinned, second?.workspace], ['new', false, undefined]);
    assert.deepEqual((await history.open('pinned'))?.conversation.workspace, workspace);
  });

  it('searches what was listed, in the order of the list, without reading a file', async () => {
    const history = createHistory(folder);
    assert.deepEqual(history.search('answer').conversations, []);
    const log = await write(history, 'old', 10);
    await write(history, 'new', 20);
    await history.list();
    await files.rename(folder, `${folder}.away`);
    const found = () =>
      history.search('answer').conversations.map(({ summary, hits }) => [summary.id, hits.map(({ line }) => line)]);
    assert.deepEqual(found(), [
      ['new', ['Answer anew']],
      ['old', ['Answer aold']],
    ]);
    await files.rename(`${folder}.away`, folder);
    log.append({ type: 'delete', ids: ['aold'], at: 30 });
    await log.flush();
    await history.remove('new');
    await history.list();
    assert.deepEqual(found(), []);
  });

  it('takes a conversation that is there as a whole', async () => {
    const history = createHistory(folder);
    await history.add([create('whole'), ...turn(1, 10), ...turn(2, 20, 'a1')]);
    assert.deepEqual(
      await messagesOf(history, 'whole'),
      play([...turn(1, 10), ...turn(2, 20, 'a1')]).conversation.messages,
    );
    assert.deepEqual(await listed(history), ['whole']);
    assert.deepEqual(await files.readdir(folder), ['whole.jsonl']);
    assert.equal((await files.stat(pathOf('whole.jsonl'))).mode & 0o777, 0o600);
  });

  it('lists no conversation that was given a model and asked nothing, but one for which a system prompt was written', async () => {
    const history = createHistory(folder);
    for (const [id, change] of [
      ['model', { model: 'other' }],
      ['prompt', { systemPrompt: 'Be brief.' }],
    ] as const) {
      const log = history.begin(id);
      log.append(create(id));
      log.append({ type: 'configure', ...change, at: 20 });
      await log.flush();
    }
    assert.deepEqual(
      (await history.list()).map(({ id }) => id),
      ['prompt'],
    );
    assert.equal((await history.open('model'))?.conversation.configured.get('model')?.value, 'other');
  });

  it('notices that a file changed since it was listed', async () => {
    const history = createHistory(folder);
    const log = await write(history, 'a');
    await history.list();
    log.append({ type: 'rename', title: 'Another name', at: 30 });
    await log.flush();
    assert.equal((await history.list())[0]?.title, 'Another name');
  });

  it('keeps all versions, and which of them is shown', async () => {
    const history = createHistory(folder);
    await write(history, 'c', 10, ...turn('b', 30), { type: 'choose', id: 'qc', at: 40 });
    const kept = await createHistory(folder).open('c');
    assert.ok(kept);
    assert.deepEqual(idsOf(kept.conversation.messages), ['qc', 'ac']);
    const chosen = reduce(kept.conversation, { type: 'choose', id: 'qb', at: 50 }).conversation;
    assert.deepEqual(idsOf(chosen.messages), ['qb', 'ab']);
  });

  it('shows an answer that was on its way as cut, and takes that back where its window writes on', async () => {
    const asked = [create('c'), ask('q', 2), answer('a', 3, 'q'), append('a', 'Half an')];
    const writing = createHistory(folder).begin('c');
    for (const action of asked) writing.append(action);
    await writing.flush();
    const kept = await createHistory(folder).open('c');
    assert.ok(kept);
    const cut = kept.conversation.messages.at(-1);
    assert.ok(cut?.role === 'assistant');
    assert.deepEqual([cut.text, cut.state, cut.error], ['Half an', 'failed', { kind: 'truncated', param: 'window' }]);
    assert.deepEqual(kept.conversation.tree.get('a'), cut);
    writing.append(append('a', ' answer'));
    await writing.flush();
    const { actions } = await kept.log.readNew();
    const last = play(actions, kept.conversation).conversation.messages.at(-1);
    assert.ok(last?.role === 'assistant');
    assert.deepEqual([last.text, last.state, last.error], ['Half an answer', 'streaming', undefined]);
  });

  it('opens all that followed a line that went bad, whichever it was', async () => {
    await write(createHistory(folder), 'c', 10, ...turn(2, 20, 'ac'), ...turn(3, 30, 'a2'));
    const whole = await files.readFile(pathOf('c.jsonl'), 'utf8');
    const texts = ['Question qc', 'Answer ac', 'Question q2', 'Answer a2', 'Question q3', 'Answer a3'];
    const shownWithout = async (line: string): Promise<string[] | undefined> => {
      assert.ok(whole.includes(line), line);
      await files.writeFile(pathOf('c.jsonl'), whole.replace(line, line.toUpperCase()));
      const kept = await createHistory(folder).open('c');
      assert.equal(kept?.corrupted, 1);
      return kept?.conversation.messages.map(({ text }) => text);
    };
    assert.deepEqual(await shownWithout('"type":"answer","id":"ac"'), texts);
    assert.deepEqual(await shownWithout('"type":"answer","id":"a2"'), texts);
    assert.deepEqual(await shownWithout('"type":"ask","id":"q2"'), texts.with(2, ''));
    assert.deepEqual(await shownWithout('"type":"ask","id":"qc"'), texts.with(0, ''));
    assert.deepEqual(await shownWithout('"type":"append","id":"a2"'), texts.with(3, ''));
    assert.deepEqual(await shownWithout('"type":"end","id":"a2"'), texts);
  });

  it('skips a line that went bad, says so, and has all the others', async () => {
    await write(createHistory(folder), 'c', 10, ...turn(2, 20, 'ac'));
    await damage('c.jsonl', (bytes) => {
      bytes[bytes.indexOf('Answer ac')] = 0x58;
      return bytes;
    });
    const kept = await createHistory(folder).open('c');
    assert.equal(kept?.corrupted, 1);
    assert.deepEqual(
      kept.conversation.messages.map(({ text }) => text),
      ['Question qc', '', 'Question q2', 'Answer a2'],
    );
  });

  it('has all the others where the first line went bad', async () => {
    await write(createHistory(folder), 'c');
    await damage('c.jsonl', (bytes) => {
      bytes[bytes.indexOf('create')] = 0x58;
      return bytes;
    });
    const kept = await createHistory(folder).open('c');
    assert.equal(kept?.corrupted, 1);
    assert.deepEqual(kept.conversation.messages, play(turn('c', 10)).conversation.messages);
  });

  it('passes over an empty file that a killed process left, and deletes it after a day', async () => {
    await files.mkdir(folder);
    for (const name of ['new.jsonl', 'old.jsonl']) await files.writeFile(pathOf(name), '');
    await age('old.jsonl', dayMs + 60_000);
    const history = createHistory(folder);
    assert.deepEqual(await history.list(), []);
    assert.deepEqual(await files.readdir(folder), ['new.jsonl']);
    assert.equal(await history.open('new'), undefined);
  });

  it('goes on after a line that a killed process left half written', async () => {
    await write(createHistory(folder), 'c', 10, ask('q2', 20, 'ac'));
    await damage('c.jsonl', (bytes) => bytes.subarray(0, -5));
    const kept = await createHistory(folder).open('c');
    assert.ok(kept);
    assert.equal(kept.corrupted, 0, 'it may be on its way');
    assert.deepEqual(idsOf(kept.conversation.messages), ['qc', 'ac']);
    kept.log.append(ask('q3', 30, 'ac'));
    await kept.log.flush();
    const again = await createHistory(folder).open('c');
    assert.equal(again?.corrupted, 1);
    assert.deepEqual(idsOf(again.conversation.messages), ['qc', 'ac', 'q3']);
  });

  it('lists files of which nothing can be read, opens none of them, and leaves them alone', async () => {
    const history = createHistory(folder);
    await write(history, 'good', Date.now() + dayMs);
    const broken = {
      'cut.jsonl': '\n00000000 {"w":"x","type":"create"',
      'noise.jsonl': 'nothing of ours\n\n',
    };
    for (const [name, content] of Object.entries(broken)) await files.writeFile(pathOf(name), content);
    const [first, ...rest] = await history.list();
    assert.deepEqual([first?.id, first?.isUnreadable], ['good', undefined]);
    assert.deepEqual(rest.map(({ id }) => id).sort(), ['cut', 'noise']);
    for (const { id, title, isUnreadable } of rest) {
      assert.deepEqual([title, isUnreadable], ['', true]);
      assert.equal(await history.open(id), undefined);
    }
    for (const [name, content] of Object.entries(broken)) {
      assert.equal(await files.readFile(pathOf(name), 'utf8'), content);
    }
  });

  it('does not take the file of one conversation for another', async () => {
    await write(createHistory(folder), 'a');
    await files.copyFile(pathOf('a.jsonl'), pathOf('b.jsonl'));
    assert.equal(await createHistory(folder).open('b'), undefined);
  });

  it('reads, writes and removes nothing outside its folder, whatever it is asked for', async () => {
    const history = createHistory(folder);
    await write(history, 'a');
    const outside = join(folder, '..', 'outside.jsonl');
    await files.copyFile(pathOf('a.jsonl'), outside);
    assert.equal(await history.open('../outside'), undefined);
    assert.throws(() => history.begin('../outside'), /malformed id/);
    await assert.rejects(history.remove('../outside'), /malformed id/);
    await assert.rejects(history.bringBack('../outside'), /malformed id/);
    assert.deepEqual(await files.readdir(join(folder, '..')), ['conversations', 'outside.jsonl']);
  });

  it('keeps its files and its folder from others', async () => {
    await write(createHistory(folder), 'a');
    const modeOf = async (path: string): Promise<number> => (await files.stat(path)).mode & 0o777;
    assert.deepEqual([await modeOf(pathOf('a.jsonl')), await modeOf(folder)], [0o600, 0o700]);
  });

  it('tells which file has changed', async () => {
    const history = createHistory(folder);
    const told: string[] = [];
    const stop = await history.watch((id) => told.push(id));
    await files.writeFile(pathOf('other.txt'), '');
    await write(createHistory(folder), 'a');
    await until(() => told.length > 0);
    stop();
    assert.deepEqual([...new Set(told)], ['a']);
  });
});

describe('Removing a conversation', () => {
  it('takes it out of the list and no other, and it can be brought back', async () => {
    const history = createHistory(folder);
    await write(history, 'a', 10);
    await write(history, 'b', 20);
    await history.remove('a');
    assert.deepEqual(await listed(history), ['b']);
    assert.equal(await history.open('a'), undefined);
    await history.bringBack('a');
    assert.deepEqual(await listed(history), ['b', 'a']);
    assert.deepEqual(await messagesOf(createHistory(folder), 'a'), play(turn('a', 10)).conversation.messages);
  });

  it('that cannot be read works as well', async () => {
    const history = createHistory(folder);
    await files.mkdir(folder);
    for (const name of ['a.jsonl', 'b.jsonl']) await files.writeFile(pathOf(name), 'noise');
    for (const id of ['a', 'b']) await history.remove(id);
    assert.deepEqual(await listed(history), []);
    for (const id of ['a', 'b']) await history.bringBack(id);
    assert.deepEqual((await listed(history)).sort(), ['a', 'b']);
  });

  it('is undone where another window goes on with it, and bringing it back then changes nothing', async () => {
    const history = createHistory(folder);
    await write(history, 'a');
    const other = await createHistory(folder).open('a');
    await history.remove('a');
    other?.log.append(ask('q2', 20, 'aa'));
    await other?.log.flush();
    assert.deepEqual(await listed(history), ['a']);
    await history.bringBack('a');
    assert.deepEqual(idsOf((await messagesOf(history, 'a')) ?? []), ['qa', 'aa', 'q2']);
  });

  it('is never undone over a file that is there', async () => {
    const history = createHistory(folder);
    await write(history, 'a');
    await history.remove('a');
    await write(history, 'a', 10, ...turn(2, 20, 'aa'));
    await history.bringBack('a');
    assert.equal((await messagesOf(history, 'a'))?.length, 4);
  });

  it('that is not there does nothing', async () => {
    const history = createHistory(folder);
    await history.remove('none');
    await history.bringBack('none');
    assert.deepEqual(await history.list(), []);
  });

  it('is for good after a day, which counts from the removal', async () => {
    const history = createHistory(folder);
    for (const id of ['long', 'now']) {
      await write(history, id);
      await age(`${id}.jsonl`, 30 * dayMs);
      await history.remove(id);
    }
    await age('long.jsonl.removed', dayMs + 60_000);
    await createHistory(folder).list();
    assert.deepEqual(await files.readdir(folder), ['now.jsonl.removed']);
    await history.bringBack('now');
    assert.deepEqual(await listed(history), ['now']);
  });
});

/** Makes a file look as if it had been written long ago. */
async function age(name: string, ms: number): Promise<void> {
  const then = new Date(Date.now() - ms);
  await files.utimes(pathOf(name), then, then);
}

describe('The folder of the history', () => {
  it('keeps nothing that a killed process did not finish to write', async () => {
    await write(createHistory(folder), 'c');
    const [half, halfOfHalf, now] = [1, 2, 1].map((count) =>
      ['c.jsonl', ...Array.from({ length: count }, () => crypto.randomUUID())].join('.'),
    ) as [string, string, string];
    for (const name of [half, halfOfHalf, now, 'notes.json.txt']) await files.writeFile(pathOf(name), '{');
    for (const name of [half, halfOfHalf]) await age(name, 2 * dayMs);
    await createHistory(folder).list();
    // What is new may be what another window is writing now.
    assert.deepEqual((await files.readdir(folder)).sort(), ['c.jsonl', now, 'notes.json.txt'].sort());
  });
});
