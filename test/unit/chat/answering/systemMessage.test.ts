import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fitInstructions,
  isAboutFiles,
  mostInstructions,
  systemMessage,
} from '../../../../src/chat/answering/systemMessage.ts';
import { namedAttachment } from '../../../../src/chat/attachment.ts';

const file = (name: string, text: string) => ({ uri: `file:///w/${name}`, name, text });

describe('The system message', () => {
  it('is the prompt, then each instruction file under its name', () => {
    const files = fitInstructions([
      file('AGENTS.md', 'Use tabs.\n'),
      file('.github/copilot-instructions.md', 'No any.'),
    ]);
    assert.equal(
      systemMessage('Be brief.', files),
      'Be brief.\n\nInstructions of this workspace, from AGENTS.md:\n\nUse tabs.\n\n' +
        'Instructions of this workspace, from .github/copilot-instructions.md:\n\nNo any.',
    );
  });

  it('is empty where there is nothing to say', () => {
    assert.equal(systemMessage(' ', fitInstructions([file('AGENTS.md', ' \n')])), '');
  });

  it('ends with the form of changes, where answers may change files', () => {
    assert.equal(systemMessage('Be brief.', [], 'Write blocks.'), 'Be brief.\n\nWrite blocks.');
    assert.equal(systemMessage('', [], 'Write blocks.'), 'Write blocks.');
  });

  it('takes what is attached for code of a file by its kind', () => {
    const attached = (kind?: 'file' | 'problems' | 'image' | 'terminal') =>
      isAboutFiles([
        { ...namedAttachment({ label: 'a', path: 'a', languageId: '', text: '', kind: 'file' }, '1'), kind },
      ]);
    assert.ok(attached() && attached('file') && attached('problems'));
    assert.ok(!attached('image') && !attached('terminal') && !isAboutFiles([]));
  });

  it('takes no more of the files than there is room for, and says what is left out', () => {
    const long = 'x'.repeat(mostInstructions - 5);
    const [first, second, third] = fitInstructions([file('a.md', long), file('b.md', '1234😀'), file('c.md', 'more')]);
    assert.deepEqual([first?.isCut, first?.text.length], [false, long.length]);
    assert.deepEqual([second?.isCut, second?.text], [true, '1234'], 'no half of a character');
    assert.deepEqual([third?.isCut, third?.text], [true, 'm']);
    assert.match(systemMessage('', [second ?? assert.fail()]), /1234\n\n\(The rest of b\.md is left out\.\)$/);
  });
});
