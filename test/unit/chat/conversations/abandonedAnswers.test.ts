import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Event } from 'vscode';
import { createAbandonedAnswers } from '../../../../src/chat/ui/conversations/abandonedAnswers.ts';
import type { LiveConversation } from '../../../../src/chat/ui/conversations/liveConversation.ts';
import { answer, append, ask, end } from '../actions.ts';
import { lastAnswer, setUp } from '../sessions.ts';

/** A conversation that another window writes into, and the answers that were cut in this one. */
function beside() {
  const { session } = setUp();
  const conversation = { session } as unknown as LiveConversation;
  let listener: (taken: { conversation: LiveConversation }) => void = () => {};
  const onTake = ((listen: typeof listener) => {
    listener = listen;
    return { dispose: () => (listener = () => {}) };
  }) as Event<{ conversation: LiveConversation }>;
  const cut: string[] = [];
  const abandoned = createAbandonedAnswers(onTake, () => cut.push(lastAnswer(session.conversation.messages).text), 60);
  const hear = (...actions: Parameters<typeof session.follow>[0]): void => {
    session.follow(actions);
    listener({ conversation });
  };
  return { session, cut, hear, abandoned };
}

describe('An answer of another window', () => {
  it('is cut off when nothing more is heard of it, and leaves the way to what waits', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { session, cut, hear } = beside();
    hear(ask('q', 2), answer('a', 3, 'q'), append('a', 'Half'));
    t.mock.timers.tick(59);
    assert.deepEqual(cut, []);
    hear(append('a', ' more'));
    t.mock.timers.tick(59);
    assert.deepEqual(cut, [], 'each sign of life counts anew');
    t.mock.timers.tick(1);
    assert.deepEqual(cut, ['Half more']);
    assert.equal(lastAnswer(session.conversation.messages).state, 'failed');
    hear(append('a', ' after all'));
    assert.equal(lastAnswer(session.conversation.messages).state, 'streaming');
    t.mock.timers.tick(60);
    assert.deepEqual(cut, ['Half more', 'Half more after all']);
  });

  it('is left alone when it ended, and when nobody listens any more', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { cut, hear, abandoned } = beside();
    hear(ask('q', 2), answer('a', 3, 'q'), append('a', 'All'), end('a', 9));
    t.mock.timers.tick(1000);
    hear(ask('r', 12, 'a'), answer('b', 13, 'r'), append('b', 'Some'));
    abandoned.dispose();
    t.mock.timers.tick(1000);
    assert.deepEqual(cut, []);
  });
});
