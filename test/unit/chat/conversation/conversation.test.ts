import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Action,
  type Conversation,
  emptyConversation,
  type Message,
  streamingAnswers,
  titleOf,
} from '../../../../src/chat/conversation/conversation.ts';
import { endOfPath, pathTo } from '../../../../src/chat/conversation/path.ts';
import { reduce, replay } from '../../../../src/chat/conversation/reduce.ts';
import { applyPatch, type Replica } from '../../../../src/webview/chat/replica.ts';
import { applyChange } from '../../../../src/webview/shared/applyChange.ts';
import type { Patch } from '../../../../src/webview/shared/protocol/protocol.ts';
import { actionsOf, answer, append, ask, end, idsOf, play, randomSteps, turn } from '../actions.ts';

const empty = emptyConversation('c', 1);

/** What a page comes to that has a conversation and takes patches; undefined where one is missing. */
function drawn(before: Conversation, patches: readonly Patch<Message>[]): Replica<Message> | undefined {
  const start: Replica<Message> = { conversation: before.id, seq: before.seq, messages: before.messages };
  return patches.reduce<Replica<Message> | undefined>((replica, patch) => replica && applyPatch(replica, patch), start);
}

/** What two windows have to agree on, in an order that does not depend on which came first. */
function agreed(conversation: Conversation) {
  const { tree, chosen, deleted, deletedAt, configured, title, isPinned, messages } = conversation;
  const maps = [sorted(tree), sorted(chosen), sorted(deletedAt), sorted(configured)];
  return { maps, deleted: [...deleted].sort(), title, isPinned, messages };
}

const sorted = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

