import assert from 'node:assert/strict';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Conversation, emptyConversation, reduce } from '../../../../src/chat/conversation.ts';
import { createHistory } from '../../../../src/chat/history/history.ts';

function conversation(id: string, at: number, text = `Question of ${id}`): Conversation {
  const asked = reduce(emptyConversation(id, at), { type: 'ask', id: 'q', answerId: 'a', text, attachments: [], at });
  const said = reduce(asked.conversation, { type: 'append', field: 'text', text: 'An answer.' });
  return reduce(said.conversation, { type: 'end', state: 'complete', totalMs: 9, at }).conversation;
}

describe('The history of conversations', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await files.mkdtemp(join(tmpdir(), 'parley-history-')), 'conversations');
  });
  afterEach(() => files.rm(join(folder, '..'), { recursive: true }));

  it('gives back what was saved, and lists it newest first', async () => {
    const history = createHistory(folder);
    assert.deepEqual(await history.list(), []);
    await history.save(conversation('old', 10));
    await history.save(conversation('new', 20));
    assert.deepEqual(
      (await history.list()).map(({ id, title }) => [id, title]),
      [
        ['new', 'Question of new'],
        ['old', 'Question of old'],
      ],
    );
    const { messages } = conversation('old', 10);
    assert.deepEqual((await history.load('old'))?.messages, messages);
  });

  it('leaves a damaged file out, and leaves it alone', async () => {
    const history = createHistory(folder);
    await history.save(conversation('good', 10));
    for (const [name, content] of [
      ['cut.json', '{"version":1,"id":"cut","mess'],
      ['other.json', '{"version":1,"id":"other","createdAt":1,"updatedAt":1,"messages":[{"role":"robot"}]}'],
      ['future.json', '{"version":2}'],
      ['empty.json', ''],
    ] as const) {
      await files.writeFile(join(folder, name), content);
    }
    assert.deepEqual(
      (await history.list()).map(({ id }) => id),
      ['good'],
    );
    assert.equal(await history.load('cut'), undefined);
    assert.equal((await files.readdir(folder)).length, 5);
  });

  it('keeps the old file when writing the new one fails midway', async () => {
    const history = createHistory(folder);
    await history.save(conversation('c', 10));
    const [question, answer] = conversation('c', 20, 'x'.repeat(200_000)).messages;
    assert.ok(question !== undefined && answer !== undefined);
    const failing = Object.defineProperty({ ...answer }, 'text', {
      enumerable: true,
      get: () => {
        throw new Error('disk full');
      },
    });
    await assert.rejects(history.save({ ...conversation('c', 20), messages: [question, failing] }), /disk full/);
    assert.equal((await createHistory(folder).load('c'))?.updatedAt, 10);
    assert.deepEqual(await files.readdir(folder), ['c.json']);
    await history.save(conversation('c', 30));
    assert.equal((await history.load('c'))?.updatedAt, 30);
  });

  it('writes states of one conversation in the order they were saved', async () => {
    const history = createHistory(folder);
    await Promise.all([1, 2, 3, 4, 5].map((at) => history.save(conversation('c', at))));
    assert.equal((await history.load('c'))?.updatedAt, 5);
    assert.deepEqual(await files.readdir(folder), ['c.json']);
  });

  it('shows an answer that was on its way as cut off', async () => {
    const asking = reduce(emptyConversation('c', 1), {
      type: 'ask',
      id: 'q',
      answerId: 'a',
      text: 'Why?',
      attachments: [],
      at: 1,
    });
    const half = reduce(asking.conversation, { type: 'append', field: 'text', text: 'Half an' }).conversation;
    const history = createHistory(folder);
    await history.save(half);
    const last = (await history.load('c'))?.messages.at(-1);
    assert.ok(last?.role === 'assistant');
    assert.equal(last.text, 'Half an');
    assert.equal(last.state, 'failed');
    assert.equal(last.error?.kind, 'truncated');
  });

  it('deletes one conversation and no other', async () => {
    const history = createHistory(folder);
    await history.save(conversation('a', 1));
    await history.save(conversation('b', 2));
    await history.remove('a');
    assert.deepEqual(
      (await history.list()).map(({ id }) => id),
      ['b'],
    );
  });

  it('deletes what was left of a conversation when a process was killed', async () => {
    const history = createHistory(folder);
    await history.save(conversation('a', 1));
    for (const name of ['a.json.new', 'a.json.1f0c', 'ab.json.1f0c']) await files.writeFile(join(folder, name), '{');
    assert.deepEqual(
      (await history.list()).map(({ id }) => id),
      ['a'],
    );
    await history.remove('a');
    assert.deepEqual(await files.readdir(folder), ['ab.json.1f0c']);
  });

  it('reads and deletes nothing outside its folder, whatever it is asked for', async () => {
    const history = createHistory(folder);
    await history.save(conversation('a', 1));
    const outside = join(folder, '..', 'outside.json');
    await files.writeFile(outside, await files.readFile(join(folder, 'a.json')));
    assert.equal(await history.load('../outside'), undefined);
    await history.remove('../outside');
    assert.ok((await files.stat(outside)).isFile());
  });

  it('notices that a file changed since it was listed', async () => {
    const history = createHistory(folder);
    await history.save(conversation('a', 1, 'First'));
    await history.list();
    await history.save(conversation('a', 2, 'Another first line'));
    assert.equal((await history.list())[0]?.title, 'Another first line');
  });
});
