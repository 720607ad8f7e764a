import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Action,
  type Answer,
  emptyConversation,
  type Message,
} from '../../../src/chat/conversation/conversation.ts';
import { reduce } from '../../../src/chat/conversation/reduce.ts';
import { createOutbox, longestShown } from '../../../src/chat/ui/panel/page/outbox.ts';
import { applyPatch, type Replica } from '../../../src/webview/chat/replica.ts';
import type { Patch } from '../../../src/webview/shared/protocol/protocol.ts';
import { actionsOf, answer, append, ask, describing, end, idsOf, randomSteps, turn } from './actions.ts';

/** A conversation, its outbox, and a page that applies what it gets and draws when it is told to. */
function setUp() {
  let conversation = emptyConversation('c', 1);
  let page: Replica<Message> = { conversation: 'c', seq: 0, messages: [] };
  let isMissing = false;
  let isLosing = false;
  const sent: (readonly Patch<Message>[])[] = [];
  const outbox = createOutbox<Message>((patches) => {
    sent.push(patches);
    receive(isLosing ? patches.slice(1) : patches);
  });

  function receive(patches: readonly Patch<Message>[]): void {
    for (const patch of patches) {
      const next = isMissing ? undefined : applyPatch(page, patch);
      if (next === undefined) isMissing = true;
      else page = next;
    }
  }

  return {
    sent,
    outbox,
    act(...actions: readonly Action[]) {
      for (const action of actions) {
        const step = reduce(conversation, action);
        conversation = step.conversation;
        outbox.push(step.patches);
      }
    },
    /** The page has drawn all that it has. */
    draw: () => outbox.drawn(page.seq),
    /** Whether the first patch of all that is sent from now on is lost on the way. */
    lose(losing: boolean) {
      isLosing = losing;
    },
    /** What was sent comes to the page once more. */
    repeat: (back: number) => receive(sent.at(-1 - back) ?? []),
    /** The page asks for the whole conversation, and gets it. */
    showAll() {
      page = { conversation: 'c', seq: conversation.seq, messages: conversation.messages };
      isMissing = false;
      outbox.reset(page.messages, page.seq);
    },
    /** Whether the page noticed that a patch is missing. */
    get isMissing() {
      return isMissing;
    },
    get page() {
      return page;
    },
    get conversation() {
      return conversation;
    },
  };
}

const asked: Action[] = [ask('q', 2), answer('a', 3, 'q')];

