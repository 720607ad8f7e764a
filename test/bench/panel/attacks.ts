import type { Page } from 'playwright-core';
import type { ServiceClient } from '../../../src/service/client.ts';
import { type Row, toRow } from '../row.ts';
import { type Chain, type ChainOptions, openChain } from './chain.ts';
import { slowestAnswer, typeDuring } from './keys.ts';
import { range } from './texts.ts';
import type { Windows } from './windows.ts';

interface Attack {
  readonly what: string;
  readonly options?: ChainOptions;
  run(chain: Chain, page: Page): Promise<void>;
}

/** A paste of 20,000 lines: just short of what the box takes. */
const lines = range(20_000)
  .map((i) => `line ${i}: what stands in a log`)
  .join('\n');

const attacks: readonly Attack[] = [
  {
    what: 'A line of 10 MB',
    options: { client: inPieces('word '.repeat(2 * 2 ** 20), 64 * 1024) },
    run: ({ session }, page) => typeDuring(page, session.ask('Go on.', [])),
  },
  {
    what: '100,000 deltas of a byte',
    // The test double takes each of these letters for a token.
    run: ({ session }, page) => typeDuring(page, session.ask(`say: ${'!'.repeat(100_000)}`, [])),
  },
  {
    what: 'A paste of 20,000 lines, attached and sent',
    options: { client: inPieces('Thank you.', 5), pasted: lines },
    run: (chain, page) => pasteAndSend(chain, page, 'Control+V'),
  },
  {
    what: 'A paste of 20,000 lines as plain text, sent',
    options: { client: inPieces('Thank you.', 5), pasted: lines },
    run: (chain, page) => pasteAndSend(chain, page, 'Control+Shift+V'),
  },
];

/** What answers and users can do to a panel: it goes on answering the keys that are pressed meanwhile. */
export async function measureAttacks(windows: Windows, tell: (text: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, options, run } of attacks) {
    tell(`panel: ${what}`);
    const page = await windows.open();
    const chain = await openChain(page, options);
    if (options?.pasted !== undefined) await copy(page, options.pasted);
    const value = await slowestAnswer(page, () => run(chain, page));
    const goal = { of: 'value', is: '<=', bound: 100 } as const;
    rows.push(toRow({ bench: 'panel', metric: `${what}: slowest answer to a key`, value, unit: 'ms', goal }));
    await chain.close();
    await page.close();
  }
  return rows;
}

/** A service that says this, so many characters at a time. */
function inPieces(text: string, length: number): Pick<ServiceClient, 'chat'> {
  return {
    async *chat() {
      for (let at = 0; at < text.length; at += length) {
        yield { type: 'text', choice: 0, text: text.slice(at, at + length) };
        await new Promise((done) => setTimeout(done));
      }
      yield { type: 'finish', choice: 0, reason: 'stop' };
    },
  };
}

/** Brings a text to the clipboard, by way of the message box. */
async function copy(page: Page, text: string): Promise<void> {
  const put = (value: string): Promise<void> =>
    page.locator('.composer .box').evaluate((box: HTMLTextAreaElement, next) => {
      box.value = next;
      box.select();
    }, value);
  await page.focus('.composer .box');
  await put(text);
  await page.keyboard.press('Control+C');
  await put('');
  // What the copy took is told after the next picture; it is no part of what is measured.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 5; frame++)
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
  });
}

async function pasteAndSend({ session }: Chain, page: Page, key: string): Promise<void> {
  await page.focus('.composer .box');
  await page.keyboard.press(key);
  await typeDuring(
    page,
    page.waitForFunction((length) => {
      const box = document.querySelector<HTMLTextAreaElement>('.composer .box');
      return (box?.value.length ?? 0) >= length || document.querySelector('.composer .chip') !== null;
    }, lines.length),
  );
  await page.keyboard.press('Enter');
  await typeDuring(
    page,
    page.waitForFunction(() => document.querySelector('.answer')?.textContent?.includes('Thank you.')),
  );
  const [question, answer] = session.conversation.messages;
  const asked = question?.role === 'user' ? [question.text, ...question.attachments.map(({ text }) => text)] : [];
  if (answer === undefined || !asked.some((text) => text.includes(lines))) throw new Error('The lines were not asked.');
}
