import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyLineEdits } from '../../../../src/edits/place/lines/lineEdit.ts';
import { streamedEdits } from '../../../../src/edits/review/streamedEdit.ts';

const file = ['above', '  one', '  two', '  three', '  four', 'below'];
const selection = { first: 1, last: 4 };
const shown = (text: string) => applyLineEdits(file, streamedEdits(text, file, selection));

describe('an edit that comes in', () => {
  it('is shown line by line, once each is whole', () => {
    assert.deepEqual(shown('Sure:\n\n```ts\n  one\n  TW'), file);
    assert.deepEqual(shown('Sure:\n\n```ts\n  one\n  TWO\n'), file.with(2, '  TWO'));
    assert.deepEqual(shown('Sure:\n\n```ts\n  one\n  TWO\n  three\n'), file.with(2, '  TWO'));
    assert.deepEqual(shown('Sure:\n\n```ts\n  one\n  TWO\n  three\n```\n'), file.with(2, '  TWO').toSpliced(4, 1));
  });

  it('takes no line away that was not reached yet', () => {
    assert.deepEqual(shown('```\n  one\n'), file);
    assert.deepEqual(shown('```\n'), file);
    assert.deepEqual(shown('No fence'), file);
  });

  it('has the indentation of the selection where the model took it off', () => {
    assert.deepEqual(shown('```\none\nTWO\n'), file.with(2, '  TWO'));
  });

  it('is not shown where it is no code that takes the place of other code', () => {
    assert.deepEqual(streamedEdits('```\n<<<<<<< SEARCH\n  one\n=======\n', file, selection), []);
    assert.deepEqual(streamedEdits('```diff\n--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n', file, selection), []);
  });

  it('once it is whole is what the code says, wherever it was looked at before', () => {
    const line = fc.constantFrom('a', 'b', '  c', '', '}');
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 10 }),
        fc.array(line, { minLength: 1, maxLength: 10 }),
        fc.nat(200),
        (old, code, cut) => {
          const text = `\`\`\`ts\n${code.join('\n')}\n\`\`\`\n`;
          const whole = { first: 0, last: old.length - 1 };
          const partly = applyLineEdits(old, streamedEdits(text.slice(0, cut), old, whole));
          assert.ok(partly.length <= old.length + code.length);
          if (/^\s/.test(old.find((each) => each.trim() !== '') ?? '')) return;
          assert.deepEqual(applyLineEdits(old, streamedEdits(text, old, whole)), code);
        },
      ),
    );
  });
});
