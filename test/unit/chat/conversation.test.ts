import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Action,
  type Conversation,
  emptyConversation,
  type Message,
  reduce,
  streamingAnswer,
  titleOf,
} from '../../../src/chat/conversation.ts';
import { applyPatch, type Replica } from '../../../src/webview/chat/replica.ts';
import { applyChange } from '../../../src/webview/shared/applyChange.ts';
import type { Patch } from '../../../src/webview/shared/protocol.ts';

const ask: Action = { type: 'ask', id: 'q', answerId: 'a', text: 'Why?', attachments: [], at: 5 };
const end: Action = { type: 'end', state: 'complete', totalMs: 20, at: 25 };
const append = (text: string): Action => ({ type: 'append', field: 'text', text });

function play(actions: readonly Action[], from: Conversation = emptyConversation('c', 1)) {
  let conversation = from;
  const patches: Patch<Message>[] = [];
  for (const action of actions) {
    const step = reduce(conversation, action);
    conversation = step.conversation;
    patches.push(...step.patches);
  }
  return { conversation, patches };
}

function replay(snapshot: Conversation, patches: readonly Patch<Message>[]): Replica<Message> | undefined {
  const start: Replica<Message> = { conversation: snapshot.id, seq: snapshot.seq, messages: snapshot.messages };
  return patches.reduce<Replica<Message> | undefined>((replica, patch) => replica && applyPatch(replica, patch), start);
}

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    type: fc.constant('ask' as const),
    id: fc.uuid(),
    answerId: fc.uuid(),
    text: fc.string(),
    attachments: fc.constant([]),
    at: fc.nat(),
  }),
  fc.record({ type: fc.constant('retry' as const), answerId: fc.uuid(), at: fc.nat() }),
  fc.record({
    type: fc.constant('append' as const),
    field: fc.constantFrom('text' as const, 'reasoning' as const),
    text: fc.string(),
  }),
  fc.record({
    type: fc.constant('describe' as const),
    facts: fc.record(
      {
        model: fc.string(),
        finishReason: fc.string(),
        declined: fc.boolean(),
        waitSeconds: fc.option(fc.nat(), { nil: undefined }),
        timings: fc.record({ firstTokenMs: fc.nat() }),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record(
    {
      type: fc.constant('end' as const),
      state: fc.constantFrom('complete' as const, 'stopped' as const, 'failed' as const),
      error: fc.constant({ kind: 'reset' as const }),
      totalMs: fc.nat(),
      at: fc.nat(),
    },
    { requiredKeys: ['type', 'state', 'totalMs', 'at'] },
  ),
);

describe('A conversation', () => {
  it('is the same however the text of an answer is split', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 20 }), (pieces) => {
        const split = play([ask, ...pieces.map(append), end]).conversation;
        const whole = play([ask, append(pieces.join('')), end]).conversation;
        assert.deepEqual(split.messages, whole.messages);
      }),
    );
  });

  it('is the same on the page as at the host, from any state and after any sequence of patches', () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 30 }), fc.nat(30), (actions, cut) => {
        const before = play(actions.slice(0, cut)).conversation;
        const { conversation, patches } = play(actions.slice(cut), before);
        const rebuilt = replay(before, patches);
        assert.deepEqual(rebuilt?.messages, conversation.messages);
        assert.equal(rebuilt?.seq, conversation.seq);
      }),
    );
  });

  it('numbers its patches without a gap, and a replica notices one', () => {
    const { patches } = play([ask, append('a'), append('b'), end]);
    assert.deepEqual(
      patches.map((patch) => patch.seq),
      [1, 2, 3, 4, 5],
    );
    const missing = patches.filter((patch) => patch.seq !== 3);
    assert.equal(replay(emptyConversation('c', 1), missing), undefined);
  });

  it('ignores a patch that a replica already has', () => {
    const { conversation, patches } = play([ask, append('a')]);
    const again = replay(conversation, patches);
    assert.deepEqual(again?.messages, conversation.messages);
  });

  it('has no place for a change of an answer that is not there', () => {
    const { messages } = play([ask]).conversation;
    for (const index of [0, 2])
      assert.equal(applyChange(messages, { kind: 'append', index, field: 'text', text: 'a' }), undefined);
    assert.deepEqual(applyChange(messages, { kind: 'append', index: 1, field: 'text', text: '' }), messages);
  });

  it('keeps the text of an answer that failed, and replaces it on retry', () => {
    const failed = play([ask, append('half'), { ...end, state: 'failed', error: { kind: 'truncated' } }]).conversation;
    const last = failed.messages.at(-1);
    assert.ok(last?.role === 'assistant' && last.text === 'half' && last.error?.kind === 'truncated');
    const retried = play([{ type: 'retry', answerId: 'b', at: 30 }], failed).conversation;
    assert.equal(retried.messages.length, 2);
    assert.equal(streamingAnswer(retried)?.text, '');
  });

  it('takes no question and no retry while an answer streams, and no text after it ended', () => {
    const streaming = play([ask, append('a')]).conversation;
    assert.equal(reduce(streaming, { ...ask, id: 'q2' }).patches.length, 0);
    assert.equal(reduce(streaming, { type: 'retry', answerId: 'b', at: 9 }).patches.length, 0);
    const ended = play([end], streaming).conversation;
    assert.deepEqual(reduce(ended, append('late')).conversation, ended);
    assert.equal(reduce(ended, append('late')).patches.length, 0);
  });

  it('is called after the first line of its first question, or after what was attached', () => {
    assert.equal(titleOf(play([{ ...ask, text: ' Why?\nAnd how?' }]).conversation), 'Why?');
    assert.equal(titleOf(play([{ ...ask, text: 'x'.repeat(99) }]).conversation).length, 60);
    assert.equal(titleOf(emptyConversation('c', 1)), '');
  });
});
