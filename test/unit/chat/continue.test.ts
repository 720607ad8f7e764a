import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../../../src/base/errors.ts';
import { continuePrompt } from '../../../src/chat/answering/continuation.ts';
import { emptyConversation } from '../../../src/chat/conversation/conversation.ts';
import { replay } from '../../../src/chat/conversation/reduce.ts';
import { answer as answering, append, ask as asking, end, play, turn } from './actions.ts';
import {
  attachment,
  fails,
  hangs,
  lastAnswer,
  type Script,
  says,
  setUp,
  setUpFrom,
  text,
  textsOf,
  thinks,
  withResolvers,
} from './sessions.ts';
import { until } from './until.ts';

const cut = new ServiceError('truncated');

describe('Going on with a cut answer', () => {
  it('sends what led to it, the answer as far as it came, and an instruction, and joins the two at the words that are repeated', async () => {
    const { session, requests } = setUp(says('a0'), fails(cut, 'The quick brown'), says('quick brown', ' fox'));
    await session.ask('q0', []);
    const half = await session.ask('q1', [attachment]);
    const whole = await session.continue(half?.id ?? '');
    assert.equal(whole?.text, 'The quick brown fox');
    assert.equal(whole?.state, 'complete');
    const sent = requests[2]?.messages.map(({ role, content }) => `${role}: ${content}`) ?? [];
    assert.deepEqual(sent.toSpliced(2, 1), [
      'user: q0',
      'assistant: a0',
      'assistant: The quick brown',
      `user: ${continuePrompt}`,
    ]);
    assert.match(sent[2] ?? '', /^user: q1\n\nFrom src\/a\.ts, line 3:/);
  });

  it('leaves one version, which has all of the text and thoughts', async () => {
    const { session } = setUp(thinks('Hm.', 'The quick brown', cut), says(' fox'));
    const half = await session.ask('q1', []);
    await session.continue(half?.id ?? '');
    const shown = lastAnswer(session.conversation.messages);
    assert.deepEqual([shown.text, shown.reasoning, shown.versions], ['The quick brown fox', 'Hm.', undefined]);
    assert.deepEqual([...session.conversation.deleted], [half?.id]);
  });

  it('keeps what was there where all that came since turns out to be thoughts', async () => {
    const replaces: Script = async function* () {
      yield text('I go on.');
      yield { type: 'replace', choice: 0, text: '', reasoning: 'I go on.' };
      yield text(' fox');
    };
    const { session } = setUp(thinks('Hm.', 'The quick brown', cut), replaces);
    const half = await session.ask('q1', []);
    await session.continue(half?.id ?? '');
    const shown = lastAnswer(session.conversation.messages);
    assert.deepEqual([shown.text, shown.reasoning], ['The quick brown fox', 'Hm.I go on.']);
  });

  it('goes on more than once, as a token limit may ask for', async () => {
    const limited = (part: string) =>
      async function* () {
        yield text(part);
        yield { type: 'finish', choice: 0, reason: 'length' } as const;
      };
    const { session, requests } = setUp(limited('one '), limited('two '), says('three'));
    const first = await session.ask('Count.', []);
    const second = await session.continue(first?.id ?? '');
    assert.equal(second?.finishReason, 'length');
    const third = await session.continue(second?.id ?? '');
    assert.deepEqual([third?.text, third?.finishReason, third?.versions], ['one two three', 'stop', undefined]);
    assert.equal(requests[2]?.messages[1]?.content, 'one two ');
  });

  it('loses nothing where it fails, and can be tried again', async () => {
    const { session } = setUp(
      fails(cut, 'The quick'),
      fails(new ServiceError('auth')),
      fails(cut, ' brown'),
      says(' fox'),
    );
    const first = await session.ask('q1', []);
    const second = await session.continue(first?.id ?? '');
    assert.deepEqual([second?.text, second?.state, second?.error?.kind], ['The quick', 'failed', 'auth']);
    const third = await session.continue(second?.id ?? '');
    assert.deepEqual([third?.text, third?.error?.kind], ['The quick brown', 'truncated']);
    const fourth = await session.continue(third?.id ?? '');
    assert.deepEqual([fourth?.text, fourth?.state], ['The quick brown fox', 'complete']);
    assert.equal(session.conversation.messages.length, 2);
  });

  it('loses nothing where it is stopped before a word has come', async () => {
    const gate = withResolvers();
    const { session, requests } = setUp(fails(cut, 'The quick'), async function* (signal) {
      await Promise.race([gate.promise, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      throw new ServiceError('cancelled');
    });
    const first = await session.ask('q1', []);
    const going = session.continue(first?.id ?? '');
    await until(() => requests.length === 2);
    await session.stop();
    const stopped = await going;
    assert.deepEqual([stopped?.text, stopped?.state], ['The quick', 'stopped']);
  });

  it('keeps the cut answer as a version where something was asked after it', async () => {
    const { session } = setUp(fails(cut, 'The quick'), says('a2'), says(' fox'));
    const half = await session.ask('q1', []);
    await session.ask('q2', []);
    const whole = await session.continue(half?.id ?? '');
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', 'The quick fox']);
    assert.deepEqual(lastAnswer(session.conversation.messages).versions, [half?.id, whole?.id]);
    session.choose(half?.id ?? '');
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', 'The quick', 'q2', 'a2']);
  });

  it('keeps the cut answer as a version where another window may still be writing it', async () => {
    const begun = play([asking('q', 2), answering('a', 3, 'q'), append('a', 'The quick')]).conversation;
    const presumed = { ...lastAnswer(begun.messages), state: 'failed', isPresumedCut: true } as const;
    const tree = new Map([...begun.tree, ['a', presumed]]);
    const messages = begun.messages.with(-1, presumed);
    const { session } = setUpFrom({ ...begun, tree, messages }, says(' fox'));
    const whole = await session.continue('a');
    session.follow([append('a', ' hare'), end('a', 9)]);
    assert.equal(whole?.text, 'The quick fox');
    assert.deepEqual(lastAnswer(session.conversation.messages).versions, ['a', whole?.id]);
    session.choose('a');
    assert.deepEqual(textsOf(session.conversation.messages), ['Question q', 'The quick hare']);
  });

  it('comes to one tree in two windows that both go on with it', async () => {
    const first = setUpFrom(replay(emptyConversation('c', 1), halfTurn), says(' fox'));
    const second = setUpFrom(replay(emptyConversation('c', 1), halfTurn), says(' hare'));
    second.time.now = 2001;
    second.ids.next = 100;
    await first.session.continue('a1');
    await second.session.continue('a1');
    const [fromFirst, fromSecond] = [[...first.actions], [...second.actions]];
    first.session.follow(fromSecond);
    second.session.follow(fromFirst);
    assert.deepEqual(first.session.conversation.messages, second.session.conversation.messages);
    const shown = lastAnswer(first.session.conversation.messages);
    assert.deepEqual([shown.text, shown.versions?.length], ['Answer a1 hare', 2]);
  });

  it('stops a running answer first, and goes on with that one', async () => {
    const { session, gathering } = setUp(hangs('The quick'), says(' fox'));
    const asked = session.ask('q1', []);
    await until(() => gathering.length > 0);
    const [, running] = session.conversation.messages;
    assert.equal((await session.continue(running?.id ?? ''))?.text, 'The quick fox');
    assert.equal((await asked)?.state, 'stopped');
  });

  it('does nothing for an answer that is whole, or not there', async () => {
    const { session, requests } = setUp(says('whole'));
    const whole = await session.ask('q1', []);
    for (const id of [whole?.id ?? '', 'nowhere', session.conversation.messages[0]?.id ?? '']) {
      assert.equal(await session.continue(id), undefined);
    }
    assert.equal(requests.length, 1);
  });
});

const halfTurn = [...turn(1, 10).slice(0, 3), end('a1', 12, { state: 'stopped' })];
