import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  canContinue,
  continuationMessages,
  createJoint,
  overlapOf,
} from '../../../../src/chat/answering/continuation.ts';
import type { Answer } from '../../../../src/chat/conversation/conversation.ts';

/** The text of an answer that goes on with pieces. */
function joined(old: string, ...pieces: readonly string[]): string {
  const joint = createJoint(old);
  return old + pieces.map((piece) => joint.take(piece)).join('') + joint.end();
}

describe('An answer that goes on from its last words', () => {
  it('has the words that the model repeats only once', () => {
    assert.equal(joined('The quick brown', 'quick brown fox'), 'The quick brown fox');
    assert.equal(joined('It will conti', 'continue to the end.'), 'It will continue to the end.');
    assert.equal(joined('One.\nconst a = f(', 'const a = f(1);'), 'One.\nconst a = f(1);');
    assert.equal(joined('Er sagte: 船は港に', '船は港に着いた。'), 'Er sagte: 船は港に着いた。');
  });

  it('has them only once in scripts that put no blanks between words', () => {
    assert.equal(joined('今天天气很好我们一起去', '一起去公园。'), '今天天气很好我们一起去公园。');
    assert.equal(joined('これは長い文章の', '文章の続きです。'), 'これは長い文章の続きです。');
    assert.equal(joined('วันนี้อากาศดีเราไป', 'เราไปเที่ยว'), 'วันนี้อากาศดีเราไปเที่ยว');
    assert.equal(joined('오늘은 날씨가 좋아서', '좋아서 산책했다'), '오늘은 날씨가 좋아서 산책했다');
    assert.equal(joined('谢谢', '谢我'), '谢谢谢我', 'one letter');
    assert.equal(joined('खुशी', 'शी है'), 'खुशीशी है', 'the end of a word');
  });

  it('has all that is new, where that only begins like the end of the old text', () => {
    assert.equal(joined('if (a) {\n  }', '}\nelse'), 'if (a) {\n  }}\nelse', 'a bracket after a bracket');
    assert.equal(joined('The sum is 10', '000.'), 'The sum is 10000.', 'a digit after a digit');
    assert.equal(joined('a banana', 'nano'), 'a banananano', 'the end of a word');
    assert.equal(joined('Ha ha', ' ha ha'), 'Ha ha ha ha', 'short words');
    assert.equal(joined('- one\n- two\n', '- three\n'), '- one\n- two\n- three\n');
  });

  it('has the longest repetition taken out, and nothing else, whatever the texts are', () => {
    const word = fc.constantFrom('ab', 'abc', 'abcd', ' ', '\n', '}', '1', 'é', '船', '-');
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, text, (before, repeated, after) => {
        const old = before + repeated;
        const fresh = repeated + after;
        const length = overlapOf(old, fresh);
        assert.ok(old.endsWith(fresh.slice(0, length)));
        const isCounted = overlapOf(old, repeated) === repeated.length;
        if (isCounted) assert.ok(length >= repeated.length);
        assert.equal(joined(old, fresh), old + fresh.slice(length));
      }),
      { seed: 8, numRuns: 2000 },
    );
  });

  it('is the same however its pieces are cut', () => {
    const word = fc.constantFrom('ab', 'abc', ' ', 'de', '\n');
    const texts = fc.array(word, { maxLength: 20 });
    fc.assert(
      fc.property(texts, texts, (old, pieces) => {
        assert.equal(joined(old.join(''), ...pieces), joined(old.join(''), pieces.join('')));
      }),
      { seed: 8, numRuns: 2000 },
    );
  });

  it('holds back no more than the end of the old text is long', () => {
    const joint = createJoint('ab'.repeat(5000));
    let given = 0;
    for (let i = 0; i < 2000; i++) given += joint.take('ab').length;
    assert.equal(given + joint.end().length, 2000, 'the longest end that is looked for is taken out');
  });

  it('asks with a last message of the user, which every service takes', () => {
    const [partial, instruction, ...rest] = continuationMessages('Half an');
    assert.deepEqual([partial, rest], [{ role: 'assistant', content: 'Half an' }, []]);
    assert.equal(instruction?.role, 'user');
  });
});

describe('Continue', () => {
  const answer: Answer = {
    ...{ role: 'assistant', id: 'a', parent: 'q', at: 1, text: 'Half', reasoning: '', timings: {} },
    state: 'stopped',
  };
  const cases: [string, Partial<Answer>, boolean][] = [
    ['was stopped', {}, true],
    ['broke off', { state: 'failed', error: { kind: 'reset' } }, true],
    ['is presumed to be cut', { state: 'failed', error: { kind: 'truncated' }, isPresumedCut: true }, true],
    ['reached its token limit', { state: 'complete', finishReason: 'length' }, true],
    ['reached a limit, in other words', { state: 'complete', finishReason: 'model_context_window_exceeded' }, true],
    ['is whole, in other words', { state: 'complete', finishReason: 'eos' }, false],
    ['is whole', { state: 'complete', finishReason: 'stop' }, false],
    ['is being written', { state: 'streaming' }, false],
    ['has no words', { text: ' \n' }, false],
    ['was filtered', { state: 'failed', error: { kind: 'content-filter' } }, false],
    ['was declined', { state: 'complete', declined: true, finishReason: 'length' }, false],
  ];
  it('is offered where nobody knows the reason for which an answer ended', () => {
    assert.ok(canContinue({ ...answer, state: 'complete', finishReason: 'pause_turn' }));
  });

  for (const [what, more, isOffered] of cases) {
    it(`is ${isOffered ? '' : 'not '}offered for an answer that ${what}`, () => {
      assert.equal(canContinue({ ...answer, ...more }), isOffered);
    });
  }
});
