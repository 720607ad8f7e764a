import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editMessages } from '../../../src/edits/prompt.ts';

const question = {
  instruction: 'rename\n total to  sum ',
  path: 'src/price.ts',
  language: 'typescript',
  before: ['import x;'],
  selected: ['let total = `1`;', '```', 'end'],
  after: ['', ' '],
};

describe('the question for an edit', () => {
  it('asks for the edited code alone', () => {
    assert.match(editMessages(question)[0]?.content ?? '', /Return only the edited code/);
  });

  it('has the instructions of the workspace behind its own rules', () => {
    const instructions = [{ uri: 'file:///w/AGENTS.md', name: 'AGENTS.md', text: 'Use tabs.', isCut: false }];
    assert.match(
      editMessages(question, instructions)[0]?.content ?? '',
      /^You edit .*from AGENTS\.md:\n\nUse tabs\.$/s,
    );
  });

  it('leaves each point of a list on its line', () => {
    const instruction = 'Fix these problems:\n- the  first\n- the second\nand more';
    const [asked = ''] = editMessages({ ...question, instruction })[1]?.content.split('\n\n') ?? [];
    assert.equal(asked, 'Instruction: Fix these problems:\n- the first\n- the second and more');
  });

  it('gives the instruction on one line, the path, what stands around, and the selection last', () => {
    assert.equal(
      editMessages(question)[1]?.content,
      [
        'Instruction: rename total to sum',
        'File: src/price.ts',
        'Before the selection:\n```typescript\nimport x;\n```',
        'The selection:\n````typescript\nlet total = `1`;\n```\nend\n````',
      ].join('\n\n'),
    );
  });
});
