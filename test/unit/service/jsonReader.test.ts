import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonBounds } from '../../../src/service/answers/jsonBuilder.ts';
import { createJsonReader } from '../../../src/service/answers/jsonReader.ts';

const wide: JsonBounds = { text: 1e6, weight: 1e7 };

function read(text: string, cut: number, bounds = wide) {
  const reader = createJsonReader(bounds);
  let used = 0;
  for (let at = 0; at < text.length && reader.state === 'open'; at += cut)
    used += reader.feed(text.slice(at, at + cut));
  reader.end();
  return { state: reader.state, value: reader.value, used };
}
const nested = (open: string, close: string, times: number): string => open.repeat(times) + close.repeat(times);

describe('JSON read in pieces', () => {
  it('gives what JSON.parse gives, wherever the text is cut', () => {
    const check = (value: unknown, cut: number, space: number): void => {
      const text = JSON.stringify(value, undefined, space);
      assert.deepEqual(read(text, cut).value, JSON.parse(text));
      assert.equal(read(text, cut).state, 'whole');
    };
    fc.assert(
      fc.property(
        fc.jsonValue({ noUnicodeString: false }).filter((value) => !JSON.stringify(value).includes('__proto__')),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 2 }),
        check,
      ),
      { numRuns: 500, seed: 8 },
    );
  });

  it('takes for broken what JSON.parse takes for broken, and for open what only breaks off', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '.5',
      'e3',
      'true',
      'nul',
      ' ',
      '\\',
      '"',
      '\n',
      '01',
    );
    const check = (parts: string[], cut: number): void => {
      const text = parts.join('');
      const { state, value, used } = read(text, cut);
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        // What follows a whole value is for the caller to look at.
        assert.ok(state !== 'whole' || text.slice(used).trim() !== '', `${JSON.stringify(text)} is ${state}`);
        return;
      }
      assert.deepEqual([state, value], ['whole', parsed], text);
    };
    fc.assert(fc.property(fc.array(pieces, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), check), {
      numRuns: 5_000,
      seed: 8,
    });
    for (const text of ['{"a":', '["a', '{"a":1', '[1,', '"\\u12', '']) assert.equal(read(text, 3).state, 'open', text);
  });

  it('says how much belonged to the value', () => {
    const reader = createJsonReader(wide);
    assert.equal(reader.feed('{"a":[1,'), 8);
    assert.equal(reader.feed('2]}\n{"b":3}'), 3);
    assert.deepEqual([reader.state, reader.value], ['whole', { a: [1, 2] }]);
    assert.equal(reader.feed('more'), 0);
  });

  it('is bounded in length, depth and weight', () => {
    assert.equal(read(JSON.stringify('x'.repeat(2_000)), 100, { text: 1_000, weight: 1e7 }).state, 'too-large');
    assert.equal(read(nested('[', ']', 100), 64).state, 'whole');
    assert.equal(read(nested('[', ']', 1_000), 64).state, 'broken');
    assert.equal(read(`[${'[],'.repeat(10_000)}1]`, 64, { text: 1e6, weight: 100_000 }).state, 'too-large');
    assert.equal(read(`[${'1'.repeat(2_000)}]`, 64).state, 'broken');
  });

  it('reads what is not kept, and keeps none of it', () => {
    const text = JSON.stringify({ text: 'x', tokens: [[1], { tokens: '"' }, 'a\\'], more: [{ tokens: 1, end: 2 }] });
    const bounds = { text: 1e6, weight: 500, without: new Set(['tokens']) };
    assert.deepEqual(read(text, 2, bounds).value, { text: 'x', more: [{ end: 2 }] });
    assert.equal(read(`{"tokens":[${'[1],'.repeat(10_000)}1]}`, 64, bounds).state, 'whole');
    assert.equal(read('{"tokens":[1,}', 64, bounds).state, 'broken');
  });

  it('gives nobody another prototype', () => {
    const { value } = read('{"__proto__":{"polluted":true},"a":1}', 5);
    assert.deepEqual(value, { a: 1 });
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });
});
