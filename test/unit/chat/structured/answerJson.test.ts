import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { askedFormat } from '../../../../src/chat/structured/askedFormat.ts';
import { fixQuestion, jsonQuestion } from '../../../../src/chat/structured/fixQuestion.ts';
import { jsonFault } from '../../../../src/chat/structured/jsonFault.ts';
import { readAnswerJson } from '../../../../src/chat/structured/readAnswerJson.ts';
import { exampleSchema, readSchemaFile } from '../../../../src/chat/structured/schemaFile.ts';

describe('an answer', () => {
  test('is read as JSON as it is, and out of its one fence', () => {
    for (const text of [
      '{"a": 1}',
      ' \n{"a": 1}\n',
      '\uFEFF{"a": 1}',
      '\n\uFEFF{"a": 1}',
      '\u00A0{"a": 1}\u00A0\n',
      '```json\n\uFEFF{"a": 1}\n```',
      '```json\r\n{"a": 1}\r\n```\r\n',
      '```json\n{"a": 1}\n```',
      'Here it is:\n\n```\n{"a": 1}\n```\nGood luck!',
    ])
      assert.deepEqual(readAnswerJson(text), { value: { a: 1 }, json: '{"a": 1}' }, text);
    assert.deepEqual(readAnswerJson('```json\n[1,\n2]\n```'), { value: [1, 2], json: '[1,\n2]' });
  });

  test('that is no JSON is told with the place', () => {
    const broken = (text: string, line: number, column: number) =>
      assert.deepEqual(readAnswerJson(text), { problem: 'broken', line, column }, text);
    broken('Sorry, no.', 1, 1);
    broken('{"a": 1,}', 1, 9);
    broken('{\n  "a": 1\n  "b": 2\n}', 3, 3);
    broken('{"a": 01}', 1, 7);
    broken('{"a":\u00A01}', 1, 6);
    broken('\n\uFEFF{"a": x}', 2, 8);
    broken("{'a': 1}", 1, 2);
    broken('```json\n{"a": True}\n```', 2, 7);
    broken('{} {}', 1, 4);
    broken('```\n1\n```\n```\n2\n```', 1, 1);
    assert.deepEqual(readAnswerJson('```json\n```'), { problem: 'empty', line: 1, column: 1 });
  });

  test('that ends too soon is told as such, wherever it was cut', () => {
    const whole = '{"a": [1.5e3, true, null, "x\\u00e9\\"y"], "b": {"c": -0.25}}';
    for (let length = 1; length < whole.length; length++) {
      const read = readAnswerJson(whole.slice(0, length));
      assert.equal('problem' in read && read.problem, 'unfinished', whole.slice(0, length));
    }
    const fenced = readAnswerJson('```json\n{"a": [1, ');
    assert.equal('problem' in fenced && fenced.problem, 'unfinished');
  });

  test('too deep or too long is a sentence, and nothing is run', () => {
    const problem = (text: string) => {
      const read = readAnswerJson(text);
      return 'problem' in read ? read.problem : undefined;
    };
    assert.equal(problem('['.repeat(10_000) + ']'.repeat(10_000)), 'tooDeep');
    assert.equal(problem(`"${'a'.repeat(3_000_000)}"`), 'tooLong');
    assert.equal(problem(`[${'0,'.repeat(99_999)}0]`), undefined);
  });

  test('is JSON exactly where JSON.parse takes it', () => {
    const nearly = fc.oneof(
      fc.json(),
      fc
        .array(fc.constantFrom(...'{}[],:"\\un0123-.eEtrufalsn \n\t'.split('')), { maxLength: 14 })
        .map((all) => all.join('')),
      fc
        .tuple(fc.json(), fc.nat(30), fc.constantFrom('', ',', '}', '"', '\\', 'x'))
        .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1)),
    );
    const parses = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(nearly, (text) => assert.equal(jsonFault(text, 100) === undefined, parses(text), text)),
      { numRuns: 2000 },
    );
  });
});

describe('the form that an answer was asked for', () => {
  const of = (format: unknown) =>
    askedFormat({ askedWith: { model: 'm', request: '', parameters: { response_format: format as never } } });

  test('is read from what is kept with it', () => {
    assert.deepEqual(of({ type: 'json_object' }), { schema: undefined });
    const schema = { type: 'object' };
    assert.deepEqual(of({ type: 'json_schema', json_schema: { name: 'tide', schema } }), { schema, name: 'tide' });
    assert.deepEqual(of({ type: 'json_schema', json_schema: schema }), { schema });
    assert.deepEqual(of({ type: 'json_object', schema }), { schema });
    assert.deepEqual(of({ type: 'json_object', schema: 'object' }), { schema: undefined });
  });

  test('is none for text, and for what is none', () => {
    for (const format of [
      undefined,
      null,
      'json_object',
      [],
      { type: 'text' },
      { type: 7 },
      { type: 'json_schema' },
      { type: 'json_schema', json_schema: [] },
    ])
      assert.equal(of(format), undefined);
    assert.equal(askedFormat({}), undefined);
  });
});

