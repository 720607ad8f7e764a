import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readObject } from '../../../src/base/jsonText.ts';
import { assertGrowsNoFaster } from '../../support/growth.ts';

describe('An object that is nearly JSON', () => {
  const meant: [text: string, value: unknown][] = [
    ['{"x": 1}', { x: 1 }],
    ['', {}],
    [' \n', {}],
    ['null', {}],
    ['"{}"', {}],
    ['"{\\"x\\": 1}"', { x: 1 }],
    ['"\\"{\\\\\\"x\\\\\\": 1}\\""', { x: 1 }],
    ['```json\n{"x": 1}\n```', { x: 1 }],
    ['~~~\n{"x": [1, 2,],}\n~~~', { x: [1, 2] }],
    ['{"x": 1,\n}', { x: 1 }],
    ['{"x": {"y": 1}', { x: { y: 1 } }],
    ['{"x": [1, 2]', { x: [1, 2] }],
    ['{"x": 1}}', { x: 1 }],
    ['{"x": 1}]', { x: 1 }],
    ['{"x": "one\ntwo\tthree"}', { x: 'one\ntwo\tthree' }],
    ["{'x': 'y', 'z': [True, None, False]}", { x: 'y', z: [true, null, false] }],
    ['{"x": True}', { x: true }],
    ['{"x": "a } b, ] c,"}}', { x: 'a } b, ] c,' }],
    ['{"größe": "大"}}', { größe: '大' }],
    ['{\\"x\\": 1}', { x: 1 }],
    ['""', {}],
    ['None', {}],
    ['`{"x":1}`', { x: 1 }],
    ['\uFEFF{"x":1}', { x: 1 }],
    ['{"x":1}<|im_end|>', { x: 1 }],
    ['{"x":1}\n</tool_call>\n</s>', { x: 1 }],
    ['{"x":1},', { x: 1 }],
    ['{"x":["a","b"}', { x: ['a', 'b'] }],
    ['{"x":[1]]}', { x: [1] }],
    ['{"x": 1] }', { x: 1 }],
    ['{"x":1}}}]', { x: 1 }],
    [`{'a': 'say "hi"', "b": 'it\\'s'}`, { a: 'say "hi"', b: "it's" }],
    ['{path: "a.ts", größe: 1}', { path: 'a.ts', größe: 1 }],
    ['{"a":"C:\\Windows\\System32"}', { a: 'C:\\Windows\\System32' }],
    ['{"a":"\\d+\\.\\w"}', { a: '\\d+\\.\\w' }],
    ['{}{"x":1}', { x: 1 }],
    ['null{"x":1}', { x: 1 }],
    ['{"x":1}{}', { x: 1 }],
    ['{"x":1}{"x":1}', { x: 1 }],
  ];
  for (const [text, value] of meant)
    it(`is read where it has one meaning: ${JSON.stringify(text)}`, () => assert.deepEqual(readObject(text), value));

  const others = [
    ...['{"x":', '{"x": 1,', '{"x": {"y": [1', '{"x": "y', 'look here', '[1]', '7', '"text"', 'true', '{', '{x:'],
    ...["{'x': 'it's'}", '{"x": 1} {"y": 2}', '{"x": y}', '{"x" 1}', '// {"x": 1}', 'path=src/a.ts', '{"at":'],
    ...['{"a":1} and more', 'Here: {"a":1}', '{"a":"say "hi""}', '{"a":1 "b":2}', '{"a":[1}{"b":2]', '{"{"a":1}"}'],
    ...['{"a":"C:\\dir\\new"}', '{"a":"\\x41"}', '{"a":NaN}', '{"a":{"b":{"c":1}'],
  ];
  for (const text of others)
    it(`is none where it has no meaning, or two: ${JSON.stringify(text)}`, () =>
      assert.equal(readObject(text), undefined));

  it('keeps the digits of a number that would be rounded', () => {
    assert.deepEqual(
      readObject('{"id": 12345678901234567890, "n": 9007199254740992, "f": 1e30, "s": -9007199254740993}'),
      {
        id: '12345678901234567890',
        n: 9007199254740992,
        f: 1e30,
        s: '-9007199254740993',
      },
    );
  });

  it('is read in a time that grows with the text and no faster', async () => {
    for (const part of [' ', '}', '{', ',', "'", '"', '\\', '\n', '```\n', '{}', '<|a|>', '{"a":'])
      await assertGrowsNoFaster((size) => readObject(`\`\`\`\n${part.repeat(size)}x`), 20_000, part);
  });

  it('is what JSON says where it is JSON, and never an error', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        assert.deepEqual(readObject(JSON.stringify(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
    const parts = fc.constantFrom('{', '}', '[', ']', '"', "'", ',', ':', '\\', '\n', 'x', '1', 'True', '```', ' ');
    fc.assert(fc.property(fc.array(parts), (texts) => void readObject(texts.join(''))));
  });
});