describe('A conversation', () => {
  it('is the same however the text of an answer is split', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 20 }), (pieces) => {
        const asked = [ask('q', 2), answer('a', 3, 'q')];
        const split = play([...asked, ...pieces.map((piece) => append('a', piece)), end('a', 9)]).conversation;
        const whole = play([...asked, append('a', pieces.join('')), end('a', 9)]).conversation;
        assert.deepEqual(split.messages, whole.messages);
      }),
    );
  });

  it('is the same on the page as at the host, from any state and after any actions', () => {
    fc.assert(
      fc.property(randomSteps(40), fc.nat(40), (steps, cut) => {
        const actions = actionsOf(steps, { name: 'm' });
        const before = play(actions.slice(0, cut)).conversation;
        const { conversation, patches } = play(actions.slice(cut), before);
        const page = drawn(before, patches);
        assert.deepEqual(page?.messages, conversation.messages);
        assert.equal(page?.seq, conversation.seq);
      }),
      { seed: 8, numRuns: 1000 },
    );
  });

  it('is the same when it is read from its file as when it came to be', () => {
    fc.assert(
      fc.property(randomSteps(60), (steps) => {
        const actions = actionsOf(steps, { name: 'm' });
        const { conversation } = play(actions);
        assert.deepEqual({ ...replay(empty, actions), seq: conversation.seq }, conversation);
      }),
      { seed: 8, numRuns: 1000 },
    );
  });

  it('is the same in two windows, whichever hears first of what the other did', () => {
    const order = fc.infiniteStream(fc.boolean());
    fc.assert(
      fc.property(randomSteps(20), randomSteps(30), randomSteps(30), order, order, (first, one, two, ...orders) => {
        const before = actionsOf(first, { name: 'm' });
        const lists = [
          actionsOf(one, { name: 'one', parity: 0, before }),
          actionsOf(two, { name: 'two', parity: 1, before }),
        ] as const;
        const [here, there] = orders.map((each) => play([...before, ...mixed(lists, each)]).conversation);
        assert.ok(here && there);
        assert.deepEqual(agreed(here), agreed(there));
      }),
      { seed: 8, numRuns: 1000 },
    );
  });

  it('numbers its patches without a gap, and a replica notices one', () => {
    const { patches } = play([ask('q', 2), answer('a', 3, 'q'), append('a', 'x'), append('a', 'y'), end('a', 4)]);
    assert.deepEqual(
      patches.map((patch) => patch.seq),
      [1, 2, 3, 4, 5],
    );
    const missing = patches.filter((patch) => patch.seq !== 3);
    assert.equal(drawn(empty, missing), undefined);
  });

  it('ignores a patch that a replica already has', () => {
    const { conversation, patches } = play([ask('q', 2), answer('a', 3, 'q'), append('a', 'x'), append('a', 'y')]);
    const again = drawn(conversation, patches.slice(2, 3));
    assert.deepEqual([again?.messages, again?.seq], [conversation.messages, conversation.seq]);
  });

  it('has no place for a change of an answer that is not there', () => {
    const { messages } = play([ask('q', 2), answer('a', 3, 'q')]).conversation;
    for (const index of [0, 2])
      assert.equal(applyChange(messages, { kind: 'append', index, field: 'text', text: 'a' }), undefined);
    assert.deepEqual(applyChange(messages, { kind: 'append', index: 1, field: 'text', text: '' }), messages);
  });

  it('takes nothing that does not fit, and is the same object then', () => {
    const { conversation } = play([...turn(1, 10), ask('q2', 20, 'a1'), answer('a2', 21, 'q2')]);
    const unfit: Action[] = [
      { type: 'create', id: 'another', at: 30 },
      ask('q1', 30),
      ask('q3', 30, 'nowhere'),
      answer('a1', 30, 'q1'),
      answer('a3', 30, 'nowhere'),
      answer('a3', 30, 'a1'),
      append('q1', 'not an answer'),
      append('a2', ''),
      end('a1', 30),
      { type: 'choose', id: 'nowhere', at: 30 },
      { type: 'choose', id: 'q1', at: 9 },
      { type: 'delete', ids: ['nowhere'], at: 30 },
      { type: 'restore', ids: ['q1'], at: 30 },
    ];
    for (const action of unfit) {
      const step = reduce(conversation, action);
      assert.equal(step.conversation, conversation, JSON.stringify(action));
      assert.deepEqual(step.patches, []);
    }
  });

  it('is called after the first line of its first question, or after what was attached', () => {
    const called = (text: string, label?: string): string => {
      const attachment = { id: 'x', label: 'a.ts:3', languageId: 'ts', path: 'a.ts', text: '' };
      const attachments = [{ ...attachment, range: { startLine: 3, endLine: 3 } }];
      return titleOf(play([ask('q', 2, undefined, { text, attachments, label })]).conversation);
    };
    assert.equal(called(' Why?\nAnd how?'), 'Why?');
    assert.equal(called('x'.repeat(99)).length, 60);
    assert.equal(called(''), 'a.ts:3');
    assert.equal(called('Explain this code.', 'Explain'), 'Explain a.ts:3');
    assert.equal(titleOf(empty), '');
  });

  it('is called what its user calls it, until that is taken back', () => {
    const named = play([...turn(1, 10), { type: 'rename', title: 'Mine', at: 20 }]).conversation;
    assert.equal(titleOf(named), 'Mine');
    assert.equal(titleOf(play([{ type: 'rename', title: '', at: 21 }], named).conversation), 'Question q1');
  });
});

/** Two lists as one, each in its own order. */
function mixed(lists: readonly [readonly Action[], readonly Action[]], order: Iterable<boolean>): Action[] {
  const rest = lists.map((list) => [...list]);
  const all: Action[] = [];
  for (const isFirst of order) {
    const [one = [], two = []] = isFirst ? rest : rest.toReversed();
    const next = one.shift() ?? two.shift();
    if (next === undefined) return all;
    all.push(next);
  }
  return all;
}