describe('The outbox of the chat page', () => {
  it('sends at once what comes to a page that has drawn all', () => {
    const { act, draw, sent } = setUp();
    act(ask('q', 2));
    draw();
    act(answer('a', 3, 'q'));
    draw();
    act(append('a', 'x'));
    assert.equal(sent.length, 3);
  });

  it('joins what comes while the page draws, however much it is', () => {
    const { act, draw, sent } = setUp();
    act(...asked);
    draw();
    for (let i = 0; i < 10_000; i++) {
      act(append('a', 'word '));
      if (i % 2 === 0) act(append('a', 'thought ', 'reasoning'));
      if (i % 100 === 0) act(describing('a', { model: `m${i}` }));
    }
    assert.equal(sent.length, 2, 'the page has not drawn the answer yet');
    draw();
    assert.equal(sent.length, 3);
    assert.equal(sent[2]?.length, 3, 'text, thoughts and facts, one of each');
    draw();
    assert.equal(sent.length, 3, 'nothing waits');
  });

  it('sends nothing that waits for messages which are taken away meanwhile', () => {
    const chat = setUp();
    const { act, draw, sent } = chat;
    act(...turn(1, 10));
    draw();
    draw();
    act(ask('q2', 20, 'a1'));
    act(answer('a2', 21, 'q2'), append('a2', 'word '), describing('a2', { model: 'm' }), append('a2', 'word'));
    act(ask('q1b', 30));
    draw();
    assert.deepEqual(
      sent.at(-1)?.map(({ change }) => [change.kind, change.index]),
      [
        ['cut', 1],
        ['put', 0],
      ],
    );
    assert.deepEqual(idsOf(chat.page.messages), ['q1b']);
    act(...turn('1c', 40), { type: 'choose', id: 'q1', at: 50 });
    draw();
    draw();
    assert.deepEqual(chat.page.messages, chat.conversation.messages);
    assert.equal(chat.page.seq, chat.conversation.seq);
  });

  it('joins a cut with the changes that wait before and after it', () => {
    const chat = setUp();
    chat.act(...turn(1, 10), ...turn(2, 20, 'a1'));
    for (let i = 0; i < 3; i++) chat.draw();
    // Nothing is drawn between these: the page is given the last picture alone.
    chat.act({ type: 'delete', ids: ['q1'], at: 30 });
    const batches = chat.sent.length;
    chat.act({ type: 'delete', ids: ['a1'], at: 31 }, { type: 'restore', ids: ['q1'], at: 32 });
    chat.act({ type: 'delete', ids: ['q2', 'a2'], at: 33 }, ...turn(3, 40, 'a2'));
    assert.equal(chat.sent.length, batches);
    chat.draw();
    assert.equal(chat.sent.length, batches + 1);
    assert.deepEqual(idsOf(chat.page.messages), ['q1', 'q3', 'a3']);
    assert.deepEqual(chat.page.messages, chat.conversation.messages);
    assert.equal(chat.page.seq, chat.conversation.seq);
  });

  it('leaves the page with what the host has, whatever comes, is lost or comes twice, and whenever it draws', () => {
    const event = fc.constantFrom('act', 'act', 'act', 'draw', 'lose', 'find', 'repeat', 'show');
    const events = fc.array(fc.tuple(event, fc.nat(3)), { maxLength: 120, size: 'max' });
    let missed = 0;
    fc.assert(
      fc.property(randomSteps(80), events, (steps, order) => {
        const chat = setUp();
        const actions = actionsOf(steps, { name: 'm' });
        for (const [each, count] of order) {
          if (each === 'act') chat.act(...actions.splice(0, count));
          else if (each === 'repeat') chat.repeat(count);
          else if (each === 'draw') chat.draw();
          else if (each !== 'show') chat.lose(each === 'lose');
          if (chat.isMissing) missed++;
          if (chat.isMissing || each === 'show') chat.showAll();
        }
        chat.lose(false);
        chat.act(...actions);
        for (let i = 0; i < 2; i++) chat.draw();
        // Nothing is sent after patches that are all lost: the page asks when it is there again.
        if (chat.page.seq < chat.conversation.seq) chat.showAll();
        assert.deepEqual(chat.page.messages, chat.conversation.messages);
        chat.draw();
        chat.act(...turn('last', 100_000));
        for (let i = 0; i < 2; i++) chat.draw();
        assert.deepEqual(chat.page.messages, chat.conversation.messages);
        assert.equal(chat.page.seq, chat.conversation.seq);
      }),
      { seed: 8, numRuns: 500 },
    );
    assert.ok(missed > 50, `${missed} pages missed a patch`);
  });

  it('needs nothing but time for a page that loses nothing', () => {
    const drawing = fc.array(fc.boolean(), { minLength: 80, maxLength: 80 });
    fc.assert(
      fc.property(randomSteps(80), drawing, (steps, draws) => {
        const chat = setUp();
        for (const [i, action] of actionsOf(steps, { name: 'm' }).entries()) {
          chat.act(action);
          if (draws[i]) chat.draw();
        }
        for (let i = 0; i < 2; i++) chat.draw();
        assert.equal(chat.isMissing, false);
        assert.deepEqual(chat.page.messages, chat.conversation.messages);
        assert.equal(chat.page.seq, chat.conversation.seq);
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('gives the page no more of a text than it shows', () => {
    const chat = setUp();
    chat.act(...asked);
    chat.draw();
    for (let i = 0; i < 40; i++) {
      chat.act(append('a', 'x'.repeat(64 * 1024)));
      chat.draw();
    }
    const shown = chat.page.messages[1] as Answer;
    assert.equal(shown.text.length, longestShown);
    chat.act(append('a', 'thought', 'reasoning'), end('a', 9));
    chat.draw();
    chat.draw();
    assert.equal((chat.page.messages[1] as Answer).reasoning, 'thought');
    const total = chat.sent.flat().reduce((sum, { change }) => sum + JSON.stringify(change).length, 0);
    assert.ok(total < longestShown + 100_000, `${total} characters were sent`);
    assert.equal((chat.conversation.messages[1] as Answer).text.length, 40 * 64 * 1024, 'the host has all of it');
  });

  it('leaves no hole in a long text when a message before it changes', () => {
    const chat = setUp();
    chat.act(...asked, end('a', 9), ask('q2', 10, 'a'), answer('a2', 11, 'q2'));
    chat.draw();
    chat.act(append('a2', 'x'.repeat(longestShown)), append('a2', 'left out'));
    for (let i = 0; i < 3; i++) chat.draw();
    chat.act(answer('b', 12, 'q'), { type: 'choose', id: 'a', at: 20 }, append('a2', 'left out, too'));
    for (let i = 0; i < 3; i++) chat.draw();
    assert.equal((chat.page.messages.at(-1) as Answer).text, 'x'.repeat(longestShown));
  });

  it('gives the page as much of a version that is chosen, and all of a short one', () => {
    const chat = setUp();
    chat.act(...asked, append('a', 'x'.repeat(longestShown + 10)), end('a', 9), answer('b', 10, 'q'), append('b', 'y'));
    for (let i = 0; i < 3; i++) chat.draw();
    assert.equal((chat.page.messages[1] as Answer).text, 'y');
    chat.act({ type: 'choose', id: 'a', at: 20 });
    chat.draw();
    assert.equal((chat.page.messages[1] as Answer).text.length, longestShown);
    chat.act({ type: 'choose', id: 'b', at: 30 }, append('b', 'z'));
    chat.draw();
    chat.draw();
    assert.equal((chat.page.messages[1] as Answer).text, 'yz');
  });

  it('begins anew where the page was given the whole conversation', () => {
    const chat = setUp();
    chat.act(...asked);
    chat.act(append('a', 'lost'));
    const { messages, seq } = chat.conversation;
    chat.outbox.reset(messages, seq);
    assert.equal(chat.sent.length, 1);
    chat.outbox.drawn(seq);
    assert.equal(chat.sent.length, 1, 'what the page was given is not sent again');
  });
});
