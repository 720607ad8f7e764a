import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createToolNames } from '../../../src/models/requests/toolNames.ts';
import { completeSchema } from '../../../src/models/requests/toolSchema.ts';

describe('The name of a tool', () => {
  it('is sent in signs that fit, and given back as it was', () => {
    const given = ['ok_tool', 'restartNode.js', 'Read File', '读取文件', 'größe', 'x'.repeat(80), 'mcp/server:tool'];
    const names = createToolNames(given);
    const sent = given.map(names.sent);
    for (const name of sent) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.equal(new Set(sent).size, given.length);
    assert.deepEqual(sent.map(names.given), given);
    assert.deepEqual(sent.slice(0, 3), ['ok_tool', 'restartNode_js', 'Read_File']);
  });

  it('is one of its own, though two would be alike', () => {
    const given = ['a_b', 'a.b', 'a b', 'é'.repeat(70), 'è'.repeat(70), '删除', '创建'];
    const names = createToolNames(given);
    assert.equal(new Set(given.map(names.sent)).size, given.length);
    assert.equal(names.sent('a_b'), 'a_b', 'a name that fits stays');
    assert.deepEqual(given.map(names.sent).map(names.given), given);
  });

  it('fits, too, where the tool is not offered any more', () => {
    assert.equal(createToolNames([]).sent('restartNode.js'), 'restartNode_js');
    assert.equal(createToolNames([]).sent('ok'), 'ok');
    assert.equal(createToolNames(['a.b']).given('unknown'), 'unknown');
  });
});

describe('The schema of a tool', () => {
  it('is that of an object with properties, where a part of that is missing', () => {
    const empty = { type: 'object', properties: {} };
    for (const schema of [
      undefined,
      null,
      {},
      { type: 'object' },
      { type: null },
      'x',
      [],
      { type: 'object', properties: null },
    ])
      assert.deepEqual(completeSchema(schema), empty);
    assert.deepEqual(completeSchema({ type: 'object', additionalProperties: false }), {
      ...empty,
      additionalProperties: false,
    });
    assert.deepEqual(completeSchema({ properties: { a: {} }, required: ['a', 5] }), {
      type: 'object',
      properties: { a: {} },
      required: ['a'],
    });
    assert.deepEqual(completeSchema({ $schema: 'x', type: ['object', 'null'] }), empty);
  });

  it('has items for each list', () => {
    const list = { type: 'array', items: {} };
    assert.deepEqual(
      completeSchema({ type: 'object', properties: { ids: { type: 'array' }, more: { type: ['array', 'null'] } } }),
      {
        type: 'object',
        properties: { ids: list, more: { type: ['array', 'null'], items: {} } },
      },
    );
    const nested = { a: { type: 'object', properties: { b: { anyOf: [{ type: 'array' }, { type: 'string' }] } } } };
    assert.deepEqual(completeSchema({ properties: nested })['properties'], {
      a: { type: 'object', properties: { b: { anyOf: [list, { type: 'string' }] } } },
    });
    // A property may be named as a keyword is, and a value may look like a schema.
    const odd = {
      type: { type: 'string' },
      b: { default: { type: 'array' } },
      c: { type: 'array', prefixItems: [{}] },
    };
    assert.deepEqual(completeSchema({ properties: odd })['properties'], odd);
  });

  it('stays as it is where it is whole', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: ['string', 'null'] } },
      required: ['a'],
      $defs: { b: {} },
    };
    assert.deepEqual(completeSchema(schema), schema);
  });
});
