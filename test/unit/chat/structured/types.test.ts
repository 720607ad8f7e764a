import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import * as z from 'zod';
import { checkValue } from '../../../../src/chat/structured/check/checkValue.ts';
import { typeScriptText } from '../../../../src/chat/structured/types/typeScriptText.ts';
import { typesOfSchema } from '../../../../src/chat/structured/types/typesOfSchema.ts';
import { typesOfValue } from '../../../../src/chat/structured/types/typesOfValue.ts';
import { zodText } from '../../../../src/chat/structured/types/zodText.ts';

/** What is written in code as zod has it, run with zod itself. */
function zodOf(code: string): z.ZodType {
  const exported: Record<string, () => z.ZodType> = {};
  const module = { exports: exported as Record<string, unknown> };
  new Function('module', 'exports', 'require', scriptOf(code))(module, exported, () => ({ z }));
  return (Object.values(module.exports).at(-1) as z.ZodType | undefined) ?? assert.fail('nothing is exported');
}

/** Code without its types. @throws where it is no TypeScript */
function scriptOf(code: string): string {
  return transformSync(code, { loader: 'ts', format: 'cjs', target: 'es2022', logLevel: 'silent' }).code;
}

/** What is left of declarations of types alone: nothing, where they are nothing else. */
function codeLeftOf(types: string): string {
  return transformSync(types, { loader: 'ts', format: 'esm', logLevel: 'silent' }).code;
}

