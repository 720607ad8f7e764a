import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editMessages } from '../../../../src/edits/ask/prompt.ts';

const question = {
  instruction: 'rename\n total to  sum ',
  path: 'src/price.ts',
  language: 'typescript',
  before: ['import x;'],
  selected: ['let total = `1`;', '```', 'end'],
  after: ['', ' '],
};
const systemOf = (form: 'tool' | 'blocks' | 'whole'): string => editMessages(question, form)[0]?.content ?? '';

describe('the question for an edit', () => {
  it('asks for the edited code alone where the selection is written anew', () => {
    assert.match(systemOf('whole'), /Return only the edited code/);
  });

  it('asks for blocks with one short example', () => {
    assert.match(systemOf('blocks'), /SEARCH\/REPLACE blocks/);
    assert.equal(systemOf('blocks').match(/^<{7} SEARCH$/gm)?.length, 1);
  });

  it('asks for calls of the tool by its name, and says nothing of blocks', () => {
    assert.match(systemOf('tool'), /call of parley_propose_edit/);
    assert.doesNotMatch(systemOf('tool'), /<<<<|Return only/);
  });

  it('has the instructions of the workspace behind its own rules, in every form', () => {
    const instructions = [{ uri: 'file:///w/AGENTS.md', name: 'AGENTS.md', text: 'Use tabs.', isCut: false }];
    for (const form of ['tool', 'blocks', 'whole'] as const)
      assert.match(
        editMessages(question, form, instructions)[0]?.content ?? '',
        /^You edit .*from AGENTS\.md:\n\nUse tabs\.$/s,
      );
  });

  it('leaves each point of a list on its line', () => {
    const instruction = 'Fix these problems:\n- the  first\n- the second\nand more';
    const [asked = ''] = editMessages({ ...question, instruction }, 'whole')[1]?.content.split('\n\n') ?? [];
    assert.equal(asked, 'Instruction: Fix these problems:\n- the first\n- the second and more');
  });

  it('gives the instruction on one line, the path, what stands around, and the selection last, in every form', () => {
    for (const form of ['tool', 'blocks', 'whole'] as const)
      assert.equal(
        editMessages(question, form)[1]?.content,
        [
          'Instruction: rename total to sum',
          'File: src/price.ts',
          'Before the selection:\n```typescript\nimport x;\n```',
          'The selection:\n````typescript\nlet total = `1`;\n```\nend\n````',
        ].join('\n\n'),
      );
  });
});
