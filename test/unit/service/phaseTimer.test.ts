import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { createPhaseTimer } from '../../../src/service/transport/phaseTimer.ts';

describe('the time of a phase', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());
  const user = new AbortController();

  test('runs out, and says which it was', () => {
    const timer = createPhaseTimer(user.signal);
    timer.start('first-byte', 100);
    mock.timers.tick(99);
    assert.equal(timer.failure('u'), undefined);
    mock.timers.tick(1);
    assert.ok(timer.signal.aborted);
    assert.equal(timer.failure('u')?.hint, 'first-byte');
    timer.stop();
  });

  test('begins anew with the next phase, and ends with a pause', () => {
    const timer = createPhaseTimer(user.signal);
    timer.start('first-byte', 100);
    mock.timers.tick(90);
    timer.start('idle', 100);
    mock.timers.tick(90);
    timer.pause();
    mock.timers.tick(1_000);
    assert.ok(!timer.signal.aborted);
    timer.stop();
  });

  test('does not run while the reader holds a piece of the answer', () => {
    const timer = createPhaseTimer(user.signal, 5_000);
    timer.start('idle', 100);
    timer.hold(true);
    mock.timers.tick(4_000);
    assert.ok(!timer.signal.aborted);
    mock.timers.tick(1_000);
    assert.equal(timer.failure('u')?.hint, 'total');
    timer.stop();
  });

  test('runs out in the next phase, where the reader of the phase before left with a piece in its hands', () => {
    const timer = createPhaseTimer(user.signal);
    timer.start('idle', 100);
    timer.hold(true);
    timer.pause();
    timer.start('first-byte', 100);
    mock.timers.tick(100);
    assert.equal(timer.failure('u')?.hint, 'first-byte');
    timer.stop();
  });

  test('0 is no limit', () => {
    const timer = createPhaseTimer(user.signal, 0);
    timer.start('idle', 0);
    mock.timers.tick(1e9);
    assert.ok(!timer.signal.aborted);
    timer.stop();
  });

  test('the user’s stop comes before it, and nothing stays on the user’s signal', () => {
    const controller = new AbortController();
    const timer = createPhaseTimer(controller.signal);
    controller.abort();
    assert.equal(timer.failure('u')?.kind, 'cancelled');
    timer.stop();
    const other = createPhaseTimer(user.signal);
    other.stop();
    assert.equal(getEventListeners(user.signal, 'abort').length, 0);
  });
});
