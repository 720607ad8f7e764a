import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Action, type Conversation, emptyConversation } from '../../../../src/chat/conversation/conversation.ts';
import { reachable } from '../../../../src/chat/conversation/path.ts';
import { createMessageIndex } from '../../../../src/chat/history/messageIndex.ts';
import { fold, marksOf, wordsOf } from '../../../../src/chat/history/searchWords.ts';
import { answer, append, ask, end, play } from '../actions.ts';
import { attachment } from '../sessions.ts';

/** A conversation of a question and an answer, and what else is said. */
function conversationOf(id: string, question: string, text: string, ...more: readonly Action[]): Conversation {
  const turn = [ask('q', 10, undefined, { text: question }), answer('a', 11, 'q'), append('a', text), end('a', 12)];
  return { ...play([...turn, ...more], emptyConversation(id, 1)).conversation, id };
}

/** What a search finds in some conversations: their ids, and the ids of the messages. */
function found(query: string, ...conversations: readonly Conversation[]) {
  const index = createMessageIndex();
  for (const each of conversations) index.set(each);
  const result = index.search(
    query,
    conversations.map(({ id }) => id),
  );
  return Object.fromEntries(result.conversations.map(({ id, hits }) => [id, hits.map(({ message }) => message)]));
}

const lineOf = (text: string, query: string): string | undefined => {
  const index = createMessageIndex();
  index.set(conversationOf('c', 'Why?', text));
  return index.search(query, ['c']).conversations[0]?.hits[0]?.line;
};

