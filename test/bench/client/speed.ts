import { type Row, toRow } from '../row.ts';
import { type Contender, createContenders, type Source } from './contenders.ts';
import { startSpeedService } from './speedService.ts';
import { median } from './statistics.ts';
import { eventPackets, smallPackets, textLength, tokenCount } from './tokens.ts';

/** Measured rounds, after one that warms up; an odd number has a middle. */
const rounds = 9;

/** Tokens per second from bytes to deltas. In every round each client reads the same stream once, in turn. */
export async function measureSpeed(): Promise<Row[]> {
  const contenders = await createContenders();
  const service = await startSpeedService();
  const sources: [words: string, source: Source][] = [
    ['one event a packet', inProcess(eventPackets())],
    ['packets of 40 bytes', inProcess(smallPackets(40))],
    ['over a loopback socket', { baseUrl: service.tokensUrl }],
  ];
  try {
    const rows: Row[] = [];
    for (const [words, source] of sources) rows.push(...rowsOf(words, await race(contenders, source)));
    return rows;
  } finally {
    for (const contender of contenders) await contender.close?.();
    await service.close();
  }
}

/** A body that hands over one packet whenever it is asked for one. */
function inProcess(packets: readonly Uint8Array[]): Source {
  const body = () => {
    let next = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const packet = packets[next++];
        if (packet === undefined) controller.close();
        else controller.enqueue(packet);
      },
    });
  };
  return { baseUrl: 'http://127.0.0.1/v1', body };
}

async function race(contenders: readonly Contender[], source: Source): Promise<Map<string, number[]>> {
  const wanted = textLength();
  const speeds = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const contender of contenders) {
      let length = 0;
      const start = performance.now();
      await contender.read(source, (text) => {
        length += text.length;
      });
      const seconds = (performance.now() - start) / 1000;
      if (length !== wanted) throw new Error(`${contender.name} gave ${length} of ${wanted} characters.`);
      if (round > 0) speeds.get(contender.name)?.push(tokenCount / seconds);
    }
  }
  return speeds;
}

/** Parley against each peer; the goal is on the fastest. */
function rowsOf(words: string, speeds: ReadonlyMap<string, number[]>): Row[] {
  const medians = [...speeds].map(([name, sample]) => ({ name, value: median(sample) }));
  const [parley, ...peers] = medians;
  const fastest = Math.max(...peers.map(({ value }) => value));
  return peers.map((peer) =>
    toRow({
      bench: 'client',
      metric: `speed, ${words}, against ${peer.name}`,
      value: parley?.value ?? 0,
      unit: 'tokens/s',
      peer,
      ...(peer.value === fastest ? { goal: { of: 'ratio', is: '>=', bound: 2 } } : {}),
    }),
  );
}
