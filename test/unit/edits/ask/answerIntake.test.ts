import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerText, createAnswerIntake } from '../../../../src/edits/ask/answerIntake.ts';
import { chatForm, leftOutMarker } from '../../../../src/edits/ask/chatForm.ts';

describe('an answer about edits that comes in', () => {
  it('gathers text and calls, and counts their lines', () => {
    const intake = createAnswerIntake();
    assert.ok(intake.take({ type: 'text', choice: 0, text: 'one\ntwo' }));
    assert.ok(intake.take({ type: 'tool-call-delta', choice: 0, call: 0, name: 'p', arguments: '{"a": "x\\ny' }));
    assert.ok(intake.take({ type: 'tool-call-delta', choice: 0, call: 0, name: 'p', arguments: '\\n"}' }));
    assert.equal(intake.lineCount, 3);
    assert.deepEqual(intake.calls, [{ name: 'p', arguments: '{"a": "x\\ny\\n"}' }]);
    const toolCall = { id: '1', name: 'p', arguments: '{}' };
    assert.ok(intake.take({ type: 'tool-call', choice: 0, call: 0, toolCall }));
    assert.deepEqual(intake.calls, [toolCall]);
    assert.ok(!intake.take({ type: 'finish', choice: 0, reason: 'tool_calls' }));
    assert.equal(intake.finishReason, 'tool_calls');
  });

  it('takes nothing of other choices, and the tokens that the service counts', () => {
    const intake = createAnswerIntake();
    assert.ok(!intake.take({ type: 'text', choice: 1, text: 'other' }));
    intake.take({ type: 'usage', usage: { promptTokens: 3, completionTokens: 4 } });
    assert.equal(intake.text, '');
    assert.equal(intake.tokens, 7);
  });

  it('can be read, with its calls as JSON', () => {
    const read = answerText('Done.', [{ name: 'p', arguments: '{"path":"a"}' }]);
    assert.equal(read, 'Done.\n\n```json\n{\n  "path": "a"\n}\n```');
    assert.equal(answerText('', [{ name: 'p', arguments: '{"path' }]), '```json\n{"path\n```');
  });
});

describe('what a chat is told of the form of changes', () => {
  it('is two sentences, with the one marker for what is left out', () => {
    for (const form of [undefined, 'tool', 'blocks', 'whole'] as const) {
      assert.ok(chatForm(form).includes(leftOutMarker));
      assert.equal(chatForm(form).match(/\. [A-Z]|\.$/g)?.length, 2);
    }
    assert.match(chatForm(undefined), /<<<<<<< SEARCH/);
    assert.doesNotMatch(chatForm('whole'), /SEARCH/);
  });
});
