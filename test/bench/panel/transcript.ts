import type { Page } from 'playwright-core';
import type { ToTranscriptPanel } from '../../../src/webview/shared/protocol/transcriptProtocol.ts';
import { drawn } from '../../ui/chatPage.ts';
import { transcriptStrings } from '../../ui/strings.ts';
import { openTranscriptPage } from '../../ui/transcriptPage.ts';
import { talk } from '../../ui/transcriptSamples.ts';
import { median } from '../client/statistics.ts';
import { type Row, toRow } from '../row.ts';
import { traceTasks } from './tasks.ts';
import { range } from './texts.ts';
import type { Windows } from './windows.ts';

const segments = 10_000;
const rounds = 5;
/** What a browser calls a long task, in milliseconds (https://www.w3.org/TR/longtasks-1/). */
const longTask = 50;

/** What is done with a transcript's page, in this order: what the host sends, or what a user does. The find box stays open. */
const acts: Readonly<Record<string, ToTranscriptPanel | ((page: Page) => Promise<unknown>)>> = {
  opens: { type: 'show', strings: transcriptStrings, transcript: talk(segments) },
  'is scrolled': async (page) => {
    for (const top of [300, 40_000, 150_000, 9_999_999, 0]) {
      await page.evaluate((to) => document.querySelector('.text')?.scrollTo(0, to), top);
      await drawn(page);
    }
  },
  'finds a word of every line': async (page) => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('line');
    await page.keyboard.press('Enter');
  },
  'has a line edited': async (page) => {
    await page.locator('.segment').first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('More. ');
    await page.keyboard.press('Enter');
  },
  'takes in 5,000 edits': {
    type: 'changed',
    lines: range(segments / 2).map((segment) => ({ segment, text: `Another text of line ${segment}.` })),
  },
};

/** The page of a transcript of 10,000 segments: the longest task of the main thread in whatever is done there. */
export async function measureTranscript(windows: Windows, tell: (text: string) => void): Promise<Row[]> {
  tell(`panel: a transcript of ${segments} segments`);
  const longest = new Map<string, number[]>();
  for (const round of range(rounds + 1)) {
    const page = await windows.open();
    const { theme } = await openTranscriptPage(page);
    await theme('dark');
    for (const [what, act] of Object.entries(acts)) {
      const run = typeof act === 'function' ? act : await staged(page, act);
      const took = await longestTask(page, async () => {
        await run(page);
        await drawn(page);
      });
      if (round > 0) longest.set(what, [...(longest.get(what) ?? []), took]);
    }
    await page.close();
  }
  return [...longest].map(([what, times]) =>
    toRow({
      bench: 'panel',
      metric: `10,000 segments: longest task when the page ${what}`,
      value: median(times),
      unit: 'ms',
      goal: { of: 'value', is: '<=', bound: longTask },
    }),
  );
}

/** Has a message in the page, so that sending it costs what it costs in VS Code, and not what the browser's driver takes. */
async function staged(page: Page, message: ToTranscriptPanel): Promise<(page: Page) => Promise<unknown>> {
  await page.evaluate((json) => Object.assign(globalThis, { staged: JSON.parse(json) }), JSON.stringify(message));
  return () => page.evaluate(() => globalThis.postMessage((globalThis as unknown as { staged: unknown }).staged));
}

/** By the time on the processor: other processes may have held a task up. */
async function longestTask(page: Page, run: () => Promise<unknown>): Promise<number> {
  const { workedMs } = await traceTasks(page, run);
  return Math.max(0, ...workedMs);
}
