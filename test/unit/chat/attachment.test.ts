import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attachmentOf, promptWith } from '../../../src/chat/attachment.ts';
import { emptyConversation, type Message } from '../../../src/chat/conversation.ts';
import { conversationToMarkdown } from '../../../src/chat/conversationMarkdown.ts';
import { requestMessages } from '../../../src/chat/requestMessages.ts';

const selected = { path: 'src/a.ts', languageId: 'typescript', text: 'one\ntwo\n', start: { line: 2, character: 0 } };
const question = (text: string): Message => ({ role: 'user', id: 'q', text, attachments: [] });
const answer = (text: string): Message => ({
  role: 'assistant',
  id: 'a',
  text,
  reasoning: '',
  state: 'complete',
  timings: {},
});

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

  it('sends roles in turn: questions that were never answered are joined', () => {
    const messages = [question('one'), answer(''), question('two'), answer('yes'), question('three')];
    assert.deepEqual(requestMessages({ messages }, 'Be brief.'), [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one\n\ntwo' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: 'three' },
    ]);
  });

  it('is written down as Markdown that says which answers are not whole', () => {
    const cut: Message = {
      ...(answer('half') as Extract<Message, { role: 'assistant' }>),
      state: 'failed',
      model: 'm',
    };
    const text = conversationToMarkdown(
      { ...emptyConversation('c', 1), messages: [question('Why?'), cut] },
      { untitled: 'U', question: 'Question', answer: 'Answer', incomplete: 'Not complete.' },
    );
    assert.equal(text, '# Why?\n\n## Question\n\nWhy?\n\n## Answer (m)\n\nhalf\n\n*Not complete.*\n');
  });
});
