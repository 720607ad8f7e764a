import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkValue } from '../../../../src/chat/structured/check/checkValue.ts';
import { pathText } from '../../../../src/chat/structured/violation.ts';

/** Of each kind of the JSON Schema test suite: a schema, values that fit, and values that do not, with where and why. */
const table: readonly (readonly [
  name: string,
  schema: unknown,
  fits: readonly unknown[],
  fails: readonly (readonly [value: unknown, ...places: string[]])[],
])[] = [
  ['a schema of true or false', true, [1, null], []],
  ['false', false, [], [[1, ' never']]],
  [
    'type',
    { type: 'integer' },
    [1, 1.0, -3],
    [
      [1.5, ' type'],
      ['1', ' type'],
      [null, ' type'],
    ],
  ],
  ['several types', { type: ['string', 'null'] }, ['a', null], [[1, ' type']]],
  ['type number', { type: 'number' }, [1, 1.5], [[true, ' type']]],
  ['required', { required: ['a'] }, [{ a: 1 }, 'no object'], [[{ b: 1 }, ' missing']]],
  [
    'enum',
    { enum: [1, 'a', { b: [1] }] },
    [1, 'a', { b: [1] }],
    [
      ['b', ' enum'],
      [{ b: [2] }, ' enum'],
    ],
  ],
  ['const', { const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [[{ a: 1 }, ' const']]],
  ['const null', { const: null }, [null], [[0, ' const']]],
  [
    'what is nested',
    { properties: { a: { type: 'array', items: { properties: { b: { type: 'string' } } } } } },
    [{ a: [{ b: 'x' }] }],
    [[{ a: [{ b: 'x' }, { b: 1 }] }, 'a[1].b type']],
  ],
  ['items as a list', { items: [{ type: 'string' }], additionalItems: false }, [['a'], []], [[['a', 1], '[1] never']]],
  [
    'prefixItems',
    { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    [['a', 1]],
    [[[1, 'b'], '[0] type', '[1] type']],
  ],
  [
    'bounds of lists',
    { minItems: 1, maxItems: 2 },
    [[1]],
    [
      [[], ' minItems'],
      [[1, 2, 3], ' maxItems'],
    ],
  ],
  ['uniqueItems', { uniqueItems: true }, [[1, '1', [1]]], [[[{ a: 1, b: 2 }, 0, { b: 2, a: 1 }], '[2] same']]],
  [
    'contains',
    { contains: { const: 1 }, maxContains: 1 },
    [[1, 2]],
    [
      [[2], ' contains'],
      [[1, 1], ' contains'],
    ],
  ],
  [
    '$defs and $ref',
    { $defs: { port: { type: 'string' } }, properties: { to: { $ref: '#/$defs/port' } } },
    [{ to: 'Kiel' }],
    [[{ to: 3 }, 'to type']],
  ],
  ['an anchor', { $defs: { a: { $anchor: 'p', type: 'string' } }, $ref: '#p' }, ['x'], [[1, ' type']]],
  [
    'names with signs in a pointer',
    { $defs: { 'a/b~c%': { type: 'null' } }, $ref: '#/$defs/a~1b~0c%25' },
    [null],
    [[1, ' type']],
  ],
  [
    'a tree',
    { properties: { next: { $ref: '#' }, of: { type: 'number' } }, additionalProperties: false },
    [{ next: { next: { of: 1 } } }],
    [[{ next: { next: { of: 'x', b: 1 } } }, 'next.next.of type', 'next.next.b extra']],
  ],
  [
    'siblings of $ref, which count but in old drafts',
    { $defs: { a: {} }, $ref: '#/$defs/a', type: 'string' },
    ['x'],
    [[1, ' type']],
  ],
  [
    'allOf',
    { allOf: [{ minimum: 1 }, { maximum: 2 }] },
    [1],
    [
      [0, ' minimum'],
      [3, ' maximum'],
    ],
  ],
  ['anyOf', { anyOf: [{ minLength: 3 }, { maxLength: 1 }] }, ['a', 'abc'], [['ab', ' anyOf']]],
  [
    'anyOf, told by the form that was meant',
    {
      anyOf: [
        { properties: { kind: { const: 'a' }, size: { type: 'number' } }, required: ['kind', 'size'] },
        { properties: { kind: { const: 'b' } }, required: ['kind'] },
      ],
    },
    [{ kind: 'b' }],
    [[{ kind: 'a', size: 'big' }, 'size type']],
  ],
  ['oneOf', { oneOf: [{ minimum: 2 }, { multipleOf: 3 }] }, [2, 0], [[6, ' oneOf']]],
  ['not', { not: { type: 'string' } }, [1], [['a', ' not']]],
  [
    'if, then, else',
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: { type: 'string' }, then: { minLength: 2 }, else: { minimum: 5 } },
    ['ab', 5],
    [
      ['a', ' minLength'],
      [1, ' minimum'],
    ],
  ],
  [
    'additionalProperties',
    { properties: { a: {} }, additionalProperties: false },
    [{ a: 1 }],
    [[{ a: 1, b: 2 }, 'b extra']],
  ],
  [
    'additionalProperties with a schema',
    { additionalProperties: { type: 'number' } },
    [{ a: 1 }],
    [[{ 'a b': 'x' }, '["a b"] type']],
  ],
  [
    'patternProperties',
    { patternProperties: { '^n_': { type: 'number' } }, additionalProperties: false },
    [{ n_a: 1 }],
    [[{ n_a: 'x', m: 1 }, 'n_a type', 'm extra']],
  ],
  ['propertyNames', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [[{ abc: 1 }, 'abc name']]],
  [
    'bounds of objects',
    { minProperties: 1, maxProperties: 1 },
    [{ a: 1 }],
    [
      [{}, ' minProperties'],
      [{ a: 1, b: 2 }, ' maxProperties'],
    ],
  ],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{}, { a: 1, b: 1 }], [[{ a: 1 }, ' needs']]],
  [
    'numbers',
    { exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
    [0.3, 0.7],
    [
      [0, ' above'],
      [1, ' below'],
      [0.25, ' multipleOf'],
    ],
  ],
  [
    'cents of any amount',
    { multipleOf: 0.01 },
    [10_000_000.01, -123_456_789_012.5, 1e22, 0, 0.07],
    [
      [10_000_000.011, ' multipleOf'],
      [0.015, ' multipleOf'],
      [1e-7, ' multipleOf'],
    ],
  ],
  ['multiples of very small numbers', { multipleOf: 1e-8 }, [1e-7, 1.5e-7, 3], [[1.5e-8, ' multipleOf']]],
  ['a pattern in either of its dialects', { format: 'regex' }, ['^a\\_$', '^\\p{L}$'], [['(', ' format']]],
  ['numbers of draft 4', { minimum: 0, exclusiveMinimum: true }, [1], [[0, ' above']]],
  [
    'lengths, in characters',
    { minLength: 2, maxLength: 2 },
    ['👩👧', 'ab'],
    [
      ['👩', ' minLength'],
      ['abc', ' maxLength'],
    ],
  ],
  [
    'pattern',
    { pattern: '^\\p{Lu}\\w{2,3}$' },
    ['Abc'],
    [
      ['abc', ' pattern'],
      ['Abcde', ' pattern'],
    ],
  ],
  [
    'format date',
    { format: 'date' },
    ['2024-02-29', 5],
    [
      ['2023-02-29', ' format'],
      ['29.02.2024', ' format'],
    ],
  ],
  [
    'format date-time',
    { format: 'date-time' },
    ['2026-11-28T06:40:00Z', '2026-11-28T06:40:00.5+01:00'],
    [
      ['2026-11-28 06:40', ' format'],
      ['2026-11-28T25:00:00Z', ' format'],
    ],
  ],
  [
    'format email',
    { format: 'email' },
    ['a.b@kiel.example'],
    [
      ['a@', ' format'],
      ['a b@c.d', ' format'],
    ],
  ],
  ['format uuid', { format: 'uuid' }, ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'], [['2eb8aa08', ' format']]],
  [
    'format uri',
    { format: 'uri' },
    ['https://a.example/b?c=%20'],
    [
      ['/a', ' format'],
      ['http:// a', ' format'],
    ],
  ],
  [
    'format ipv4',
    { format: 'ipv4' },
    ['127.0.0.1'],
    [
      ['256.0.0.1', ' format'],
      ['127.1', ' format'],
    ],
  ],
  ['format ipv6', { format: 'ipv6' }, ['::1', 'fe80::a'], [['1::2::3', ' format']]],
  ['a format that nobody knows', { format: 'tide' }, ['x'], []],
  ['keywords of other values', { minimum: 5, minLength: 5, required: ['a'], items: false }, [null, true], []],
];

describe('a value is checked against a schema', () => {
  for (const [name, schema, fits, fails] of table) {
    test(name, () => {
      for (const value of fits) assert.deepEqual(checkValue(schema, value).violations, [], JSON.stringify(value));
      for (const [value, ...places] of fails) {
        const found = checkValue(schema, value).violations.map(({ path, fault }) => `${pathText(path)} ${fault.kind}`);
        assert.deepEqual(found, places, JSON.stringify(value));
      }
    });
  }

  test('$ref alone counts in draft 7', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { a: {} },
      $ref: '#/definitions/a',
      type: 'string',
    };
    assert.deepEqual(checkValue(schema, 1).violations, []);
  });

  test('names of members that objects have by birth are names like any other', () => {
    const schema = {
      properties: { constructor: { type: 'string' } },
      required: ['toString'],
      additionalProperties: false,
    };
    const found = checkValue(schema, JSON.parse('{"__proto__": 1}')).violations;
    assert.deepEqual(
      found.map(({ fault }) => fault.kind),
      ['missing', 'extra'],
    );
  });
});

