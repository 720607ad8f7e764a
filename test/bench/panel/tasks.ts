import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';

/** What the page's main thread did. Times are milliseconds. */
export interface Tasks {
  /** How long each task took, by the clock. */
  readonly tookMs: readonly number[];
  /** How much of that the thread had the processor. */
  readonly workedMs: readonly number[];
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, as are the durations. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly data?: { readonly message?: string } };
}

const categories = ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'blink.user_timing'];

/** Every task of the page's main thread from the beginning of `run` to its end, by the browser's own trace. */
export async function traceTasks(page: Page, run: () => Promise<unknown>): Promise<Tasks> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser that can be traced.');
  const mark = `bench ${randomUUID()}`;
  const put = (name: string) => page.evaluate((text) => void performance.mark(text), name);
  await browser.startTracing(page, { categories });
  await put(`${mark} begins`);
  await run();
  await put(`${mark} ends`);
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const begins = traceEvents.find(({ name }) => name === `${mark} begins`);
  const ends = traceEvents.find(({ name }) => name === `${mark} ends`);
  if (begins === undefined || ends === undefined) throw new Error('The trace has lost its marks.');
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid, ts }) =>
      name === 'RunTask' && ph === 'X' && pid === begins.pid && tid === begins.tid && ts > begins.ts && ts < ends.ts,
  );
  return {
    tookMs: tasks.map(({ dur = 0 }) => dur / 1000),
    workedMs: tasks.map(({ tdur = 0 }) => tdur / 1000),
  };
}
