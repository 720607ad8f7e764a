import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agesEveryMs, keepAgesFresh } from '../../support/vscodeStub.ts';

describe('Ages in a list', () => {
  it('are told anew each minute while somebody sees them, and no more once that is ended', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let isVisible = true;
    let told = 0;
    const end = keepAgesFresh(
      () => isVisible,
      () => told++,
    );
    t.mock.timers.tick(agesEveryMs - 1);
    assert.equal(told, 0);
    t.mock.timers.tick(1);
    assert.equal(told, 1);
    isVisible = false;
    t.mock.timers.tick(10 * agesEveryMs);
    assert.equal(told, 1);
    isVisible = true;
    t.mock.timers.tick(2 * agesEveryMs);
    assert.equal(told, 3);
    end();
    t.mock.timers.tick(agesEveryMs);
    assert.equal(told, 3);
  });
});