const order = {
  title: 'Order book',
  description: 'What was */ ordered',
  type: 'object',
  required: ['id', 'lines'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', format: 'uuid' },
    lines: { type: 'array', minItems: 1, items: { $ref: '#/$defs/line' } },
    state: { enum: ['open', 'shut'] },
    'odd-name': { type: ['string', 'null'], description: 'May be\nnothing' },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    place: { prefixItems: [{ type: 'number' }, { type: 'number' }], minItems: 2, items: false },
  },
  $defs: { line: { type: 'object', properties: { of: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/line' }] } } } },
};

describe('the type of a schema', () => {
  test('is written as TypeScript', () => {
    assert.equal(
      typeScriptText(typesOfSchema(order, 'x')),
      `export interface Line {
  of?: string | Line;
}

/** What was *\\/ ordered */
export interface OrderBook {
  id: string;
  lines: Line[];
  state?: "open" | "shut";
  /** May be nothing */
  "odd-name"?: string | null;
  counts?: Record<string, number>;
  place?: [number, number];
}
`,
    );
  });

  test('is written for zod, which then takes the same values', () => {
    const schema = zodOf(zodText(typesOfSchema(order, 'x')));
    const good = {
      id: '2eb8aa08-aa98-41ea-b4aa-73b441d16380',
      lines: [{ of: { of: 'x' } }],
      'odd-name': null,
      counts: { a: 1 },
      place: [1, 2],
    };
    const bad = [
      { ...good, id: 'x' },
      { ...good, lines: [] },
      { ...good, state: 'ajar' },
      { ...good, more: 1 },
      { ...good, counts: { a: 'x' } },
      { ...good, place: [1] },
      { ...good, lines: [{ of: 1 }] },
    ];
    for (const [value, isGood] of [[good, true], ...bad.map((each) => [each, false] as const)] as const) {
      assert.equal(schema.safeParse(value).success, isGood, JSON.stringify(value));
      assert.equal(checkValue(order, value).violations.length === 0, isGood, JSON.stringify(value));
    }
  });

  test('has names in any language', () => {
    const part = (title: string, name: string) => ({
      title,
      properties: { a: { $ref: `#/$defs/${name}` } },
      $defs: { [name]: { type: 'object' } },
    });
    const namesOf = (title: string, name: string) =>
      typesOfSchema(part(title, name), 'x').types.map((type) => type.name);
    assert.deepEqual(namesOf('注文', '明細'), ['明細', '注文']);
    assert.deepEqual(namesOf('Größe', 'order-line_item'), ['OrderLineItem', 'Größe']);
    assert.deepEqual(namesOf('الطلب', 'ñandú'), ['Ñandú', 'الطلب']);
    assert.deepEqual(namesOf('🎉', 'e\u0301tat'), ['État', 'Answer']);
    assert.deepEqual(namesOf('2024 ßig', '\u0301x'), ['Type\u0301x', 'Type2024ßig']);
  });

  test('of a hostile schema is code that means nothing else', () => {
    const name = '"]; globalThis.evil = 1; //';
    const schema = {
      title: name,
      description: `*/ ${name}`,
      properties: {
        [name]: { const: name, description: '*/ globalThis.evil = 1; /*' },
        b: { type: 'string', pattern: `"+(globalThis.evil = 1)+"${name}` },
        c: { type: 'string', pattern: 'a\n\u2028' },
        d: { type: 'string', pattern: '(' },
      },
      allOf: [{ $ref: `#/${name}` }],
    };
    assert.equal(codeLeftOf(typeScriptText(typesOfSchema(schema, name))), '');
    zodOf(zodText(typesOfSchema(schema, name)));
    assert.equal('evil' in globalThis, false);
  });

  test('without end has an end', () => {
    const levels = (count: number): unknown => (count === 0 ? {} : { properties: { a: levels(count - 1) } });
    const code = typeScriptText(typesOfSchema(levels(500), 'deep'));
    assert.equal(codeLeftOf(code), '');
    assert.ok(code.length < 50_000);
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, { type: 'string' }])),
    };
    scriptOf(zodText(typesOfSchema(wide, 'wide')));
  });

  test('of any schema is sound code', () => {
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.record(
          {
            type: fc.oneof(
              fc.constantFrom('string', 'integer', 'array', 'object', 'null', 'boolean'),
              fc.jsonValue({ maxDepth: 1 }),
            ),
            title: fc.string(),
            description: fc.string(),
            enum: fc.array(fc.jsonValue({ maxDepth: 1 })),
            pattern: fc.string(),
            $ref: fc.constantFrom('#', '#/$defs/a', '#/properties/b'),
            $defs: fc.dictionary(fc.constantFrom('a'), tie('schema')),
            properties: fc.dictionary(fc.string(), tie('schema')),
            required: fc.array(fc.string()),
            additionalProperties: tie('schema'),
            items: tie('schema'),
            prefixItems: fc.array(tie('schema')),
            minItems: fc.nat(3),
            anyOf: fc.array(tie('schema'), { maxLength: 2 }),
            allOf: fc.array(tie('schema'), { maxLength: 2 }),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    fc.assert(
      fc.property(schema, (given) => {
        assert.equal(codeLeftOf(typeScriptText(typesOfSchema(given, 'a'))), '');
        scriptOf(zodText(typesOfSchema(given, 'a')));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the type of a value', () => {
  test('is one for all items of a list', () => {
    assert.equal(
      typeScriptText(
        typesOfValue(
          [
            { a: 1, b: [] },
            { a: 'x', b: [true], c: null },
          ],
          'two places',
        ),
      ),
      `export type TwoPlaces = {
  a: number | string;
  b: boolean[];
  c?: null;
}[];
`,
    );
  });

  test('knows of a member that is not always there, however deep the lists are', () => {
    assert.match(zodText(typesOfValue([[{}, { a: 0 }]], 'value')), /a: z\.number\(\)\.optional\(\)/);
  });

  test('takes a member that may be missing under a name that every object inherits', () => {
    for (const name of ['toString', 'constructor', 'hasOwnProperty', '__proto__']) {
      const given: unknown = JSON.parse(`[{}, {"${name}": null}]`);
      const schema = zodOf(zodText(typesOfValue(given, 'value')));
      assert.ok(schema.safeParse(given).success, name);
      if (name !== '__proto__') assert.ok(!schema.safeParse([{ [name]: 1 }]).success, name);
    }
  });

  test('takes the value that it was told by', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const given: unknown = JSON.parse(JSON.stringify(value));
        const result = zodOf(zodText(typesOfValue(given, 'value'))).safeParse(given);
        assert.ok(result.success, JSON.stringify([given, zodText(typesOfValue(given, 'value'))]));
      }),
      { numRuns: 100 },
    );
  });
});