describe('The search of all messages', () => {
  const tide = conversationOf('tide', 'When does the tide turn?', 'At noon.\nShips leave the harbour then.');
  const crane = conversationOf('crane', 'What does the crane lift?', 'Cargo, from ships.');

  it('finds all words of a query in one message, whatever their case and order', () => {
    assert.deepEqual(found('ships', tide, crane), { tide: ['a'], crane: ['a'] });
    assert.deepEqual(found('HARBOUR ships', tide, crane), { tide: ['a'] });
    assert.deepEqual(found('tide harbour', tide, crane), {}, 'one is in the question, the other in the answer');
    assert.deepEqual(found('nowhere', tide, crane), {});
    assert.deepEqual(found('does', tide, crane), { tide: ['q'], crane: ['q'] });
  });

  it('takes what stands between quotes as one, also where the last quote is not typed yet', () => {
    assert.deepEqual(found('"the harbour"', tide, crane), { tide: ['a'] });
    assert.deepEqual(found('"harbour leave"', tide, crane), {});
    assert.deepEqual(found('"the harbour', tide, crane), { tide: ['a'] });
    assert.deepEqual(wordsOf('b "a c" ab b "" " '), ['a c', 'ab', 'b']);
  });

  it('takes a query as text, and nothing in it as a pattern', () => {
    const odd = conversationOf('odd', 'What is .* and $& and \\d?', '(unclosed [brackets');
    for (const query of ['.*', '$&', '\\d', '(unclosed', '[', 'a.*z']) {
      assert.deepEqual(Object.keys(found(query, tide, odd)), query === 'a.*z' ? [] : ['odd'], query);
    }
    assert.deepEqual(found('\0', tide), {});
    assert.deepEqual(found('  ""  ', tide), {});
  });

  it('finds messages of all versions, but none that is deleted', () => {
    const versions = conversationOf(
      ...(['c', 'First', 'One'] as const),
      ...[answer('b', 20, 'q'), append('b', 'Other ships'), end('b', 21)],
      { type: 'choose', id: 'a', at: 30 },
    );
    assert.deepEqual(found('ships', versions), { c: ['b'] });
    assert.deepEqual(found('ships', play([{ type: 'delete', ids: ['b'], at: 40 }], versions).conversation), {});
  });

  it('finds the names of attached files, and titles', () => {
    const asked = ask('q2', 20, 'a', { attachments: [{ ...attachment, label: 'berths.ts:3-9' }] });
    const named = conversationOf('c', 'Why?', 'So.', asked, { type: 'rename', title: 'Mooring', at: 21 });
    assert.deepEqual(found('berths.ts', named), { c: ['q2'] });
    const index = createMessageIndex();
    index.set(named);
    const { conversations, hits } = index.search('mooring', ['c']);
    assert.deepEqual([conversations, hits], [[{ id: 'c', isTitle: true, hits: [], count: 0 }], 1]);
  });

  it('finds what a plain look at every message finds', () => {
    const word = fc.constantFrom('ab', 'a', 'B', 'ba', 'abc', 'Ä', 'ä', 'İ', '船', '\n', ' ', '🚢');
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), text, (turns, query) => {
        const conversations = turns.map(([question, said], i) => conversationOf(`c${i}`, question, said));
        const words = wordsOf(query);
        const expected = conversations.flatMap((each) => {
          const has = (searched: string): boolean => words.every((part) => fold(searched).includes(part));
          const ids = reachable(each).flatMap((message) => (has(message.text) ? [message.id] : []));
          return words.length > 0 && ids.length > 0 ? [[each.id, ids]] : [];
        });
        assert.deepEqual(found(query, ...conversations), Object.fromEntries(expected));
      }),
      { seed: 8, numRuns: 2000 },
    );
  });

  it('gives the line of a hit, and of a long line the part around it', () => {
    assert.equal(lineOf('One.\n  Two ships.\nThree.', 'ships'), 'Two ships.');
    assert.equal(lineOf('ships first', 'ships'), 'ships first');
    const long = `${'word '.repeat(100)}needle ${'after '.repeat(100)}`;
    const line = lineOf(long, 'needle') ?? '';
    assert.ok(line.startsWith('…word word') && line.indexOf('needle') < 30, line);
    assert.ok(line.length < 240, String(line.length));
    assert.equal(lineOf(`${'x'.repeat(1000)}needle`, 'needle'), `…${'x'.repeat(24)}needle`);
  });

  it('marks all words in a line, each place once', () => {
    assert.deepEqual(marksOf('Ships, SHIPS and a ship', wordsOf('ships hip')), [
      [0, 5],
      [7, 12],
      [20, 23],
    ]);
    assert.deepEqual(marksOf('İ ships', ['ships']), [[2, 7]], 'a letter that is two in lower case moves nothing');
  });

  it('gives so many hits and no more, and the number of all', () => {
    const turns = Array.from({ length: 80 }, (_, i) => ask(`m${i}`, 20 + i, i === 0 ? 'a' : `m${i - 1}`));
    const conversations = Array.from({ length: 30 }, (_, i) => conversationOf(`c${i}`, 'question', 'x', ...turns));
    const index = createMessageIndex();
    for (const each of conversations) index.set(each);
    const result = index.search(
      'question',
      conversations.map(({ id }) => id),
    );
    assert.deepEqual([result.hits, result.inConversations], [30 * 81, 30]);
    assert.deepEqual([result.conversations[0]?.hits.length, result.conversations[0]?.count], [50, 81]);
  });

  it('leaves out the oldest conversations where they take too much memory, and says how many', () => {
    const index = createMessageIndex(10_000);
    const text = 'word '.repeat(500);
    const conversations = Array.from({ length: 9 }, (_, i) =>
      conversationOf(`c${i}`, 'Why?', text, { type: 'rename', title: 't', at: 100 + i }),
    );
    for (const each of conversations.toReversed()) index.set(each);
    const ids = conversations.map(({ id }) => id);
    assert.deepEqual(
      index.search('word', ids).conversations.map(({ id }) => id),
      ['c6', 'c7', 'c8'],
    );
    assert.equal(index.leftOut, 6);
    index.keep(new Set(['c0', 'c8']));
    assert.equal(index.leftOut, 1);
    // One that is touched again is the newest.
    index.set(play([{ type: 'rename', title: 'u', at: 200 }], conversations[0]).conversation);
    assert.deepEqual([index.leftOut, index.search('word', ['c0']).hits], [0, 1]);
  });
});