describe('A version', () => {
  const two = [...turn(1, 10), ...turn(2, 20, 'a1')];
  const edited = play([...two, ...turn('1b', 30)]).conversation;

  it('of a question is another one in its place, and the old one is kept with all that followed', () => {
    assert.deepEqual(idsOf(edited.messages), ['q1b', 'a1b']);
    assert.deepEqual(edited.messages[0]?.versions, ['q1', 'q1b']);
    assert.equal(edited.messages[1]?.versions, undefined);
    for (const message of play(two).conversation.messages) assert.deepEqual(edited.tree.get(message.id), message);
  });

  it('that is chosen comes back whole, with the path below it', () => {
    const { conversation, patches } = play([{ type: 'choose', id: 'q1', at: 40 }], edited);
    assert.deepEqual(idsOf(conversation.messages), ['q1', 'a1', 'q2', 'a2']);
    const [first, ...rest] = conversation.messages;
    assert.deepEqual(first, { ...edited.tree.get('q1'), versions: ['q1', 'q1b'] });
    assert.deepEqual(rest, play(two).conversation.messages.slice(1));
    assert.deepEqual(drawn(edited, patches)?.messages, conversation.messages);
  });

  it('of an answer stands beside the one before it, and what followed that one is kept', () => {
    const { conversation } = play([...two, answer('a1b', 30, 'q1'), append('a1b', 'Another'), end('a1b', 31)]);
    assert.deepEqual(idsOf(conversation.messages), ['q1', 'a1b']);
    assert.deepEqual(conversation.messages[1]?.versions, ['a1', 'a1b']);
    const back = play([{ type: 'choose', id: 'a1', at: 40 }], conversation).conversation;
    assert.deepEqual(idsOf(back.messages), ['q1', 'a1', 'q2', 'a2']);
  });

  it('of an answer is written while another one is shown, and is whole when it is chosen', () => {
    const asked = play([...two, answer('a2b', 30, 'q2'), append('a2b', 'Half'), { type: 'choose', id: 'a2', at: 40 }]);
    const written = play([append('a2b', ' and half'), end('a2b', 41)], asked.conversation);
    assert.deepEqual(written.patches, [], 'nothing of it is on the path');
    assert.deepEqual(idsOf(streamingAnswers(asked.conversation)), ['a2b']);
    const { conversation } = play([{ type: 'choose', id: 'a2b', at: 50 }], written.conversation);
    const last = conversation.messages.at(-1);
    assert.ok(last?.role === 'assistant');
    assert.deepEqual([last.id, last.text, last.state], ['a2b', 'Half and half', 'complete']);
  });

  it('that was chosen later is shown, whichever choice is heard of first', () => {
    const choices: Action[] = [
      { type: 'choose', id: 'q1', at: 50 },
      { type: 'choose', id: 'q1b', at: 60 },
    ];
    for (const heard of [choices, choices.toReversed()]) {
      assert.deepEqual(idsOf(play(heard, edited).conversation.messages), ['q1b', 'a1b']);
    }
    const last = [...choices, { type: 'choose', id: 'q1', at: 70 } as const];
    assert.deepEqual(idsOf(play(last, edited).conversation.messages), ['q1', 'a1', 'q2', 'a2']);
  });

  it('of two that were made at the same time is the same in every window', () => {
    const [one, other] = [turn('x', 30, 'a2'), turn('y', 30, 'a2')];
    const here = play([...two, ...one, ...other]).conversation;
    const there = play([...two, ...other, ...one]).conversation;
    assert.deepEqual(agreed(here), agreed(there));
    assert.deepEqual(here.messages[4]?.versions, ['qx', 'qy']);
  });

  it('numbers the ones beside it anew when one is added, and tells the page', () => {
    const { conversation, patches } = play(turn('1c', 40), edited);
    const back = play([{ type: 'choose', id: 'q1b', at: 50 }], conversation);
    assert.deepEqual(back.conversation.messages[0]?.versions, ['q1', 'q1b', 'q1c']);
    assert.deepEqual(drawn(edited, [...patches, ...back.patches])?.messages, back.conversation.messages);
  });
});

