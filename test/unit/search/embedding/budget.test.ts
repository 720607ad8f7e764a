import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createBudget, dayOf, untilTomorrow } from '../../../../src/search/embedding/budget.ts';
import { createLedger } from '../../../../src/search/embedding/ledger.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function setUp(limit = 100) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-spent-'));
  folders.push(folder);
  const clock = { day: '2026-11-21' };
  return {
    clock,
    folder,
    /** As another window does. */
    open: () =>
      createBudget(
        createLedger(join(folder, 'spent')),
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

test('two windows count what the other spends, and what it has on its way', () => {
  const { open } = setUp();
  const [here, there] = [open(), open()];
  here.send('http://a', 10)(30);
  assert.equal(there.left('http://a'), 70);
  const ended = there.send('http://a', 40);
  assert.equal(here.left('http://a'), 30);
  here.send('http://a', 10)(5);
  ended(20);
  assert.deepEqual([here.left('http://a'), there.left('http://a')], [45, 45]);
  assert.deepEqual(there.spent('http://a'), { today: 55, total: 55 });
});

test('where nothing can be written, a window keeps count of its own', () => {
  const { folder, open } = setUp();
  writeFileSync(join(folder, 'spent'), 'a file in place of the folder');
  const budget = open();
  budget.send('http://a', 10)(30);
  assert.equal(budget.left('http://a'), 70);
  assert.deepEqual(budget.spent('http://a'), { today: 30, total: 30 });
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
