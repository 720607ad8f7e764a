import type { Page } from 'playwright-core';
import { connected, openChatPage } from '../../ui/chatPage.ts';
import { strings } from '../../ui/strings.ts';
import { median } from '../client/statistics.ts';
import { type Row, toRow } from '../row.ts';
import { type LongConversations, writeLongConversations } from './longConversation.ts';
import { range } from './texts.ts';
import type { Windows } from './windows.ts';

const rounds = 5;
const opens = 50;
/** After so many, what an opening leaves in caches is there. */
const warmOpens = 5;

const bench = 'panel';
const most = (bound: number) => ({ of: 'value', is: '<=', bound }) as const;

/** A conversation of 1,000 messages: from the disk to the picture, and what it leaves in the page. */
export async function measureOpening(windows: Windows, tell: (text: string) => void): Promise<Row[]> {
  tell('panel: a conversation of 1,000 messages');
  const conversations = await writeLongConversations();
  try {
    const [id = ''] = conversations.ids;
    const times: number[] = [];
    let nodes = 0;
    for (const round of range(rounds + 1)) {
      const page = await openEmpty(windows);
      const started = performance.now();
      const json = await toShow(conversations, id);
      const tookMs = performance.now() - started + (await show(page, json));
      if (round > 0) times.push(tookMs);
      nodes = await countNodes(page);
      await page.close();
    }
    const [warm, full] = await measureMemory(windows, conversations);
    const peer = { name: `after ${warmOpens} opens`, value: warm };
    return [
      toRow({ bench, metric: '1,000 messages: opens', value: median(times), unit: 'ms', goal: most(300) }),
      toRow({ bench, metric: '1,000 messages: nodes of the page', value: nodes, unit: '', goal: most(5000) }),
      toRow({
        bench,
        metric: `1,000 messages: memory after ${opens} opens`,
        value: full,
        unit: 'MB',
        peer,
        goal: { of: 'ratio', is: '<=', bound: 1.05 },
      }),
    ];
  } finally {
    await conversations.remove();
  }
}

async function openEmpty(windows: Windows): Promise<Page> {
  const page = await windows.open();
  const { theme } = await openChatPage(page);
  await theme('dark');
  return page;
}

/** What the host sends, as the text that goes from process to process. */
async function toShow(conversations: LongConversations, id: string): Promise<string> {
  const messages = await conversations.open(id);
  return JSON.stringify({ type: 'show', strings, conversation: id, seq: 0, messages, state: connected, fields: [] });
}

/** Shows a conversation. Gives the milliseconds from the text of the message to the picture, by the page's clock. */
function show(page: Page, json: string): Promise<number> {
  return page.evaluate(async (text) => {
    const started = performance.now();
    const count = globalThis.posted.length;
    globalThis.postMessage(JSON.parse(text));
    const isDrawn = (): boolean =>
      globalThis.posted.slice(count).some((each) => (each as { type: string }).type === 'drawn');
    while (!isDrawn()) await new Promise((done) => setTimeout(done));
    // What comes after the frame comes after the picture.
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - started;
  }, json);
}

/** Elements, texts and comments, once nothing is drawn any more. */
function countNodes(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const count = (): number => {
      const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
      let nodes = 1;
      while (walker.nextNode() !== null) nodes++;
      return nodes;
    };
    for (let before = -1, now = count(); before !== now; before = now, now = count()) {
      await new Promise((done) => setTimeout(done, 250));
    }
    return count();
  });
}

/** Megabytes of the page after the warm openings, and after all. */
async function measureMemory(windows: Windows, conversations: LongConversations): Promise<[number, number]> {
  const page = await openEmpty(windows);
  const texts = await Promise.all(conversations.ids.map((id) => toShow(conversations, id)));
  let warm = 0;
  for (const i of range(opens)) {
    await show(page, texts[i % texts.length] ?? '');
    if (i + 1 === warmOpens) warm = await usedMegabytes(page);
  }
  const full = await usedMegabytes(page);
  await page.close();
  return [warm, full];
}

/** What is left after a collection, of JavaScript and of the page's own. */
async function usedMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await countNodes(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize = 0 } = (await session.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    embedderHeapUsedSize?: number;
  };
  await session.detach();
  return (usedSize + embedderHeapUsedSize) / 2 ** 20;
}