describe('a hostile schema', () => {
  const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

  test('in circles is checked as far as it says anything, and the circle is told', () => {
    for (const schema of [
      { $ref: '#' },
      { allOf: [{ $ref: '#' }], type: 'string' },
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    ]) {
      const { unchecked, isWhole } = checkValue(schema, 'x');
      assert.deepEqual([unchecked[0]?.kind, isWhole], ['circle', true]);
    }
  });

  test('that would take for ever is ended, and that is told', () => {
    const twice = {
      $defs: { a: { allOf: [{ items: { $ref: '#/$defs/a' } }, { items: { $ref: '#/$defs/a' } }] } },
      $ref: '#/$defs/a',
    };
    const forms = {
      anyOf: [
        { items: { $ref: '#' }, minItems: 2 },
        { items: { $ref: '#' }, maxItems: 0 },
      ],
    };
    for (const schema of [twice, forms]) assert.equal(checkValue(schema, deep(90)).isWhole, false);
  });

  test('with patterns that would take for ever is matched all the same', () => {
    const { violations, isWhole } = checkValue({ items: { pattern: '^(a+)+$' } }, [`${'a'.repeat(10_000)}b`, 'aaa']);
    assert.deepEqual([violations.length, violations[0]?.path, isWhole], [1, [0], true]);
  });

  test('has its parts found by addresses that are told from its own', () => {
    const $id = 'https://tide.example/order.json';
    const find = ($ref: string, $defs: object) => checkValue({ $id, $defs, properties: { a: { $ref } } }, { a: 'x' });
    for (const [reference, id] of [
      ['line.json', 'https://tide.example/line.json'],
      ['https://tide.example/line.json', 'line.json'],
      ['/line.json', './line.json'],
    ] as const)
      assert.equal(find(reference, { line: { $id: id, type: 'integer' } }).violations.length, 1, reference);
    const own = find('order.json#/$defs/n', { n: { type: 'integer' } });
    assert.deepEqual([own.violations.length, own.unchecked], [1, []]);
    assert.deepEqual(
      find('other.json', { line: { $id: 'line.json', type: 'integer' } }).unchecked.map(({ kind }) => kind),
      ['remote'],
    );
  });

  test('refers to the network in vain, or to nowhere', () => {
    const schema = {
      allOf: [{ $ref: 'https://evil.example/s.json' }, { $ref: 'other.json#/a' }, { $ref: '#/nowhere' }],
    };
    assert.deepEqual(checkValue(schema, 1).unchecked, [
      { kind: 'remote', text: 'https://evil.example/s.json' },
      { kind: 'remote', text: 'other.json#/a' },
      { kind: 'lost', text: '#/nowhere' },
    ]);
  });

  test('has its patterns that are none, and those that look back, passed over', () => {
    const schema = {
      allOf: [{ pattern: '(' }, { pattern: '(?<=a)b' }, { pattern: '(a)\\1' }, { pattern: 'a'.repeat(5000) }],
    };
    assert.deepEqual(
      checkValue(schema, 'x').unchecked.map(({ kind }) => kind),
      ['pattern', 'pattern', 'pattern', 'pattern'],
    );
  });

  test('whose types are words of another dialect is not held against the answer, and that is told', () => {
    const schema = { type: 'OBJECT', properties: { a: { type: 'STRING' }, b: { type: ['float', 'null'] } } };
    const { violations, unchecked } = checkValue(schema, { a: 'x', b: 1.5 });
    assert.deepEqual(violations, []);
    assert.deepEqual(
      unchecked.map(({ text }) => text),
      ['"type": "OBJECT"', '"type": "STRING"', '"type": "float"'],
    );
    assert.equal(checkValue({ type: 'string' }, 1).violations.length, 1);
  });

  test('has a bound on what is told', () => {
    const { violations, hasMore } = checkValue(
      { items: { type: 'string' } },
      Array.from({ length: 100_000 }, () => 1),
    );
    assert.deepEqual([violations.length, hasMore], [200, true]);
  });

  test('whatever it is, is checked without an error, and in bounds', () => {
    const keyword = fc.constantFrom(
      ...[
        'type',
        'enum',
        'const',
        'items',
        'prefixItems',
        'properties',
        'required',
        'anyOf',
        'oneOf',
        'allOf',
        'not',
        'if',
        'then',
        '$ref',
      ],
      ...[
        'pattern',
        'format',
        'minimum',
        'multipleOf',
        'uniqueItems',
        'contains',
        'additionalProperties',
        'patternProperties',
        '$defs',
        '$id',
      ],
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('#', '#/$defs/a', '#/items', '(a+)+$', 'string', 'array'),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.dictionary(keyword, tie('schema'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(schema, fc.jsonValue(), (given, value) => {
        const { violations } = checkValue(given, value);
        for (const { path } of violations) {
          const at = path.reduce<unknown>((of, key) => (of as Record<string | number, unknown>)[key], value);
          assert.notEqual(at, undefined, 'each place is there');
        }
      }),
    );
  });
});