describe('Deleting from a conversation', () => {
  const three = play([...turn(1, 10), ...turn(2, 20, 'a1'), ...turn(3, 30, 'a2')]).conversation;
  const without = (ids: readonly string[], from = three) => play([{ type: 'delete', ids, at: 40 }], from).conversation;

  it('leaves what followed a question and its answers, and restoring brings them back to their place', () => {
    const less = without(['q2', 'a2']);
    assert.deepEqual(idsOf(less.messages), ['q1', 'a1', 'q3', 'a3']);
    const { conversation, patches } = play([{ type: 'restore', ids: ['q2', 'a2'], at: 50 }], less);
    assert.deepEqual(conversation.messages, three.messages);
    assert.deepEqual(drawn(less, patches)?.messages, three.messages);
  });

  it('an answer with other versions shows another of them', () => {
    const twice = play([answer('a3b', 40, 'q3'), append('a3b', 'Another'), end('a3b', 41)], three).conversation;
    assert.equal(twice.messages.at(-1)?.id, 'a3b');
    const less = without(['a3b'], twice);
    assert.equal(less.messages.at(-1)?.id, 'a3');
    assert.equal(less.messages.at(-1)?.versions, undefined, 'there is one left');
    const back = play([{ type: 'restore', ids: ['a3b'], at: 50 }], less).conversation;
    assert.deepEqual(back.messages, twice.messages);
  });

  it('the only answer leaves its question, and what followed', () => {
    assert.deepEqual(idsOf(without(['a2']).messages), ['q1', 'a1', 'q2', 'q3', 'a3']);
  });

  it('sends nothing of what is deleted with the next question, which follows all the same', () => {
    const less = without(['q3', 'a3']);
    assert.equal(endOfPath(less), 'a3');
    const { conversation } = play([ask('q4', 50, endOfPath(less)), answer('a4', 51, 'q4')], less);
    assert.deepEqual(idsOf(pathTo(conversation, 'a4')), ['q1', 'a1', 'q2', 'a2', 'q4']);
    const all = play([{ type: 'restore', ids: ['q3', 'a3'], at: 60 }], conversation).conversation;
    assert.deepEqual(idsOf(all.messages), ['q1', 'a1', 'q2', 'a2', 'q3', 'a3', 'q4', 'a4']);
  });

  it('everything leaves an empty path, from which it goes on', () => {
    const none = without([...three.tree.keys()]);
    assert.deepEqual(none.messages, []);
    const { conversation } = play(turn(4, 50, endOfPath(none)), none);
    assert.deepEqual(idsOf(conversation.messages), ['q4', 'a4']);
  });

  it('the shown version of a question shows another, with what followed that one', () => {
    const edited = play(turn('1b', 40), three).conversation;
    assert.deepEqual(idsOf(without(['q1b', 'a1b'], edited).messages), idsOf(three.messages));
  });
});

describe('What two windows do at the same time', () => {
  const { conversation } = play([...turn(1, 10), { type: 'delete', ids: ['a1'], at: 20 }]);
  const cases: [string, Action, Action, (after: Conversation) => unknown, unknown][] = [
    ['a name', { type: 'rename', title: 'one', at: 30 }, { type: 'rename', title: 'two', at: 31 }, titleOf, 'two'],
    [
      'a pin',
      { type: 'pin', isPinned: true, at: 30 },
      { type: 'pin', isPinned: false, at: 31 },
      (after) => after.isPinned,
      false,
    ],
    [
      'a deletion',
      { type: 'restore', ids: ['a1'], at: 30 },
      { type: 'delete', ids: ['a1'], at: 31 },
      (after) => [...after.deleted],
      ['a1'],
    ],
    [
      'a restoration',
      { type: 'delete', ids: ['a1'], at: 30 },
      { type: 'restore', ids: ['a1'], at: 31 },
      (after) => [...after.deleted],
      [],
    ],
  ];
  for (const [what, earlier, later, of, expected] of cases) {
    it(`comes to the same: ${what} that came later holds, whichever is heard of first`, () => {
      for (const heard of [
        [earlier, later],
        [later, earlier],
      ]) {
        assert.deepEqual(of(play(heard, conversation).conversation), expected);
      }
    });

    it(`comes to the same: ${what}, also at the very same time`, () => {
      const same = [{ ...earlier, at: 40 } as Action, { ...later, at: 40 } as Action];
      const [here, there] = [same, same.toReversed()].map((heard) => play(heard, conversation).conversation);
      assert.ok(here && there);
      assert.deepEqual(agreed(here), agreed(there));
    });
  }
});

