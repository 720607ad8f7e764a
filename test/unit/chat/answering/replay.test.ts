import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canReplay, compareReplay, compareWords } from '../../../../src/chat/answering/replay.ts';
import type { Answer } from '../../../../src/chat/conversation/conversation.ts';
import { exportJson } from '../../../../src/chat/exchange/exportJson.ts';
import { finish, says, setUp, text } from '../sessions.ts';

const answer: Answer = { role: 'assistant', id: 'a', at: 1, text: '', reasoning: '', state: 'complete', timings: {} };
const request = (hash: string) => ({ askedWith: { model: 'm', parameters: {}, request: hash } });

describe('A replay', () => {
  it('counts the words that are others, and names the first', () => {
    const cases: [before: string, after: string, words: number, differing: number, firstWord?: string][] = [
      ['', '', 0, 0],
      ['The tide is high.', 'The tide is high.', 5, 0],
      ['The tide is high.', 'The tide is high.\n', 5, 0],
      ['The tide is high.', 'The tide is low.', 5, 1, 'high'],
      ['The tide is high.', 'The tide is very high.', 5, 1, 'very'],
      ['The tide is high.', 'The tide', 5, 3, 'is'],
      ['one two three four', 'one 2 3 four', 4, 2, 'two'],
      ['潮位は高い。', '潮位は低い。', 4, 1, '高い'],
      ['Wasser für Boote', 'Wasser fur Boote', 3, 1, 'für'],
    ];
    for (const [before, after, words, differing, firstWord] of cases) {
      const expected = { words, differing, ...(firstWord === undefined ? {} : { firstWord }) };
      assert.deepEqual(compareWords(before, after), expected, after);
    }
  });

  it('says so where only the blanks between the words are others, which code may mean', () => {
    const same = { words: 5, differing: 0, hasOtherBlanks: true };
    assert.deepEqual(compareWords('The tide is high.', 'The  tide\nis high.'), same);
    assert.deepEqual(compareWords('if x:\n    a()\n    b()', 'if x:\n    a()\nb()').hasOtherBlanks, true);
    assert.equal(compareWords('The tide is high.', 'The  tide is low.').hasOtherBlanks, undefined);
  });

  it('holds for any two texts: no word differs where they are the same, and some where a word is another', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        assert.equal(compareWords(one, one).differing, 0);
        const { words = 0, differing = 0 } = compareWords(one, other);
        assert.ok(differing >= 0 && (words > 0 || differing > 0 || one.trim() === '' || other === one));
      }),
    );
  });

  it('says only that long texts, and those that have nothing in common, are others', () => {
    const long = 'tide '.repeat(100_000);
    assert.deepEqual(compareWords(long, long), { differing: 0 });
    assert.deepEqual(compareWords(long, `${long}!`), {});
    const numbers = Array.from({ length: 6_000 }, (_, at) => at).join(' ');
    assert.deepEqual(compareWords(numbers, numbers.replaceAll(/\d+/g, 'x$&')), { words: 6_000 });
  });

  it('says whether the request and the fingerprint are those of then', () => {
    const compare = (before: Partial<Answer>, after: Partial<Answer>) => {
      const { isSameRequest, isSameFingerprint } = compareReplay({ ...answer, ...before }, { ...answer, ...after });
      return [isSameRequest, isSameFingerprint];
    };
    assert.deepEqual(compare(request('r'), request('r')), [true, undefined]);
    assert.deepEqual(compare(request('r'), request('s')), [false, undefined]);
    assert.deepEqual(compare({}, {}), [false, undefined]);
    const [one, other] = [{ systemFingerprint: 'fp_1' }, { systemFingerprint: 'fp_2' }];
    assert.deepEqual([compare(one, one)[1], compare(one, other)[1], compare({}, other)[1]], [true, false, undefined]);
  });

  it('is of an answer that ended by itself, and of which is known with what it was asked for', () => {
    assert.ok(canReplay({ ...answer, ...request('r') }));
    assert.ok(!canReplay(answer));
    for (const state of ['streaming', 'stopped', 'failed'] as const)
      assert.ok(!canReplay({ ...answer, ...request('r'), state }), state);
  });

  it('asks with the model and the parameters of then, whatever the conversation has now', async () => {
    const { session, requests, models } = setUp(says('high water'), says('low water'));
    session.configure({ model: 'tide', parameters: { seed: 7, temperature: 1, n: 3 } });
    const first = await session.ask('When?', []);
    session.configure({ model: 'other', parameters: { seed: 8, temperature: null } });
    const again = await session.replay(first?.id ?? '');
    assert.deepEqual(models, ['tide', 'tide']);
    assert.deepEqual(requests[1]?.fields, { temperature: 1, seed: 7 });
    assert.deepEqual(again?.replay, {
      of: first?.id,
      ...{ words: 2, differing: 1, firstWord: 'high', isSameRequest: true },
    });
    assert.deepEqual(session.conversation.messages.at(-1)?.versions, [first?.id, again?.id]);
    assert.ok(!exportJson([session.conversation]).includes('undefined'));
  });

  it('says that the request is another one where the system prompt is', async () => {
    const { session } = setUp(says('high water'), says('high water'));
    const first = await session.ask('When?', []);
    session.configure({ systemPrompt: 'Be brief.' });
    const again = await session.replay(first?.id ?? '');
    assert.deepEqual([again?.replay?.isSameRequest, again?.replay?.differing], [false, 0]);
  });

  it('that was cut says nothing of how it differs', async () => {
    const { session } = setUp(says('high water'), async function* () {
      yield text('hi');
      throw new Error('gone');
    });
    const first = await session.ask('When?', []);
    const again = await session.replay(first?.id ?? '');
    assert.deepEqual([again?.state, again?.replay], ['failed', undefined]);
  });
});

describe('What is kept of a request', () => {
  it('are the rate limits with the time at which they are whole again, and after what it was sent again', async () => {
    const { session, requests } = setUp(async function* () {
      requests[0]?.onRetry?.(Object.assign(new Error(), { status: 429 }) as never);
      requests[0]?.onRetry?.(new Error() as never);
      yield { type: 'limits', limits: { requests: { remaining: 59, limit: 60, resetMs: 500 } } };
      yield finish;
    });
    const kept = await session.ask('When?', []);
    assert.deepEqual(kept?.limits, { requests: { remaining: 59, limit: 60, resetAt: 1500 } });
    assert.deepEqual(kept?.retriedAfter, [429, 0]);
    assert.equal(kept?.askedWith?.model, 'm');
  });
});
