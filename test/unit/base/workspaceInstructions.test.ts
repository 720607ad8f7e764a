import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fitInstructions,
  mostInstructions,
  taskWithInstructions,
  withInstructions,
} from '../../../src/base/workspaceInstructions.ts';

const file = (name: string, text: string) => ({ uri: `file:///w/${name}`, name, text });

describe('The system message', () => {
  it('is the prompt, then each instruction file under its name', () => {
    const files = fitInstructions([
      file('AGENTS.md', 'Use tabs.\n'),
      file('.github/copilot-instructions.md', 'No any.'),
    ]);
    assert.equal(
      withInstructions('Be brief.', files),
      'Be brief.\n\nInstructions of this workspace, from AGENTS.md:\n\nUse tabs.\n\n' +
        'Instructions of this workspace, from .github/copilot-instructions.md:\n\nNo any.',
    );
  });

  it('is empty where there is nothing to say', () => {
    assert.equal(withInstructions(' ', fitInstructions([file('AGENTS.md', ' \n')])), '');
  });

  it('takes no more of the files than there is room for, and says what is left out', () => {
    const long = 'x'.repeat(mostInstructions - 5);
    const [first, second, third] = fitInstructions([file('a.md', long), file('b.md', '1234😀'), file('c.md', 'more')]);
    assert.deepEqual([first?.isCut, first?.text.length], [false, long.length]);
    assert.deepEqual([second?.isCut, second?.text], [true, '1234'], 'no half of a character');
    assert.deepEqual([third?.isCut, third?.text], [true, 'm']);
    assert.match(withInstructions('', [second ?? assert.fail()]), /1234\n\n\(The rest of b\.md is left out\.\)$/);
  });

  it('of a task keeps its rules, and has fewer of the files', () => {
    const files = fitInstructions([file('AGENTS.md', 'x'.repeat(20_000)), file('b.md', 'more')]);
    const text = taskWithInstructions('Write a message.', files);
    assert.match(
      text,
      /^Write a message\.\n\nInstructions of the workspace follow\. .* stays as said above\.\n\nInstructions of this workspace, from AGENTS\.md:\n\nx+\n\n\(The rest of AGENTS\.md is left out\.\)$/,
    );
    assert.ok(text.length < 13_000);
    assert.equal(taskWithInstructions('Write a message.', []), 'Write a message.');
  });
});
