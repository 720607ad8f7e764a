import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/base/errors.ts';
import type { Answer } from '../bench/client/answer.ts';
import { judge } from '../bench/client/judge.ts';
import { toRow } from '../bench/row.ts';
import type { CorpusCase, Expected } from '../corpus/case.ts';

function verdict(expected: Expected, answer: Partial<Answer>, error?: unknown): string {
  const each: CorpusCase = { name: 'a case', operation: 'chat', stream: true, body: '', expected };
  return judge(each, { texts: [], reasoning: '', toolCalls: [], ...answer }, error).verdict;
}

test('a client that gives what the service sent is right, and one that loses some of it is wrong in silence', () => {
  const good: Expected = { ok: true, text: 'hi', usage: { prompt: 1, completion: 2 }, finishReason: 'stop' };
  const whole = { texts: ['hi'], usage: { prompt: 1, completion: 2 }, finishReason: 'end' };
  assert.equal(verdict(good, whole), 'right');
  assert.equal(verdict(good, { ...whole, texts: ['h'] }), 'wrong silent');
  assert.equal(verdict(good, { texts: ['hi'], finishReason: 'stop' }), 'wrong silent');
  assert.equal(verdict(good, whole, new Error('Unexpected end')), 'wrong said');
  assert.equal(verdict({ ok: true, text: 'hi', usage: 'unknown' }, { texts: ['hi'] }), 'right');
});

test('arguments of a tool call count as the JSON they are', () => {
  const call = { name: 'read', arguments: '{"a":1,"b":2}' };
  const expected: Expected = { ok: true, toolCalls: [call] };
  assert.equal(
    verdict(expected, { toolCalls: [{ id: 'made', name: 'read', arguments: '{ "b": 2, "a": 1 }' }] }),
    'right',
  );
  assert.equal(verdict(expected, { toolCalls: [{ ...call, arguments: '[object Object]' }] }), 'wrong silent');
  assert.equal(verdict(expected, {}), 'wrong silent');
});

test('an error is right with the words of the service and the text that came before, and only then', () => {
  const bad: Expected = { ok: false, kind: 'overloaded', says: 'over capacity', partial: 'hi' };
  assert.equal(verdict(bad, { texts: ['hi'] }, new Error('503: over capacity')), 'right');
  assert.equal(verdict(bad, {}, new Error('over capacity')), 'wrong said');
  assert.equal(verdict(bad, { texts: ['hi'] }, new Error('')), 'wrong said');
  assert.equal(verdict(bad, { texts: ['hi'] }), 'wrong silent');
  const parley = (kind: 'overloaded' | 'server') => new ServiceError(kind, { message: 'over capacity' });
  assert.equal(verdict(bad, { texts: ['hi'] }, parley('overloaded')), 'right');
  assert.equal(verdict(bad, { texts: ['hi'] }, parley('server')), 'wrong said');
});

test('a row holds when its figure meets the goal', () => {
  const measured = { bench: 'b', metric: 'm', value: 300, unit: 'tokens/s', peer: { name: 'p', value: 100 } };
  const row = toRow({ ...measured, goal: { of: 'ratio', is: '>=', bound: 2 } });
  assert.deepEqual([row.peerValue, row.ratio, row.goal, row.holds], [100, 3, 'ratio >= 2', true]);
  assert.equal(toRow({ ...measured, goal: { of: 'value', is: '<=', bound: 5 } }).holds, false);
  assert.equal(toRow(measured).holds, null);
});
