import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createBeginningJoint } from '../../../../src/chat/answering/beginningJoint.ts';

/** What is taken in of an answer that comes in pieces, and whether it is one of its own. */
function join(beginning: string, original: string, ...pieces: readonly string[]): [text: string, isAnew: boolean] {
  const joint = createBeginningJoint(beginning, original);
  const text = pieces.map((piece) => joint.take(piece)).join('') + joint.end();
  return [text, joint.isAnew];
}

const original = 'High water is at six today.';
const beginning = 'High water is at seven';

describe('An answer that is to go on from a beginning', () => {
  it('is taken in as it comes where the service goes on', () => {
    assert.deepEqual(join(beginning, original, ' o’', 'clock', '.'), [' o’clock.', false]);
    assert.deepEqual(join(beginning, original, 'teen'), ['teen', false]);
  });

  it('is without the beginning where the service writes it once more', () => {
    assert.deepEqual(join(beginning, original, 'High wat', 'er is at sev', 'en o’clock.'), [' o’clock.', false]);
    assert.deepEqual(join(beginning, original, beginning), ['', false]);
  });

  it('is told apart by half as many letters where each says more', () => {
    assert.deepEqual(join('今天天气很', '今天天气好。', '今天天气', '很糟糕。'), ['糟糕。', false]);
    assert.deepEqual(join('明天天气很', '今天天气好。', '今天天', '气好。'), ['今天天气好。', true]);
    assert.deepEqual(join('哈哈', '哈哈。', '哈哈哈'), ['哈哈哈', false]);
  });

  it('is one of its own where it begins as the beginning does, or as the answer did, and goes another way', () => {
    assert.deepEqual(join(beginning, original, 'High ', 'water comes.'), ['High water comes.', true]);
    assert.deepEqual(join('Low', original, 'High ', 'water ', 'comes.'), ['High water comes.', true]);
  });

  it('is not taken for one of its own by a few letters, or where lines begin in the same way', () => {
    assert.deepEqual(join(beginning, original, 'Hi', 'ghly likely.'), ['Highly likely.', false]);
    const code = 'export const a = 1;\n';
    assert.deepEqual(join(code, `${code}let b;`, 'export const b = 2;'), ['export const b = 2;', false]);
    assert.deepEqual(join('ha', 'hi there', 'ha', ' ha'), ['ha ha', false]);
    assert.deepEqual(join('========', '=====', '========', '='), ['=========', false]);
  });

  it('has what was held back where it ends early, but for a part of the beginning', () => {
    assert.deepEqual(join('Low', original, 'High'), ['High', false]);
    assert.deepEqual(join(beginning, original, 'High'), ['High', false]);
    assert.deepEqual(join(beginning, original, 'High water'), ['', false]);
  });

  it('loses nothing that does not repeat, however it is cut into pieces', () => {
    const words = fc.array(fc.constantFrom('High', ' water', ' is', ' at', ' six', '\n', 'x'), { maxLength: 12 });
    fc.assert(
      fc.property(words, words, words, (one, other, pieces) => {
        const [start, old, whole] = [one.join(''), other.join(''), pieces.join('')];
        const cut = join(start, old, ...pieces);
        assert.deepEqual(cut, join(start, old, ...[...whole]));
        const [text] = cut;
        if (text !== whole) assert.ok(whole === start + text || start.startsWith(whole), `${start}|${whole}|${text}`);
      }),
    );
  });
});
