import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createThoughtSplitter, withoutThoughts } from '../../../src/service/chat/thoughts/thinking.ts';
import { assertGrowsNoFaster } from '../../support/growth.ts';

const channels = '<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>Hi!<|return|>';

/** What models write, with the answer in it. Sources: documentation of reasoning parsers, templates of models, public reports. */
const marked: readonly string[] = [
  '<think>plan</think>Hi!',
  '<THINK>\nplan\n</THINK>\n\nHi!',
  '<thinking>plan</thinking>Hi!',
  '<thought>plan</thought>\nHi!',
  '<reasoning>\nplan\n</reasoning>\n\nHi!',
  '<seed:think>plan</seed:think>Hi!',
  '<mm:think>plan</mm:think>\n\nHi!',
  '<|think|>plan<|/think|>Hi!',
  '<REASONING_SCRATCHPAD>plan</REASONING_SCRATCHPAD>Hi!',
  '<|message|>Hi!',
  '<longcat_think>plan</longcat_think>Hi!',
  '[THINK]plan[/THINK]Hi!',
  '◁think▷plan◁/think▷Hi!',
  '<|channel>thought\nplan<channel|>Hi!',
  '<|START_THINKING|>plan<|END_THINKING|><|START_RESPONSE|>Hi!<|END_RESPONSE|>',
  '<|begin_of_thought|>plan<|end_of_thought|>\n\n<|begin_of_solution|>Hi!<|end_of_solution|>',
  '<think>plan</think>\n<answer>\nHi!</answer>\n',
  '<think>a</think>\n<think>b</think>Hi!',
  'Here is my thought process:\nplan\nHere is my response:\nHi!',
  channels,
  channels.replace('<|return|>', ''),
  channels.replace('<|start|>', ''),
  channels.replace('<|channel|>', ''),
  '<|start|>assistant<|channel|>final<|message|>Hi!<|return|>',
  '<|channel|>analysis<|message|>a<|end|><|channel|>commentary<|message|>Hi!<|end|>',
];

/** The same, whose beginning is in the template of the model, or was taken out by the server. */
const unopened: readonly string[] = [
  'I should greet.\n</think>\n\nHi!',
  'I should greet.</think>Hi!',
  'I should greet.</think> Hi!',
  'I should greet. </think>\nHi!',
  '要打招呼。</think>Hi!',
  'plan\n</seed:think>Hi!',
  'They said "hi"</think>\n\nHi!',
  'so: *emphasis*</think>\n\nHi!',
  'plan[/THINK]Hi!',
  'plan\n<channel|>Hi!',
  '</think>\n\nHi!',
  channels.replace('<|channel|>analysis<|message|>', ''),
  'analysisWe should greet.assistantfinalHi!',
];

/** Texts about such marks, and others that are like them. */
const untouched: readonly string[] = [
  'The tag </think> closes thoughts.',
  'Models write <think>plan</think> first.',
  '`<thinking>` is a tag.',
  '<thinking> is a tag that some models use.',
  'plan.</think>, odd',
  'Close it with `</think>`\nand go on.',
  'They say "</think>" and （</think>）, and **</think>**.',
  '```xml\n<a>\n</think>\n```\nThat is all.',
  '- </think>\n- <think>',
  '1. </think>\n2. <think>',
  '| mark |\n|---|\n| </think> |',
  '> </think>\n\nis a quotation.',
  '<!-- </think> -->\nx',
  'The tokens <|channel|>final<|message|> are marks of gpt-oss.',
  'analysis of it: assistantfinal',
  'Here is my thought process:\n1. Ask. 2. Answer.',
  '<answer>Hi!</answer>',
  '<div>x</div>',
  'a[0] < b[1] and [x], <',
];

function split(text: string, size: number): [answer: string, thoughts: string] {
  let both: [string, string] = ['', ''];
  let taken = '';
  const splitter = createThoughtSplitter(
    {
      onText: (added) => {
        both[0] += added;
      },
      onThought: (added) => {
        both[1] += added;
      },
      onCall: () => {},
      onReplaced: (answer, thoughts) => {
        both = [answer, thoughts];
      },
    },
    () => taken,
  );
  for (let at = 0; at < text.length; at += size) {
    taken = text.slice(0, at + size);
    splitter.take(text.slice(at, at + size));
  }
  splitter.end(true);
  return both;
}

describe('Thoughts in the text of an answer', () => {
  it('are told by every mark that models set around them', () => {
    assert.deepEqual(
      marked.filter((text) => withoutThoughts(text).trim() !== 'Hi!'),
      [],
    );
  });

  it('are told where only their end is marked', () => {
    assert.deepEqual(
      unopened.filter((text) => withoutThoughts(text) !== 'Hi!'),
      [],
    );
  });

  it('are not found in a text about such marks', () => {
    assert.deepEqual(
      untouched.filter((text) => withoutThoughts(text) !== text),
      [],
    );
  });

  it('are kept apart, not lost', () => {
    assert.deepEqual(split('I should greet.\n</think>\n\nHi!', 4), ['Hi!', 'I should greet.\n']);
    assert.deepEqual(split('[THINK]plan[/THINK]Hi!', 4), ['Hi!', 'plan']);
    assert.deepEqual(split(channels, 4), ['Hi!', 'plan']);
    assert.deepEqual(split('<think>cut off', 4), ['', 'cut off']);
  });

  it('are told in a time that grows with the text and no faster', async () => {
    for (const begun of [
      '<think>plan</think>',
      '<think>plan</think><answer>Hi!</answer>',
      '',
      '<|channel|>final<|message|>',
    ])
      for (const part of [' ', '<', '</think> ', '[', '\n'])
        await assertGrowsNoFaster((size) => split(begun + part.repeat(size), part.length), 5_000, begun + part);
  });

  it('are the same in whatever pieces they come', () => {
    const parts = ['<think>', '</think>', '[/THINK]', '<|channel|>', 'final', '<|message|>', '<|end|>', 'analysis'];
    const any = fc.array(fc.constantFrom(...parts, 'assistantfinal', ' ', '\n', '`', '```\n', '.', 'x', '<', '1. '));
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 9 }), (texts, size) => {
        const text = texts.join('');
        assert.deepEqual(split(text, size), split(text, text.length + 1));
      }),
    );
    for (const text of [...marked, ...unopened, ...untouched])
      for (const size of [1, 2, 3, 5, 7]) assert.deepEqual(split(text, size), split(text, text.length + 1), text);
  });
});
