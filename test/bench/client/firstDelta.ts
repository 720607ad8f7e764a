import { Agent, request } from 'undici';
import { type Row, toRow } from '../row.ts';
import { type Contender, createContenders } from './contenders.ts';
import { startSpeedService } from './speedService.ts';
import { median, quantile } from './statistics.ts';

const samples = 200;
const warmUp = 20;

/** Milliseconds from the call to the first delta, beside a bare request of undici that reads the first bytes. */
export async function measureFirstDelta(): Promise<Row[]> {
  const contenders = await createContenders();
  const service = await startSpeedService();
  const agent = new Agent({ allowH2: false });
  const bare: Contender = { name: 'bare undici', read: ({ baseUrl }, onText) => readBare(agent, baseUrl, onText) };
  const times = new Map<Contender, number[]>([bare, ...contenders].map((each) => [each, []]));
  try {
    for (let sample = -warmUp; sample < samples; sample++) {
      for (const [contender, measured] of times) {
        const time = await timeToFirst(contender, service.firstUrl);
        if (sample >= 0) measured.push(time);
      }
    }
  } finally {
    for (const contender of contenders) await contender.close?.();
    await agent.close();
    await service.close();
  }
  const floor = times.get(bare) ?? [];
  return contenders.flatMap((contender) => rowsOf(contender.name, times.get(contender) ?? [], floor));
}

async function timeToFirst(contender: Contender, baseUrl: string): Promise<number> {
  const start = performance.now();
  let first = Number.NaN;
  await contender.read({ baseUrl }, () => {
    if (Number.isNaN(first)) first = performance.now() - start;
  });
  return first;
}

async function readBare(dispatcher: Agent, baseUrl: string, onText: (text: string) => void): Promise<void> {
  const { body } = await request(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"model":"bench","messages":[{"role":"user","content":"Hello"}],"stream":true}',
    dispatcher,
  });
  for await (const bytes of body) onText(String(bytes));
}

function rowsOf(name: string, sample: readonly number[], floor: readonly number[]): Row[] {
  const figures = [
    ['median', median],
    ['95th percentile', (values: readonly number[]) => quantile(values, 0.95)],
  ] as const;
  return figures.flatMap(([words, figure]) => [
    toRow({
      bench: 'client',
      metric: `time to first delta, ${words}, ${name}`,
      value: figure(sample),
      unit: 'ms',
      peer: { name: 'bare undici', value: figure(floor) },
    }),
    ...(name === 'Parley'
      ? [
          toRow({
            bench: 'client',
            metric: `time to first delta over bare undici, ${words}`,
            value: figure(sample) - figure(floor),
            unit: 'ms',
            goal: { of: 'value', is: '<=', bound: 5 },
          }),
        ]
      : []),
  ]);
}
