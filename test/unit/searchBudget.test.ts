import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudget, dayOf, untilTomorrow } from '../../src/search/budget.ts';

function setUp(limit = 100) {
  const kept = new Map<string, unknown>();
  const clock = { day: '2026-11-21' };
  const store = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: unknown) => void kept.set(key, value),
  };
  return {
    clock,
    open: () =>
      createBudget(
        store,
        () => limit,
        () => clock.day,
      ),
  };
}

test('what was spent is counted by origin, by day and in all, and outlives the window', () => {
  const { clock, open } = setUp();
  open().send('http://a', 10)(30);
  open().send('http://a', 10)(20);
  assert.deepEqual(open().spent('http://a'), { today: 50, total: 50 });
  assert.deepEqual(open().spent('http://b'), { today: 0, total: 0 });
  clock.day = '2026-11-22';
  assert.deepEqual(open().spent('http://a'), { today: 0, total: 50 });
  assert.equal(open().left('http://a'), 100);
});

test('what is on its way is taken off what is left, by its estimate, until it has ended', () => {
  const budget = setUp().open();
  const ended = budget.send('http://a', 40);
  assert.equal(budget.left('http://a'), 60);
  ended(70);
  assert.equal(budget.left('http://a'), 30);
  budget.send('http://a', 90)(0);
  assert.equal(budget.left('http://a'), 30, 'a request that failed costs nothing');
});

test('without a limit nothing is ever used up', () => {
  const budget = setUp(0).open();
  budget.send('http://a', 40)(1_000_000);
  assert.equal(budget.left('http://a'), undefined);
});

test('a day ends at midnight of this machine, also where clocks change', () => {
  const evening = new Date(2026, 9, 24, 23, 0, 0);
  const next = new Date(evening.getTime() + untilTomorrow(evening));
  assert.deepEqual([dayOf(evening), dayOf(next), next.getHours()], ['2026-10-24', '2026-10-25', 0]);
});
