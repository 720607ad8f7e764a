import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createHold } from '../../../src/webview/parts/keepPlace.ts';

/** A list whose browser scrolls by whole pixels, and what stands in it. */
function createScroller(end: number) {
  let scrollTop = 0;
  const scroller = {
    get scrollTop() {
      return scrollTop;
    },
    set scrollTop(to: number) {
      scrollTop = Math.min(end, Math.max(0, Math.round(to)));
    },
    /** How far down in the list it stands. */
    down: 1_000,
    top: () => scroller.down - scrollTop,
  };
  return { scroller, hold: createHold(scroller as unknown as HTMLElement) };
}

describe('What is held', () => {
  it('stays within a pixel of its place, however often something changes above it', () => {
    const moves = fc.array(fc.double({ min: -40, max: 60, noNaN: true }), { maxLength: 500 });
    fc.assert(
      fc.property(moves, (all) => {
        const { scroller, hold } = createScroller(1e6);
        scroller.scrollTop = 5e5;
        const place = scroller.top();
        for (const by of all) {
          const back = hold(scroller.top);
          scroller.down += by;
          back();
          assert.ok(Math.abs(scroller.top() - place) < 1, `${place} → ${scroller.top()}`);
        }
      }),
    );
  });

  it('is not scrolled for less than a pixel', () => {
    const { scroller, hold } = createScroller(1e6);
    scroller.scrollTop = 500;
    const back = hold(scroller.top);
    scroller.down += 0.9;
    back();
    assert.equal(scroller.scrollTop, 500);
  });

  it('is held where it is from then on, where the list ends before its place', () => {
    const { scroller, hold } = createScroller(500);
    scroller.scrollTop = 480;
    const first = hold(scroller.top);
    scroller.down += 100;
    first();
    const at = scroller.top();
    const second = hold(scroller.top);
    scroller.down -= 10;
    second();
    assert.equal(scroller.top(), at);
  });
});
