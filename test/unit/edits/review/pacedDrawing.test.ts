import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPacedDrawing } from '../../../../src/edits/review/pacedDrawing.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';

function setUp() {
  const clock = createFakeClock();
  const drawn: string[] = [];
  const drawing = createPacedDrawing((name) => drawn.push(name), clock);
  return { clock, drawn, drawing };
}

describe('a drawing that is paced', () => {
  it('draws at once, and again only after the first was seen and as long again', async () => {
    const { clock, drawn, drawing } = setUp();
    drawing.draw('a');
    drawing.draw('a');
    drawing.draw('b');
    assert.deepEqual(drawn, ['a', 'b']);
    await clock.advance(100);
    drawing.seen('a');
    await clock.advance(99);
    assert.equal(drawn.length, 2);
    await clock.advance(1);
    assert.deepEqual(drawn, ['a', 'b', 'a']);
  });

  it('draws what was wanted last though the one before was never seen', async () => {
    const { clock, drawn, drawing } = setUp();
    drawing.draw('a');
    drawing.draw('a');
    await clock.advance(1_999);
    assert.equal(drawn.length, 1);
    await clock.advance(1);
    assert.equal(drawn.length, 2);
  });

  it('draws nothing that is forgotten, and nothing after its end', async () => {
    const { clock, drawn, drawing } = setUp();
    drawing.draw('a');
    drawing.draw('a');
    drawing.forget('a');
    await clock.advance(5_000);
    drawing.draw('b');
    drawing.draw('b');
    drawing.dispose();
    await clock.advance(5_000);
    assert.deepEqual(drawn, ['a', 'b']);
  });
});