describe('An answer', () => {
  it('keeps its text when it failed, and says why', () => {
    const failed = end('a', 9, { state: 'failed', error: { kind: 'truncated' } });
    const { conversation } = play([ask('q', 2), answer('a', 3, 'q'), append('a', 'half'), failed]);
    const last = conversation.messages.at(-1);
    assert.ok(last?.role === 'assistant');
    assert.deepEqual([last.text, last.state, last.error], ['half', 'failed', { kind: 'truncated' }]);
    assert.deepEqual(streamingAnswers(conversation), []);
  });

  it('takes facts one after another, and shows no wait once it ended', () => {
    const facts = [{ timings: { firstTokenMs: 5 } }, { model: 'm' }, { waitSeconds: 3 }];
    const actions = facts.map((each): Action => ({ type: 'describe', id: 'a', facts: each }));
    const { conversation } = play([ask('q', 2), answer('a', 3, 'q'), ...actions, end('a', 9, { totalMs: 20 })]);
    const last = conversation.messages.at(-1);
    assert.ok(last?.role === 'assistant');
    assert.deepEqual([last.timings, last.model], [{ firstTokenMs: 5, totalMs: 20 }, 'm']);
    assert.equal(last.waitSeconds, undefined);
  });

  it('that two windows ended was ended by the earlier one, and has all that was written', () => {
    const begun = play([ask('q', 2), answer('a', 3, 'q'), append('a', 'Half')]).conversation;
    const stopped = end('a', 20, { state: 'stopped', totalMs: 17 });
    const [more, complete] = [append('a', ' and half'), end('a', 30, { totalMs: 27 })];
    const orders: Action[][] = [
      [stopped, more, complete],
      [more, stopped, complete],
      [more, complete, stopped],
    ];
    for (const actions of orders) {
      const { conversation, patches } = play(actions, begun);
      const last = conversation.messages.at(-1);
      assert.ok(last?.role === 'assistant');
      assert.deepEqual([last.text, last.state, last.timings.totalMs], ['Half and half', 'stopped', 17]);
      assert.deepEqual(drawn(begun, patches)?.messages, conversation.messages);
    }
    const same = [stopped, end('a', 20), end('a', 20, { totalMs: 8 })];
    const [here, there] = [same, same.toReversed()].map((ends) => play(ends, begun).conversation);
    assert.ok(here && there);
    assert.deepEqual(agreed(here), agreed(there), 'at the very same time');
    const failed = end('a', 30, { state: 'failed', error: { kind: 'reset' } });
    const last = play([failed, stopped], begun).conversation.messages.at(-1);
    assert.ok(last?.role === 'assistant');
    assert.deepEqual([last.state, last.error], ['stopped', undefined]);
  });

  it('whose end was only presumed goes on where whoever writes it is there after all', () => {
    const asked = play([ask('q', 2), answer('a', 3, 'q'), append('a', 'half')]).conversation;
    const [question, half] = asked.messages;
    assert.ok(question && half?.role === 'assistant');
    const cut: Message = { ...half, state: 'failed', error: { kind: 'truncated' }, isPresumedCut: true };
    const tree = new Map([...asked.tree, [cut.id, cut]]);
    const presumed: Conversation = { ...asked, tree, messages: [question, cut] };
    for (const more of [append('a', ' and half'), end('a', 9)] satisfies Action[]) {
      const { conversation, patches } = play([more], presumed);
      const whole = play([more], asked).conversation;
      const last = conversation.messages[1];
      assert.ok(last?.role === 'assistant' && last.error === undefined && last.isPresumedCut === undefined);
      assert.deepEqual([last.text, last.state], pickText(whole.messages[1]));
      assert.deepEqual(drawn(presumed, patches)?.messages, conversation.messages);
    }
  });
});

function pickText(message: Message | undefined) {
  return message?.role === 'assistant' ? [message.text, message.state] : [];
}
