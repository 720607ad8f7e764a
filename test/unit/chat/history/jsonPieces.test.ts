import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { jsonPieces } from '../../../../src/chat/history/jsonPieces.ts';

describe('JSON in pieces', () => {
  it('is the JSON of the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.deepEqual(JSON.parse([...jsonPieces(value)].join('')), JSON.parse(JSON.stringify(value)));
      }),
      { seed: 8, numRuns: 500 },
    );
    assert.equal([...jsonPieces({ a: undefined, b: [] })].join(''), '{"b":[]}');
  });

  it('comes in pieces of a bounded length, and cuts no character', () => {
    const value = { messages: [{ text: `a${'\u{1f600}'.repeat(500_000)}` }, { text: '"'.repeat(200_000) }] };
    const pieces = [...jsonPieces(value)];
    assert.ok(pieces.length > 16);
    assert.ok(pieces.every((piece) => piece.length < 512 * 1024));
    assert.deepEqual(JSON.parse(pieces.join('')), value);
  });
});
