import type { Page } from 'playwright-core';
import type { ConfidenceView } from '../../../src/webview/shared/protocol/confidenceProtocol.ts';
import { openChatPage } from '../../ui/chatPage.ts';
import { answer, question } from '../../ui/samples.ts';
import { median } from '../client/statistics.ts';
import { type Row, toRow } from '../row.ts';
import { traceTasks } from './tasks.ts';
import { range } from './texts.ts';
import type { Windows } from './windows.ts';

const rounds = 5;
const tokens = 10_000;
/** Steps in which the marked text is scrolled from its beginning to its end. */
const steps = 50;

const bench = 'panel';
const most = (bound: number) => ({ of: 'value', is: '<=', bound }) as const;

/** The drawer of parameters, and how sure the model was of a long answer. */
export async function measureRequests(windows: Windows, tell: (text: string) => void): Promise<Row[]> {
  tell(`panel: the drawer, and ${tokens} tokens by how sure the model was`);
  const page = await windows.open();
  const chat = await openChatPage(page);
  await chat.theme('dark');
  const view = longView();
  const { text } = view;
  const opened: number[] = [];
  const drawn: number[] = [];
  let longest = 0;
  for (const round of range(rounds + 1)) {
    await chat.show([question('q', 'Why?'), answer(`a${round}`, text, { hasConfidence: true })], {
      drawer: { fields: {}, extra: [], files: [], hasSystemPrompt: false, hasModel: false },
    });
    const openMs = await timed(page, () => document.querySelector<HTMLElement>('.parameters')?.click());
    await page.keyboard.press('Escape');
    await page.evaluate(() =>
      document.querySelector<HTMLElement>('[aria-expanded].icon-button .codicon-pulse')?.click(),
    );
    const drawMs = await timed(page, ([message, shown]) => postMessage({ type: 'confidence', message, view: shown }), [
      `a${round}`,
      view,
    ] as const);
    const { tookMs } = await traceTasks(page, () => scrollThrough(page));
    if (round === 0) continue;
    opened.push(openMs);
    drawn.push(drawMs);
    longest = Math.max(longest, ...tookMs);
  }
  await page.close();
  return [
    toRow({ bench, metric: 'The drawer opens', value: median(opened), unit: 'ms', goal: most(50) }),
    toRow({ bench, metric: `${tokens} tokens are marked`, value: median(drawn), unit: 'ms', goal: most(100) }),
    toRow({ bench, metric: `${tokens} tokens: longest task of scrolling`, value: longest, unit: 'ms', goal: most(50) }),
  ];
}

function longView(): ConfidenceView {
  const words = range(tokens).map((index) => `${index % 12 === 0 ? '\n' : ' '}word${index % 97}`);
  const starts: number[] = [];
  let end = 0;
  for (const word of words) {
    starts.push(end);
    end += word.length;
  }
  const others = range(5).map((other) => [` other${other}`, 5 - other] as const);
  const percents = words.map((_, index) => (index * 37) % 100);
  const all = words.map((text, index) => JSON.stringify([{ text, percent: percents[index], others }]));
  return { text: words.join(''), starts, percents, tokens: all, perplexity: '1.5', canFork: true };
}

/** Milliseconds from the call to the picture after it, by the page's clock. */
async function timed<T = undefined>(page: Page, run: (given: T) => void, given?: T): Promise<number> {
  await page.evaluate(`globalThis.runTimed = ${run.toString()}`);
  return page.evaluate(async (value) => {
    const started = performance.now();
    (globalThis as unknown as { runTimed: (given: unknown) => void }).runTimed(value);
    // What comes after the frame comes after the picture; a message comes before it.
    await new Promise((done) => setTimeout(done));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - started;
  }, given as unknown);
}

function scrollThrough(page: Page): Promise<void> {
  return page.evaluate(async (count) => {
    const box = document.querySelector('.confidence-text');
    if (box === null) throw new Error('The tokens are not marked.');
    for (let step = 1; step <= count; step++) {
      box.scrollTop = (box.scrollHeight * step) / count;
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
  }, steps);
}
