import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGeneratedMessages } from '../../../../src/scm/commit/generatedMessages.ts';

describe('the words of the author in the box of a commit message', () => {
  it('are all that stands there, but not a message that was written', () => {
    const messages = createGeneratedMessages();
    assert.equal(messages.draftOf('a', 'mine'), 'mine');
    messages.wrote('a', 'Add tides\n\nBy night.', '');
    assert.equal(messages.draftOf('a', 'Add tides\r\n\r\nBy night.'), '');
    assert.equal(messages.draftOf('a', 'Add tides\n\nBy night. And mine.'), 'Add tides\n\nBy night. And mine.');
    assert.equal(messages.draftOf('b', 'Add tides\n\nBy night.'), 'Add tides\n\nBy night.');
  });

  it('are those that the message was made of', () => {
    const messages = createGeneratedMessages();
    messages.wrote('a', 'Add tides', messages.draftOf('a', 'about tides'));
    messages.wrote('a', 'Show tides', messages.draftOf('a', 'Add tides'));
    assert.equal(messages.draftOf('a', 'Show tides'), 'about tides');
  });
});
