import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cursorOf, readCursor } from '../../../../src/search/mcp/cursor.ts';

test('a cursor is read back for the same question, and for no other', () => {
  const question = fc.array(fc.oneof(fc.string(), fc.array(fc.string())), { maxLength: 4 });
  fc.assert(
    fc.property(question, fc.nat(100), (asked, given) => {
      assert.equal(readCursor(asked, cursorOf(asked, given)), given);
      assert.equal(readCursor([...asked, 'more'], cursorOf(asked, given)), undefined);
    }),
    { numRuns: 300 },
  );
});

test('what is no cursor is none', () => {
  const good = cursorOf(['q'], 5);
  for (const odd of [
    '',
    '0',
    good.slice(1),
    `${good.slice(0, 4)}AAAA`,
    '港'.repeat(20),
    Buffer.from('-1:0123456789abcdef').toString('base64url'),
  ]) {
    assert.equal(readCursor(['q'], odd), undefined, odd);
  }
});