describe('a file with a schema', () => {
  const read = (value: unknown) => readSchemaFile(typeof value === 'string' ? value : JSON.stringify(value), 'my tide');

  test('is sent under its title, or the name of the file', () => {
    const schema = { type: 'object' };
    assert.deepEqual(read(schema), {
      format: { type: 'json_schema', json_schema: { name: 'my_tide', schema } },
      remote: [],
    });
    const titled = { title: 'High Water!', ...schema };
    assert.deepEqual(read(titled), {
      format: { type: 'json_schema', json_schema: { name: 'High_Water', schema: titled } },
      remote: [],
    });
  });

  test('may have it as services publish it', () => {
    const json_schema = { name: 'tide', strict: true, schema: { type: 'object' } };
    const format = { type: 'json_schema', json_schema };
    assert.deepEqual(read(json_schema), { format, remote: [] });
    assert.deepEqual(read(format), { format, remote: [] });
    const unnamed = { strict: true, schema: { type: 'object', title: 'Tide' } };
    const named = { ...unnamed, name: 'Tide' };
    assert.deepEqual(read(unnamed), { format: { type: 'json_schema', json_schema: named }, remote: [] });
    // A schema may have a keyword of that name, which says nothing.
    const odd = { schema: { type: 'object' }, type: 'string', title: 'Odd' };
    const own = { name: 'Odd', schema: odd };
    assert.deepEqual(read(odd), { format: { type: 'json_schema', json_schema: own }, remote: [] });
    assert.ok('format' in readSchemaFile(exampleSchema, 'example'));
  });

  test('is refused with a reason, and never fetched', () => {
    assert.deepEqual(read('{'), { problem: 'json' });
    assert.deepEqual(read([]), { problem: 'object' });
    assert.deepEqual(read(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`), { problem: 'deep' });
    assert.deepEqual(read({ description: 'x'.repeat(200_000) }), { problem: 'long' });
    assert.deepEqual(read(`"${'x'.repeat(10_000_000)}"`), { problem: 'long' });
    const far = read({ properties: { a: { $ref: 'https://a.example/s.json' }, b: { $ref: '#/properties/a' } } });
    assert.deepEqual('remote' in far && far.remote, ['https://a.example/s.json']);
  });
});

describe('the question that asks for a better answer', () => {
  test('names each place and what is wrong there', () => {
    const question = fixQuestion(
      [
        { path: ['places', 2, 'name'], fault: { kind: 'type', wanted: ['string'], found: 'number' } },
        { path: [], fault: { kind: 'missing', name: 'title' } },
        { path: ['count'], fault: { kind: 'minimum', bound: 1 } },
      ],
      false,
    );
    assert.equal(
      question,
      'Your last answer does not fit its JSON schema:\n\n- `places[2].name`: must be string, but is number\n' +
        '- the whole answer: lacks the member "title"\n- `count`: must be at least 1\n\n' +
        'Correct this, leave everything else as it is, and answer with the whole corrected JSON, and nothing else.',
    );
  });

  test('names places in any language as they are written', () => {
    const question = fixQuestion([{ path: ['नाम', 'e\u0301tat', '注文-1', 'a`b'], fault: { kind: 'extra' } }], false);
    assert.match(question, /`नाम\.e\u0301tat\.注文-1\["a`b"\]`/);
  });

  test('is short, however much is wrong', () => {
    const fault = { kind: 'enum', wanted: 'x'.repeat(5000) } as const;
    const question = fixQuestion(
      Array.from({ length: 200 }, (_, at) => ({ path: ['a'.repeat(1000), at], fault })),
      true,
    );
    assert.ok(question.length < 30_000);
    assert.match(question, /- and more like these/);
  });

  test('says where an answer stops being JSON', () => {
    assert.match(jsonQuestion({ problem: 'broken', line: 3, column: 7 }), /not valid JSON \(line 3, column 7\)/);
    assert.match(jsonQuestion({ problem: 'unfinished', line: 3, column: 7 }), /ends before its JSON is whole/);
  });
});
