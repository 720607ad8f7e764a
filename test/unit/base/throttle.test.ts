import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { throttle } from '../../../src/base/throttle.ts';

test('what is asked for again and again runs at once, then at most once in the time, and a last time after the last call', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const run = mock.fn();
    const throttled = throttle(run, 250);
    for (let ms = 0; ms < 1_000; ms += 10) {
      throttled();
      mock.timers.tick(10);
    }
    assert.equal(run.mock.callCount(), 5);
    mock.timers.tick(1_000);
    assert.equal(run.mock.callCount(), 5, 'nothing was asked for since');
    throttled();
    throttled();
    throttled.dispose();
    mock.timers.tick(1_000);
    assert.equal(run.mock.callCount(), 6);
    throttled();
    assert.equal(run.mock.callCount(), 7, 'it begins anew');
  } finally {
    mock.timers.reset();
  }
});
