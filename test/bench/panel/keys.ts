import type { Page } from 'playwright-core';
import { nextTurn } from '../../../src/base/nextTurn.ts';

/** Time between two keys that are pressed while something goes on, in milliseconds. */
const keyEveryMs = 150;

/**
 * The slowest answer to a key or click while something goes on: from the event to the end of the next animation frame, in
 * milliseconds. The browser's own times of events count from a picture that has changed, which a headless one may put off.
 */
export async function slowestAnswer(page: Page, run: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const times: number[] = [];
    globalThis.answerTimes = times;
    const measure = ({ timeStamp }: Event): unknown =>
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp)));
    for (const type of ['keydown', 'click']) addEventListener(type, measure, { capture: true });
  });
  await run();
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  });
  return page.evaluate(() => Math.max(...globalThis.answerTimes));
}

/** Goes on typing into the message box until something is over, and a while after it. */
export async function typeDuring(page: Page, run: Promise<unknown>): Promise<void> {
  await page.focus('.composer .box');
  let left = 5;
  let isOver = false;
  const over = run.finally(() => {
    isOver = true;
  });
  while (left > 0) {
    await page.keyboard.press('a');
    await new Promise((done) => setTimeout(done, keyEveryMs));
    if (isOver) left -= 1;
  }
  await over;
  await nextTurn();
}

declare global {
  var answerTimes: number[];
}
