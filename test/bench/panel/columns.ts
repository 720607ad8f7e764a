import type { Page } from 'playwright-core';
import type { ColumnView, FromChatPanel } from '../../../src/webview/shared/protocol/protocol.ts';
import { tokenize } from '../../service/tokens.ts';
import { openChatPage } from '../../ui/chatPage.ts';
import { answer, question } from '../../ui/samples.ts';
import { type Row, toRow } from '../row.ts';
import { traceTasks } from './tasks.ts';
import { codeAnswer, range } from './texts.ts';
import type { Windows } from './windows.ts';

const rounds = 3;
const columns = 4;
/** Of all columns. */
const tokensPerSecond = 2000;
const tokensInAll = 10_000;
/** How often the host has new text for the page, in milliseconds: as its session gathers it. */
const gatherMs = 40;

const bench = 'panel';

/** Four answers side by side, whose pieces come mixed. */
export async function measureColumns(windows: Windows, tell: (text: string) => void): Promise<Row[]> {
  tell(`panel: ${columns} answers side by side, ${tokensPerSecond} tokens a second in all`);
  let longest = 0;
  for (const round of range(rounds + 1)) {
    const page = await windows.open();
    await page.setViewportSize({ width: 900, height: 800 });
    const { tookMs } = await stream(page);
    await page.close();
    if (round > 0) longest = Math.max(longest, ...tookMs);
  }
  const goal = { of: 'value', is: '<=', bound: 50 } as const;
  return [toRow({ bench, metric: `${columns} answers side by side: longest task`, value: longest, unit: 'ms', goal })];
}

async function stream(page: Page) {
  const chat = await openChatPage(page);
  await chat.theme('dark');
  await chat.show([question('q', 'Why?'), answer('v0', '')]);
  const views = range(columns).map((index): ColumnView => {
    const head = { name: `model ${index}`, figures: [], at: index + 1, of: columns, isChosen: index === 0 };
    return { ...answer(`v${index}`, '', { state: 'streaming' }), head };
  });
  const comparison = { id: 'k', seq: 0, question: 'Why?', columns: views };
  await chat.send({ type: 'comparison', isAskedFor: false, comparison }, false);
  const tokens = tokenize(codeAnswer(200 * 1024)).slice(0, tokensInAll / columns);
  const tasks = await traceTasks(page, () => page.evaluate(feed, { tokens, columns, tokensPerSecond, gatherMs }));
  const drawn = await page.locator('.column .markdown').allInnerTexts();
  if (drawn.length !== columns || drawn.some((text) => text.length < 1000))
    throw new Error('The columns are not drawn.');
  return tasks;
}

interface Feed {
  readonly tokens: readonly string[];
  readonly columns: number;
  readonly tokensPerSecond: number;
  readonly gatherMs: number;
}

/** Runs in the page: gives each column its tokens as time goes by, and ends when all of them are drawn. */
async function feed({ tokens, columns: count, tokensPerSecond: perSecond, gatherMs: every }: Feed): Promise<void> {
  const started = performance.now();
  let [given, seq] = [0, 0];
  while (given < tokens.length) {
    await new Promise((done) => setTimeout(done, every));
    const due = Math.min(tokens.length, Math.floor(((performance.now() - started) * perSecond) / 1000 / count));
    const text = tokens.slice(given, due).join('');
    given = due;
    if (text === '') continue;
    const patches = Array.from({ length: count }, (_, index) => {
      seq++;
      return { conversation: 'k', seq, change: { kind: 'append', index, field: 'text', text } };
    });
    postMessage({ type: 'columns', patches });
  }
  const isDrawn = (): boolean =>
    (globalThis as unknown as { posted: FromChatPanel[] }).posted.some(
      (each) => each.type === 'columnsDrawn' && each.seq >= seq,
    );
  while (!isDrawn()) await new Promise((done) => setTimeout(done, every));
}
