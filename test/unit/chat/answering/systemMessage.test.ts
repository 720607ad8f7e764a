import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAboutFiles, withChangeForm } from '../../../../src/chat/answering/systemMessage.ts';
import { namedAttachment } from '../../../../src/chat/conversation/attachment.ts';

describe('The system message', () => {
  it('ends with the form of changes, where answers may change files', () => {
    assert.equal(withChangeForm('Be brief.', 'Write blocks.'), 'Be brief.\n\nWrite blocks.');
    assert.equal(withChangeForm('', 'Write blocks.'), 'Write blocks.');
    assert.equal(withChangeForm('Be brief.'), 'Be brief.');
  });

  it('takes what is attached for code of a file by its kind', () => {
    const named = namedAttachment({ label: 'a', path: 'a', languageId: '', text: '', kind: 'file' }, '1');
    const attached = (kind?: 'file' | 'problems' | 'image' | 'terminal') => isAboutFiles([{ ...named, kind }]);
    assert.ok(attached() && attached('file') && attached('problems'));
    assert.ok(!attached('image') && !attached('terminal') && !isAboutFiles([]));
  });
});
