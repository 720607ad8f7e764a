import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Attachment } from '../../../../src/chat/conversation/attachment.ts';
import { expandPrompt, longestExpanded, type Values, variableNames } from '../../../../src/chat/prompts/expand.ts';

const attachment = (path: string, startLine: number, endLine: number): Attachment => ({
  id: path,
  label: path,
  languageId: 'typescript',
  path,
  range: { startLine, endLine },
  text: 'const a = 1;',
});
const selection = attachment('src/a.ts', 3, 9);
const file = attachment('src/a.ts', 1, 40);

const values = (given: { readonly [Name in keyof Values]?: ReturnType<Values[Name]> } = {}): Values => {
  const all = { selection, file, language: 'typescript', problems: '- a.ts, line 3: error: no', input: '', ...given };
  return {
    selection: () => all.selection,
    file: () => all.file,
    language: () => all.language,
    problems: () => all.problems,
    input: () => all.input,
  };
};
const textOf = (template: string, given = {}) => expandPrompt(template, values(given)).text;

describe('A prompt', () => {
  it('gets the words behind its variables', () => {
    assert.equal(
      textOf('Fix this {{language}} code:\n{{ problems }}\nNote {{INPUT}}.', { input: 'x {{file}} $& y' }),
      'Fix this typescript code:\n- a.ts, line 3: error: no\nNote x {{file}} $& y.',
    );
  });

  it('takes code along as an attachment, and names its place within the text', () => {
    const { text, attachments } = expandPrompt('Compare {{selection}} with\n{{file}}\nand say why.', values());
    assert.equal(text, 'Compare src/a.ts, lines 3 to 9 with\nsrc/a.ts, lines 1 to 40\nand say why.');
    assert.deepEqual(attachments, [selection, file]);
  });

  it('names no place at its end, where the code follows by itself', () => {
    assert.deepEqual(expandPrompt('Explain this.\n\n{{selection}}\n{{file}}\n', values()), {
      text: 'Explain this.',
      attachments: [selection, file],
      unknown: [],
      missing: [],
      isTooLong: false,
    });
    assert.equal(textOf('{{selection}}'), '');
    assert.equal(textOf('Explain {{selection}}'), 'Explain src/a.ts, lines 3 to 9');
  });

  it('has words that it has no place for at its end', () => {
    assert.equal(textOf('Review.\n\n{{selection}}', { input: 'for races' }), 'Review.\n\nfor races');
    assert.equal(textOf('Review {{input}} now.', { input: 'all' }), 'Review all now.');
    assert.equal(textOf('', { input: 'all' }), 'all');
  });

  it('tells what is missing, each once', () => {
    const none = { selection: undefined, language: undefined, problems: '', input: '' };
    const { missing } = expandPrompt(
      '{{selection}} {{selection}} {{language}} {{problems}} {{input}} {{file}}',
      values(none),
    );
    assert.deepEqual(missing, ['selection', 'language', 'problems', 'input']);
    assert.deepEqual(expandPrompt('No input wanted.', values(none)).missing, []);
  });

  it('keeps variables that it does not know, and tells them', () => {
    const { text, unknown } = expandPrompt('{{ name }} {{#if}} {{a.b}} {{name}} {{}} {{constructor}} {file}', values());
    assert.equal(text, '{{ name }} {{#if}} {{a.b}} {{name}} {{}} {{constructor}} {file}');
    assert.deepEqual(unknown, ['name', 'constructor']);
  });

  it('is no longer than a question may be, however often it names a long text', () => {
    const problems = 'x'.repeat(1000);
    const { isTooLong, text } = expandPrompt('{{problems}}'.repeat(10_000), values({ problems }));
    assert.equal(isTooLong, true);
    assert.ok(text.length <= longestExpanded);
    assert.equal(expandPrompt('{{problems}}', values({ problems })).isTooLong, false);
    assert.equal(expandPrompt('Look', values({ input: 'x'.repeat(longestExpanded) })).isTooLong, true);
  });

  const words = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '{', '}', '{{file}}', '{{input}}', '$&', 'é'),
    maxLength: 12,
  });
  const part = fc.oneof(
    words,
    fc.constantFrom(...variableNames).map((name) => `{{${name}}}`),
    fc.constant('{{other}}'),
  );
  const template = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));

  it('has its input in it as it was typed, with nothing in it filled in', () => {
    fc.assert(
      fc.property(template, words, (written, typed) => {
        // An input without the letters of a template, so that it is found again.
        const input = `<${typed}>`;
        assert.ok(textOf(written, { input }).includes(input));
      }),
      { seed: 8, numRuns: 2000 },
    );
  });

  it('asks for nothing that it does not name, and for what it names once', () => {
    fc.assert(
      fc.property(template, (written) => {
        const asked: string[] = [];
        const named = variableNames.filter((name) => written.includes(`{{${name}}}`));
        const spy = (name: string) => () => {
          asked.push(name);
          return name === 'selection' ? selection : 'value';
        };
        const spied = Object.fromEntries(variableNames.map((name) => [name, spy(name)])) as unknown as Values;
        const { attachments, missing, unknown } = expandPrompt(written, spied);
        assert.deepEqual(asked.toSorted(), [...new Set([...named, 'input'])].toSorted());
        assert.deepEqual([attachments.length, missing], [named.includes('selection') ? 1 : 0, []]);
        assert.equal(unknown.includes('other'), written.includes('{{other}}'));
      }),
      { seed: 8, numRuns: 2000 },
    );
  });

  it('is its own text where it names nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (written) => {
        fc.pre(!written.includes('{{'));
        assert.equal(textOf(written), written.trim());
      }),
    );
  });
});
