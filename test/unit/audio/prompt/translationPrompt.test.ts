import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseGlossary } from '../../../../src/audio/prompt/glossary.ts';
import { buildTranslationPrompt } from '../../../../src/audio/prompt/translationPrompt.ts';
import { estimateTokens } from '../../../../src/base/tokens.ts';

const translated = (text: string) => ({ text, segments: undefined });
const many = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

describe('the prompt for a piece', () => {
  test("has the user's words, the glossary, and the end of the text before", () => {
    const before = translated('Ships may leave now.');
    assert.deepEqual(buildTranslationPrompt({ instruction: ' Harbour terms. ', glossary: ['Parley', 'VHF'], before }), {
      prompt: 'Harbour terms. Parley, VHF. Ships may leave now.',
      tokens: 14,
      mostTokens: 224,
      terms: 2,
      ofTerms: 2,
      isCarried: true,
    });
    const { prompt, tokens } = buildTranslationPrompt({ instruction: '', glossary: [] });
    assert.deepEqual([prompt, tokens], ['', 0]);
  });

  test('takes each term that has room, and as many of the last words as fit after them', () => {
    const glossary = ['x'.repeat(400), 'y'.repeat(400), 'Parley'];
    const { prompt, terms, tokens } = buildTranslationPrompt({
      instruction: '',
      glossary,
      before: translated(many(300)),
    });
    assert.equal(terms, 2);
    assert.match(prompt, /^x{400}, Parley\. word\d+ .* word299$/);
    assert.ok(tokens > 220 && tokens <= 224, `${tokens}`);
  });

  test("leaves the user's own words whole, and has room for no others after long ones", () => {
    const instruction = many(200);
    const built = buildTranslationPrompt({ instruction, glossary: ['Parley'], before: translated('Hello.') });
    assert.deepEqual([built.prompt, built.terms, built.isCarried], [instruction, 0, false]);
    assert.ok(built.tokens > built.mostTokens);
  });

  for (const [what, before] of [
    ['repeats itself', translated('Thank you. '.repeat(20))],
    ['is not English', { ...translated('Guten Tag.'), untranslated: { language: 'german' } }],
    [
      'the model was not sure of',
      {
        text: 'Good morning. Mumble.',
        segments: [
          { start: 0, end: 1, text: 'Good morning.', avgLogprob: -0.2 },
          { start: 1, end: 2, text: 'Mumble.', avgLogprob: -1.3 },
        ],
      },
    ],
  ] as const) {
    test(`quirk 52: carries over no text that ${what}`, () => {
      const segments = 'segments' in before ? before.segments?.map((each) => ({ ...each })) : undefined;
      const built = buildTranslationPrompt({ instruction: '', glossary: ['Parley'], before: { ...before, segments } });
      assert.deepEqual([built.prompt, built.isCarried], ['Parley.', false]);
    });
  }

  test('carries over the end of a text that was bad long before', () => {
    const segments = [
      { start: 0, end: 1, text: 'Mumble.', avgLogprob: -1.3 },
      { start: 1, end: 2, text: many(200), avgLogprob: -0.2 },
    ];
    const text = segments.map((segment) => segment.text).join(' ');
    assert.ok(buildTranslationPrompt({ instruction: '', glossary: [], before: { text, segments } }).isCarried);
  });

  test('never has more tokens than a model looks at, and only whole words', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 80 });
    fc.assert(
      fc.property(words, words, (glossary, text) => {
        const before = translated(text.join(' '));
        const { prompt, tokens, isCarried } = buildTranslationPrompt({ instruction: '', glossary, before });
        assert.equal(tokens, estimateTokens(prompt));
        assert.ok(tokens <= 224);
        if (isCarried) assert.ok(prompt.endsWith(before.text.trim().split(/\s/).at(-1) ?? ''));
      }),
      { numRuns: 500, seed: 13 },
    );
  });
});

describe('a glossary', () => {
  test('is a term a line, each once, without comments', () => {
    const text = '\uFEFF# Names\nParley\r\n  C#  \n\nVHF\tradio\n #x\nParley\n';
    assert.deepEqual(parseGlossary(text), ['Parley', 'C#', 'VHF radio']);
  });

  test('is bounded: terms, their length, and the file', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `t${index}`);
    assert.equal(parseGlossary(lines.join('\n')).length, 1_000);
    assert.deepEqual(parseGlossary(`${'x'.repeat(101)}\nParley`), ['Parley']);
    assert.deepEqual(parseGlossary(`Parley\n${'x '.repeat(1e6)}`), ['Parley']);
  });
});
