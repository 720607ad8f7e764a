import { type Row, toRow } from '../row.ts';
import { openChain } from './chain.ts';
import { codeAnswer, range } from './texts.ts';
import type { Windows } from './windows.ts';

const stops = 20;

/** From the click on Stop, while an answer streams, until the service sees that the connection is closed. */
export async function measureStop(windows: Windows, tell: (text: string) => void): Promise<Row[]> {
  tell('panel: Stop');
  const page = await windows.open();
  const chain = await openChain(page, { tokensPerSecond: 2000 });
  const took: number[] = [];
  for (const _ of range(stops)) {
    const before = chain.service.requests.length;
    const asked = chain.session.ask(`say: ${codeAnswer()}`, []);
    await page.waitForFunction(
      () => (document.querySelector('.answer:last-of-type .markdown')?.textContent ?? '').length > 500,
    );
    await page.hover('.send');
    await page.mouse.down();
    const clicked = performance.now();
    const closed = chain.service.waitForRequest(
      (request) => chain.service.requests.indexOf(request) >= before && request.aborted,
    );
    await Promise.all([page.mouse.up(), closed.then(() => took.push(performance.now() - clicked))]);
    await asked;
  }
  await chain.close();
  await page.close();
  const goal = { of: 'value', is: '<=', bound: 100 } as const;
  return [
    toRow({
      bench: 'panel',
      metric: `Stop until the socket is closed, slowest of ${stops}`,
      value: Math.max(...took),
      unit: 'ms',
      goal,
    }),
  ];
}
