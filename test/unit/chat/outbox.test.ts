import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Answer, emptyConversation, type Message, reduce } from '../../../src/chat/conversation.ts';
import { createOutbox, longestShown } from '../../../src/chat/outbox.ts';
import { applyPatch, type Replica } from '../../../src/webview/chat/replica.ts';
import type { Patch } from '../../../src/webview/shared/protocol.ts';

/** A conversation, its outbox, and a page that applies what it gets and draws when it is told to. */
function setUp() {
  let conversation = emptyConversation('c', 1);
  let page: Replica<Message> = { conversation: 'c', seq: 0, messages: [] };
  const sent: Patch<Message>[][] = [];
  const outbox = createOutbox<Message>((patches) => {
    sent.push([...patches]);
    for (const patch of patches) {
      const next = applyPatch(page, patch);
      assert.ok(next, `patch ${patch.seq} does not follow ${page.seq}`);
      page = next;
    }
  });
  return {
    sent,
    outbox,
    act(action: Parameters<typeof reduce>[1]) {
      const step = reduce(conversation, action);
      conversation = step.conversation;
      outbox.push(step.patches);
    },
    draw: () => outbox.drawn(page.seq),
    get page() {
      return page;
    },
    get conversation() {
      return conversation;
    },
  };
}

const ask = { type: 'ask', id: 'q', answerId: 'a', text: 'Why?', attachments: [], at: 2 } as const;
const append = (text: string, field: 'text' | 'reasoning' = 'text') => ({ type: 'append', field, text }) as const;

describe('The outbox of the chat page', () => {
  it('sends at once what comes to a page that has drawn all', () => {
    const { act, draw, sent } = setUp();
    act(ask);
    draw();
    act(append('a'));
    assert.equal(sent.length, 2);
  });

  it('joins what comes while the page draws, however much it is', () => {
    const { act, draw, sent } = setUp();
    act(ask);
    for (let i = 0; i < 10_000; i++) {
      act(append('word '));
      if (i % 2 === 0) act(append('thought ', 'reasoning'));
      if (i % 100 === 0) act({ type: 'describe', facts: { model: `m${i}` } });
    }
    assert.equal(sent.length, 1, 'the page has not drawn the question yet');
    draw();
    assert.equal(sent.length, 2);
    assert.equal(sent[1]?.length, 3, 'text, thoughts and facts, one of each');
    draw();
    assert.equal(sent.length, 2, 'nothing waits');
  });

  it('leaves the page with what the host has, whatever comes and whenever it draws', () => {
    const step = fc.constantFrom('text', 'reasoning', 'describe', 'end', 'ask', 'retry', 'draw');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const chat = setUp();
        for (const [i, each] of steps.entries()) {
          if (each === 'draw') chat.draw();
          else if (each === 'ask') chat.act({ ...ask, id: `q${i}`, answerId: `a${i}` });
          else if (each === 'retry') chat.act({ type: 'retry', answerId: `a${i}`, at: i });
          else if (each === 'describe') chat.act({ type: 'describe', facts: { model: `m${i}` } });
          else if (each === 'end') chat.act({ type: 'end', state: 'complete', totalMs: i, at: i });
          else chat.act(append(`${i} `, each));
        }
        chat.draw();
        chat.draw();
        assert.deepEqual(chat.page.messages, chat.conversation.messages);
        assert.equal(chat.page.seq, chat.conversation.seq);
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('gives the page no more of a text than it shows', () => {
    const chat = setUp();
    chat.act(ask);
    chat.draw();
    for (let i = 0; i < 40; i++) {
      chat.act(append('x'.repeat(64 * 1024)));
      chat.draw();
    }
    const shown = chat.page.messages[1] as Answer;
    assert.equal(shown.text.length, longestShown);
    chat.act(append('thought', 'reasoning'));
    chat.draw();
    assert.equal((chat.page.messages[1] as Answer).reasoning, 'thought');
    chat.act({ type: 'retry', answerId: 'b', at: 3 });
    assert.equal(
      (chat.conversation.messages[1] as Answer).text.length,
      40 * 64 * 1024,
      'it goes on, so it is not retried',
    );
    const total = chat.sent.flat().reduce((sum, { change }) => sum + JSON.stringify(change).length, 0);
    assert.ok(total < longestShown + 100_000, `${total} characters were sent`);
  });

  it('begins anew where the page was given the whole conversation', () => {
    const chat = setUp();
    chat.act(ask);
    chat.act(append('lost'));
    const { messages, seq } = chat.conversation;
    chat.outbox.reset(messages, seq);
    assert.equal(chat.sent.length, 1);
    chat.outbox.drawn(seq);
    assert.equal(chat.sent.length, 1, 'what the page was given is not sent again');
  });
});
