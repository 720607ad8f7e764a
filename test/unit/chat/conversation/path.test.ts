import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Action, Conversation, Message } from '../../../../src/chat/conversation/conversation.ts';
import { reachable } from '../../../../src/chat/conversation/path.ts';
import { actionsOf, answer, append, ask, end, idsOf, play, randomSteps, turn } from '../actions.ts';
import { says, setUp, setUpFrom, textsOf } from '../sessions.ts';

describe('A question right after a question, because the line of an answer was lost', () => {
  // The answer to q1 was in the lost line; q2 was asked when there was none.
  const lost: Action[] = [ask('q1', 10), ask('q2', 20, 'q1'), answer('a2', 21, 'q2'), end('a2', 22)];

  it('is shown after it', () => {
    assert.deepEqual(idsOf(play(lost).conversation.messages), ['q1', 'q2', 'a2']);
  });

  it('is no version of the answers to it, and follows them', () => {
    const answered = play([...lost, answer('a1', 30, 'q1'), end('a1', 31)]).conversation;
    assert.deepEqual(idsOf(answered.messages), ['q1', 'a1', 'q2', 'a2']);
    assert.ok(answered.messages.every(({ versions }) => versions === undefined));
    const twice = play([answer('a1b', 40, 'q1'), end('a1b', 41)], answered).conversation;
    assert.deepEqual(idsOf(twice.messages), ['q1', 'a1b', 'q2', 'a2']);
    assert.deepEqual(twice.messages[1]?.versions, ['a1', 'a1b']);
  });

  it('is a version of what is asked after such an answer', () => {
    const followed = play([...lost, answer('a1', 30, 'q1'), end('a1', 31), ...turn(3, 40, 'a1')]).conversation;
    assert.deepEqual(idsOf(followed.messages), ['q1', 'a1', 'q3', 'a3']);
    assert.deepEqual(followed.messages[2]?.versions, ['q2', 'q3']);
    const back = play([{ type: 'choose', id: 'q2', at: 50 }], followed).conversation;
    assert.deepEqual(idsOf(back.messages), ['q1', 'a1', 'q2', 'a2']);
  });
});

describe('Deleting one of several versions', () => {
  /** A question with three answers, of which the second was followed. */
  const three: Action[] = [
    ...turn(1, 10),
    ...['a1b', 'a1c'].flatMap((id, i) => [answer(id, 20 + i, 'q1'), append(id, id), end(id, 22 + i)]),
    ...turn(2, 30, 'a1b'),
  ];
  const choosing = (id: string): Action => ({ type: 'choose', id, at: 40 });
  const sessionOf = (...actions: readonly Action[]) => setUpFrom(play(actions).conversation).session;

  it('shows the one after it, and before it where it was the last one', () => {
    for (const [id, shown] of [
      ['a1', 'a1b'],
      ['a1b', 'a1c'],
      ['a1c', 'a1b'],
    ] as const) {
      const session = sessionOf(...three, choosing(id));
      session.delete(id);
      assert.equal(session.conversation.messages[1]?.id, shown);
    }
  });

  it('is undone with what followed it, also after another version was chosen', () => {
    const session = sessionOf(...three, choosing('a1b'));
    const before = session.conversation.messages;
    const ids = session.delete('a1b');
    assert.deepEqual(idsOf(session.conversation.messages), ['q1', 'a1c']);
    session.choose('a1');
    session.restore(ids);
    assert.deepEqual(session.conversation.messages, before);
  });

  it('takes the versions of its question along, and is undone the same', async () => {
    const { session } = setUp(says('a1'), says('a1b'));
    await session.ask('q1', []);
    await session.edit(session.conversation.messages[0]?.id ?? '', 'q1b');
    const before = session.conversation.messages;
    const ids = session.delete(before[0]?.id ?? '');
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', 'a1']);
    session.restore(ids);
    assert.deepEqual(session.conversation.messages, before);
  });
});

describe('The messages that can be shown', () => {
  it('are those of all versions, but for deleted ones and what followed only those', () => {
    const { conversation } = play([
      ...turn(1, 10),
      ...turn(2, 20, 'a1'),
      ...turn('1b', 30),
      ...[answer('a2b', 40, 'q2'), append('a2b', 'Another'), end('a2b', 41)],
    ]);
    const found = (...deleted: string[]): string[] => idsOf(reachable({ ...conversation, deleted: new Set(deleted) }));
    assert.deepEqual(found(), ['q1', 'a1', 'q2', 'a2', 'q1b', 'a1b', 'a2b']);
    assert.deepEqual(found('a1'), ['q1', 'q2', 'a2', 'q1b', 'a1b', 'a2b'], 'what followed a deleted answer stays');
    assert.deepEqual(found('q1', 'a1'), ['q1b', 'a1b'], 'what followed a deleted version is gone with it');
    assert.deepEqual(found('a2'), ['q1', 'a1', 'q2', 'q1b', 'a1b', 'a2b']);
  });

  it('are exactly those that can be brought onto the path, and each is brought there', () => {
    fc.assert(
      fc.property(randomSteps(40), (steps) => {
        const { conversation } = play(actionsOf(steps, { name: 'm' }));
        const found = reachable(conversation);
        for (const message of found) assert.ok(isOnPath(revealed(conversation, message), message), message.id);
        for (const message of conversation.tree.values()) {
          if (found.includes(message)) continue;
          assert.ok(!isOnPath(revealed(conversation, message), message), message.id);
        }
      }),
      { seed: 8, numRuns: 500 },
    );
  });
});

const revealed = (conversation: Conversation, { id }: Message): Conversation => {
  const { session } = setUpFrom(conversation);
  session.reveal(id);
  return session.conversation;
};
const isOnPath = ({ messages }: Conversation, { id }: Message): boolean => messages.some((each) => each.id === id);
