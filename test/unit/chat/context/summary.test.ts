import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { planRequest, requestMessages, turnTokens } from '../../../../src/chat/context/requestMessages.ts';
import { transcriptPieces } from '../../../../src/chat/context/summary.ts';
import { type Turn, turnsOf } from '../../../../src/chat/context/turns.ts';
import type { Answer, Message, Question, TurnSummary } from '../../../../src/chat/conversation/conversation.ts';

const question = (id: string, text: string): Question => ({ role: 'user', id, at: 0, text, attachments: [] });
const answer = (id: string, text: string): Answer => ({
  ...{ role: 'assistant', id, at: 0, text, reasoning: '', state: 'complete', timings: {} },
});
/** Turns of about 200 tokens, and a question at the end. */
const turns = (count: number): Turn[] => {
  const path: Message[] = Array.from({ length: count }, (_, i) => [
    question(`q${i}`, 'x'.repeat(350)),
    answer(`a${i}`, 'y'.repeat(350)),
  ]).flat();
  return turnsOf([...path, question('last', 'Why?')]);
};
const summaries = (...all: [upTo: string, text: string][]): ReadonlyMap<string, TurnSummary> =>
  new Map(all.map(([upTo, text]) => [upTo, { upTo, text, at: 1 }]));
const ids = (all: readonly Turn[]): string[] => all.map(({ question: { id } }) => id);

describe('A summary of older turns', () => {
  it('is sent in their place, as a turn of its own, after the instructions', () => {
    const plan = planRequest(turns(4), 'Be brief.', 700, summaries(['a1', 'They spoke of x.']));
    assert.deepEqual([plan.isSummarised, ids(plan.leftOut), ids(plan.turns)], [true, [], ['a1', 'q2', 'q3', 'last']]);
    const [system, first, second, third] = requestMessages(plan.turns, 'Be brief.');
    assert.deepEqual(
      [system, first, second, third?.role],
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Summary of our conversation so far:\n\nThey spoke of x.' },
        { role: 'assistant', content: 'Understood.' },
        'user',
      ],
    );
  });

  it('is not sent where all turns fit, nor where the window is not known', () => {
    for (const room of [5_000, undefined]) {
      const plan = planRequest(turns(4), '', room, summaries(['a1', 'x']));
      assert.deepEqual([plan.isSummarised, plan.turns.length], [false, 5]);
    }
  });

  it('of the most turns is the one that counts; of another version of the conversation, none', () => {
    const plan = planRequest(turns(4), '', 500, summaries(['a0', 'less'], ['a2', 'more'], ['elsewhere', 'other']));
    assert.match(plan.turns[0]?.question.text ?? '', /more$/);
    assert.equal(planRequest(turns(4), '', 500, summaries(['elsewhere', 'x'])).isSummarised, false);
  });

  it('leaves out what was said since then where even that does not fit', () => {
    const plan = planRequest(turns(6), '', 300, summaries(['a1', 'x']));
    assert.deepEqual(
      [ids(plan.leftOut), ids(plan.turns)],
      [
        ['q2', 'q3', 'q4'],
        ['a1', 'q5', 'last'],
      ],
    );
  });

  it('never costs more than the room, but for the last question (property)', () => {
    fc.assert(
      fc.property(fc.nat(12), fc.nat(3000), fc.nat(12), fc.string({ maxLength: 400 }), (count, room, at, text) => {
        const all = turns(count);
        const plan = planRequest(all, '', room, summaries([`a${at}`, text]));
        assert.equal(plan.turns.at(-1)?.question.id, 'last');
        const cost = plan.turns.reduce((sum, turn) => sum + turnTokens(turn), 0);
        const least = plan.isSummarised ? 2 : 1;
        if (plan.turns.length > least) assert.ok(cost <= room);
      }),
      { numRuns: 1000, seed: 5 },
    );
  });
});

describe('What a model reads that summarises', () => {
  it('is all that was said, in pieces of at most that length (property)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 300 }), { maxLength: 10 }),
        fc.integer({ min: 50, max: 400 }),
        (texts, longest) => {
          const said = texts.map(
            (text, i): Turn => ({ question: question(`q${i}`, text), answer: answer(`a${i}`, text) }),
          );
          const pieces = transcriptPieces(said, longest);
          assert.ok(pieces.every(({ length }) => length <= longest));
          const letters = (text: string): string => text.replaceAll('\n', '');
          const whole = said.map(({ question: { text } }) => `User:${text}Assistant:${text}`).join('');
          assert.equal(letters(pieces.join('')), letters(whole));
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });
});
