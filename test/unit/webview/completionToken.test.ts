import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completionToken } from '../../../src/webview/chat/composer/completionToken.ts';

describe('The word after a trigger', () => {
  const at = (marked: string): string | undefined => {
    const caret = marked.indexOf('|');
    const found = completionToken(marked.replace('|', ''), caret);
    return found && `${found.trigger}${found.text} ${found.start}-${found.end}`;
  };

  it('begins with @ at the start or after white space, and ends at the caret', () => {
    assert.equal(at('@|'), '@ 0-1');
    assert.equal(at('see @src/a.ts| now'), '@src/a.ts 4-13');
    assert.equal(at('see\n@fi|le'), '@fi 4-7');
    assert.equal(at('@a@b|'), '@a@b 0-4');
    for (const none of ['me@host|', '@a b|', 'x|@a']) assert.equal(at(none), undefined);
  });

  it('begins with / only at the start of the text', () => {
    assert.equal(at('/fix|'), '/fix 0-4');
    assert.equal(at(' /fix|'), undefined);
    assert.equal(at('a\n/fix|'), undefined);
    assert.equal(at('/fix it|'), undefined);
    assert.equal(at('/fix @a|'), '@a 5-7');
  });

  it('is none where it is longer than any name', () => {
    assert.equal(completionToken(`@${'x'.repeat(201)}`, 202), undefined);
    assert.equal(completionToken(`/${'x'.repeat(500)}`, 501), undefined);
    assert.equal(completionToken(`${'y'.repeat(300)}/x`, 302), undefined);
  });
});
