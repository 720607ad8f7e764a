import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../../../src/base/errors.ts';
import { emptyConversation } from '../../../src/chat/conversation/conversation.ts';
import { conversationActions } from '../../../src/chat/conversation/conversationActions.ts';
import { replay } from '../../../src/chat/conversation/reduce.ts';
import { parseAction } from '../../../src/chat/history/actionSchema.ts';
import type { TokenLogprob } from '../../../src/service/chat/completion.ts';
import { fails, finish, hangs, lastAnswer, type Script, says, setUp, text, textsOf, thinks } from './sessions.ts';
import { until } from './until.ts';

const tokens: TokenLogprob[] = [{ token: 'High water is at seven', logprob: -1, bytes: null, top: [] }];
const fork = { beginning: 'High water is at seven', tokens };
const original = 'High water is at six today.';

describe('An answer that goes on from another token', () => {
  it('is asked for with a request that ends with its beginning, and is a version that has all of it', async () => {
    const { session, requests } = setUp(says('a0'), says(original), says(' o’', 'clock.'));
    await session.ask('q0', []);
    const first = await session.ask('q1', []);
    const forked = await session.forkToken(first?.id ?? '', fork);
    assert.deepEqual(
      requests[2]?.messages.map(({ role, content }) => `${role}: ${content}`),
      ['user: q0', 'assistant: a0', 'user: q1', 'assistant: High water is at seven'],
    );
    assert.equal(forked?.text, 'High water is at seven o’clock.');
    assert.deepEqual([forked.state, forked.fork], ['complete', { at: 22 }]);
    assert.deepEqual(lastAnswer(session.conversation.messages).versions, [first?.id, forked.id]);
    assert.equal(session.conversation.deleted.size, 0);
    session.choose(first?.id ?? '');
    assert.deepEqual(textsOf(session.conversation.messages), ['q0', 'a0', 'q1', original]);
  });

  it('can be forked again, also in the middle of a conversation', async () => {
    const { session, requests } = setUp(says(original), says('a2'), says(' o’clock.'), says(' noon.'));
    const first = await session.ask('q1', []);
    await session.ask('q2', []);
    const second = await session.forkToken(first?.id ?? '', fork);
    const third = await session.forkToken(second?.id ?? '', { beginning: 'High water is at seven in the', tokens: [] });
    assert.equal(third?.text, 'High water is at seven in the noon.');
    assert.equal(requests[3]?.messages.at(-1)?.content, 'High water is at seven in the');
    assert.deepEqual(lastAnswer(session.conversation.messages).versions, [first?.id, second?.id, third.id]);
    session.choose(first?.id ?? '');
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', original, 'q2', 'a2']);
  });

  it('keeps the thoughts that led to its beginning', async () => {
    const { session } = setUp(thinks('Hm.', original, new ServiceError('truncated')), says(' o’clock.'));
    const first = await session.ask('q1', []);
    const forked = await session.forkToken(first?.id ?? '', fork);
    assert.deepEqual([forked?.reasoning, forked?.text], ['Hm.', 'High water is at seven o’clock.']);
  });

  it('has its beginning once where the service writes it again', async () => {
    const { session } = setUp(says(original), says('High water', ' is at seven', ' o’clock.'));
    const first = await session.ask('q1', []);
    const forked = await session.forkToken(first?.id ?? '', fork);
    assert.deepEqual([forked?.text, forked?.fork?.isAnew], ['High water is at seven o’clock.', undefined]);
  });

  it('is what came where the service begins anew, and says so', async () => {
    const anew: Script = async function* () {
      yield { type: 'reasoning', choice: 0, text: 'Again.' };
      yield text('High ');
      yield text('water comes at six.');
      yield finish;
    };
    const { session, actions } = setUp(thinks('Hm.', original, new ServiceError('truncated')), anew);
    const first = await session.ask('q1', []);
    const forked = await session.forkToken(first?.id ?? '', fork);
    assert.deepEqual([forked?.text, forked?.reasoning], ['High water comes at six.', 'Hm.Again.']);
    assert.deepEqual(forked?.fork, { at: 22, isAnew: true });
    // Another window, and the file, come to the same.
    const kept = replay(
      emptyConversation('c', 1),
      actions.map((action) => parseAction(JSON.parse(JSON.stringify(action))) ?? action),
    );
    assert.deepEqual(kept.messages.at(-1), session.conversation.messages.at(-1));
    const copied = replay(emptyConversation('c', 1), conversationActions(session.conversation));
    assert.deepEqual(lastAnswer(copied.messages).fork, { at: 22, isAnew: true });
  });

  it('is what came where that turns out to be another text than it seemed', async () => {
    const replaces: Script = async function* () {
      yield text('Thinking aloud');
      yield { type: 'replace', choice: 0, text: '', reasoning: 'Thinking aloud' };
      yield text(' o’clock.');
    };
    const { session } = setUp(says(original), replaces);
    const first = await session.ask('q1', []);
    const forked = await session.forkToken(first?.id ?? '', fork);
    assert.deepEqual([forked?.text, forked?.reasoning], ['High water is at seven o’clock.', 'Thinking aloud']);
  });

  it('keeps its beginning where the service refuses it, and can be continued in words', async () => {
    const { session, requests } = setUp(says(original), fails(new ServiceError('bad-request')), says(' o’clock.'));
    const first = await session.ask('q1', []);
    const refused = await session.forkToken(first?.id ?? '', fork);
    assert.deepEqual([refused?.state, refused?.text, refused?.error?.kind], ['failed', fork.beginning, 'bad-request']);
    const whole = await session.continue(refused?.id ?? '');
    assert.equal(whole?.text, 'High water is at seven o’clock.');
    assert.equal(requests[2]?.messages.at(-1)?.role, 'user');
  });

  it('stops a running answer first', async () => {
    const { session, gathering } = setUp(hangs('High water is'), says(' seven.'));
    const asked = session.ask('q1', []);
    await until(() => gathering.length > 0);
    const running = session.conversation.messages.at(-1);
    const forked = await session.forkToken(running?.id ?? '', { beginning: 'High water was', tokens: [] });
    assert.deepEqual([forked?.text, (await asked)?.state], ['High water was seven.', 'stopped']);
  });

  it('is none of a question, or of what is not there', async () => {
    const { session, requests } = setUp(says(original));
    await session.ask('q1', []);
    for (const id of ['nowhere', session.conversation.messages[0]?.id ?? ''])
      assert.equal(await session.forkToken(id, fork), undefined);
    assert.equal(requests.length, 1);
  });
});
