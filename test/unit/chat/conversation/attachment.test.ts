import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestMessages } from '../../../../src/chat/context/requestMessages.ts';
import { turnsOf } from '../../../../src/chat/context/turns.ts';
import { attachmentOf, promptWith } from '../../../../src/chat/conversation/attachment.ts';
import {
  type Answer,
  emptyConversation,
  type Message,
  type Question,
} from '../../../../src/chat/conversation/conversation.ts';
import { conversationToMarkdown } from '../../../../src/chat/exchange/conversationMarkdown.ts';

const selected = { path: 'src/a.ts', languageId: 'typescript', text: 'one\ntwo\n', start: { line: 2, character: 0 } };
const question = (text: string): Question => ({ role: 'user', id: 'q', at: 2, text, attachments: [] });
const answer = (text: string, more: Partial<Answer> = {}): Answer => ({
  ...{ role: 'assistant', id: 'a', parent: 'q', at: 3, text, reasoning: '', state: 'complete', timings: {} },
  ...more,
});
const sent = (path: readonly Message[]): string[] =>
  requestMessages(turnsOf(path), 'Be brief.').map(({ role, content }) => `${role}: ${content}`);

describe('Context of a question', () => {
  it('names a selection by its lines, without the line it only touches', () => {
    const attachment = attachmentOf({ ...selected, end: { line: 4, character: 0 } }, 'x');
    assert.equal(attachment.label, 'a.ts:3-4');
    assert.deepEqual(attachment.range, { startLine: 3, endLine: 4 });
    assert.equal(attachmentOf({ ...selected, end: { line: 2, character: 3 } }, 'x').label, 'a.ts:3');
  });

  it('gives the model the question, then each piece with its place', () => {
    const attachment = attachmentOf({ ...selected, end: { line: 4, character: 0 } }, 'x');
    assert.equal(
      promptWith('Why?', [attachment]),
      'Why?\n\nFrom src/a.ts, lines 3 to 4:\n\n```typescript\none\ntwo\n```',
    );
  });

  it('goes along with each question that is sent, not only the last one', () => {
    const attachment = attachmentOf({ ...selected, end: { line: 4, character: 0 } }, 'x');
    const path = [{ ...question('one'), attachments: [attachment] }, answer('yes'), question('two')];
    assert.match(String(requestMessages(turnsOf(path), '')[0]?.content), /^one\n\nFrom src\/a\.ts, lines 3 to 4:/);
  });

  it('is written down as Markdown that says which answers are not whole', () => {
    const cut = answer('half', { state: 'failed', model: 'm' });
    const text = conversationToMarkdown(
      { ...emptyConversation('c', 1), messages: [question('Why?'), cut] },
      { untitled: 'U', question: 'Question', answer: 'Answer', incomplete: 'Not complete.' },
    );
    assert.equal(text, '# Why?\n\n## Question\n\nWhy?\n\n## Answer (m)\n\nhalf\n\n*Not complete.*\n');
  });
});

describe('The messages of a request', () => {
  it('have roles in turn: a question without a text for an answer is left out, it would be asked again', () => {
    const path = [question('one'), answer(''), question('two'), answer('yes'), question('three')];
    assert.deepEqual(sent(path), ['system: Be brief.', 'user: two', 'assistant: yes', 'user: three']);
    const unanswered = [question('one'), question('two'), answer(' \n'), question('three')];
    assert.deepEqual(sent(unanswered), ['system: Be brief.', 'user: three']);
  });

  it('have what a stopped or cut answer said, and nothing of one that was filtered', () => {
    const stopped = answer('half', { state: 'stopped' });
    const cut = answer('some', { state: 'failed', error: { kind: 'truncated' } });
    const filtered = answer('bad', { state: 'failed', error: { kind: 'content-filter' } });
    const path = [question('1'), stopped, question('2'), cut, question('3'), filtered, question('4')];
    assert.deepEqual(sent(path).slice(1), ['user: 1', 'assistant: half', 'user: 2', 'assistant: some', 'user: 4']);
  });

  it('have no answer whose question is not there', () => {
    const path = [answer('left over'), question('1'), answer('yes'), answer('left over, too'), question('2')];
    assert.deepEqual(sent(path).slice(1), ['user: 1', 'assistant: yes', 'user: 2']);
  });

  it('have no instructions where there are none', () => {
    assert.deepEqual(requestMessages(turnsOf([question('1')]), ''), [{ role: 'user', content: '1' }]);
  });
});
