import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Action,
  type Conversation,
  emptyConversation,
  type Message,
  titleOf,
} from '../../../../src/chat/conversation/conversation.ts';
import { conversationActions } from '../../../../src/chat/conversation/conversationActions.ts';
import { forkActions } from '../../../../src/chat/conversation/fork.ts';
import { replay } from '../../../../src/chat/conversation/reduce.ts';
import { parseAction } from '../../../../src/chat/history/actionSchema.ts';
import { actionsOf, answer, append, ask, describing, end, play, randomSteps, turn } from '../actions.ts';
import { attachment, textsOf } from '../sessions.ts';

const workspace = { uri: 'file:///harbour', name: 'harbour' };

/** What comes of a fork, with ids of its own. */
function forked(from: Conversation, message: string): Conversation {
  let ids = 0;
  const actions = forkActions(from, message, { id: 'f', at: 1000, title: 'Fork', workspace }, () => `new${ids++}`);
  return replay(emptyConversation('f', 1000), actions);
}

const without = ({ id: _, parent: _parent, versions: _versions, ...rest }: Message) => rest;

describe('A fork', () => {
  const facts = { model: 'm', usage: { totalTokens: 9 }, timings: { firstTokenMs: 3 }, finishReason: 'stop' };
  const { conversation } = play([
    ...[ask('q1', 10, undefined, { attachments: [attachment], label: 'Explain' }), answer('a1', 11, 'q1')],
    ...[append('a1', 'Hm.', 'reasoning'), append('a1', 'One'), describing('a1', facts), end('a1', 12)],
    ...[answer('a1b', 13, 'q1'), append('a1b', 'Other'), end('a1b', 14, { state: 'failed', error: { kind: 'reset' } })],
    { type: 'choose', id: 'a1', at: 20 },
    ...turn(2, 30, 'a1'),
    ...turn(3, 40, 'a2'),
  ]);

  it('from an answer has the path up to it: texts, attachments and facts, under new ids', () => {
    const fork = forked(conversation, 'a2');
    assert.deepEqual(fork.messages.map(without), conversation.messages.slice(0, 4).map(without));
    assert.equal(fork.tree.size, 4, 'other versions stay behind');
    assert.ok([...fork.tree.keys()].every((id) => !conversation.tree.has(id)));
  });

  it('from a question has what led to it, so that it can be asked in other words', () => {
    assert.deepEqual(textsOf(forked(conversation, 'q2').messages), ['Question q1', 'One']);
    assert.deepEqual(forked(conversation, 'q1').messages, []);
  });

  it('belongs to the folder that is open, is the newest, and has the name that it is given', () => {
    const fork = forked(conversation, 'a1');
    assert.deepEqual([fork.workspace, fork.createdAt, fork.updatedAt, titleOf(fork)], [workspace, 1000, 1000, 'Fork']);
  });

  it('leaves out what is deleted, and an answer whose question is', () => {
    const less = play([{ type: 'delete', ids: ['q2'], at: 50 }], conversation).conversation;
    assert.deepEqual(textsOf(less.messages), ['Question q1', 'One', 'Answer a2', 'Question q3', 'Answer a3']);
    assert.deepEqual(textsOf(forked(less, 'a3').messages), ['Question q1', 'One', 'Question q3', 'Answer a3']);
  });

  it('of a message that is not there is empty', () => {
    assert.deepEqual(forked(conversation, 'nowhere').messages, []);
  });
});

describe('The actions of a conversation', () => {
  it('come to the same conversation again, and are such as a file has', () => {
    fc.assert(
      fc.property(randomSteps(60), (steps) => {
        const before = play([{ type: 'create', id: 'c', at: 1, workspace }, ...actionsOf(steps, { name: 'm' })]);
        const actions = conversationActions(before.conversation);
        const stored = actions.map((action) => JSON.parse(JSON.stringify(action)) as Action);
        for (const action of stored) assert.ok(parseAction(action), JSON.stringify(action));
        const after = replay(emptyConversation('c', 1), stored);
        assert.deepEqual(comparable(after), comparable(before.conversation));
      }),
      { seed: 8, numRuns: 500 },
    );
  });
});

/** All but what only tells of the past: when something was restored, or last touched. */
function comparable({ seq: _, updatedAt: _at, deletedAt: _deleted, tree, deleted, ...rest }: Conversation) {
  return { ...rest, tree: [...tree.values()], deleted: [...deleted].sort() };
}
