/** Many requests at once against a service that fails often: every one has to end, and nothing may be left of it. */
import { type ChildProcess, fork } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import { embed } from '../../src/service/embeddings/embeddings.ts';
import { createTransport } from '../../src/service/transport/transport.ts';
import { DEFAULT_KEY } from '../service/auth.ts';

export interface SoakOptions {
  requests: number;
  atOnce: number;
  seed: number;
}

export interface SoakReport {
  /** For each fault (or none): how its requests ended, by number. */
  outcomes: Map<string, Map<string, number>>;
  /** What was not as it has to be, as sentences. */
  problems: string[];
  seconds: number;
  /** Bytes of the heap after a fifth of the requests and after all, garbage collected. */
  heap: [early: number, late: number];
  left: { sockets: number; connections: number; timers: number; listeners: number };
}

/** A fifth of the requests meet one of these. */
const faults = [
  '400',
  '401',
  '429',
  '429-quota',
  '500',
  '503',
  'cut',
  'cut-clean',
  'stall',
  'reset',
  'slow-first-byte',
  'garbage',
  'html',
  'html-502',
  'empty',
  'error-in-stream',
  'redirect',
];
/** Only a stream can meet these. */
const streamed = new Set<string | undefined>(['cut-clean', 'error-in-stream']);
/** The client stops these itself. */
const stopped = 'slow-first-byte';

/** Waits take a five-hundredth of their time, so that a refusal does not hold all others for a second. */
function createQuickClock(): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * 500,
    sleep: (ms, signal) => systemClock.sleep(ms / 500, signal),
    random: Math.random,
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
function heapAfterCollection(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

export async function runSoak({ requests, atOnce, seed }: SoakOptions): Promise<SoakReport> {
  const service = fork(join(import.meta.dirname, 'service.ts'), { execArgv: [] });
  const { baseUrl } = await messageOf<{ baseUrl: string }>(service);
  const before = countLeft();
  const random = createRandom(seed);
  const transport = createTransport({
    clock: createQuickClock(),
    timeouts: { connect: 30_000, firstByte: 30_000, upload: 30_000, idle: 3_000, total: 0 },
  });
  const chat = createChatClient(transport);
  const shared = new AbortController();
  const outcomes: SoakReport['outcomes'] = new Map();
  const problems: string[] = [];
  const start = performance.now();
  let begun = 0;
  let ended = 0;
  let early = 0;

  async function one(): Promise<void> {
    const n = begun++;
    const fault = random() < 0.2 ? faults[Math.floor(random() * faults.length)] : undefined;
    const kind = streamed.has(fault) ? 0 : Math.floor(random() * 3);
    const outcome = await ask(n, fault, kind).catch((error: unknown) => {
      if (error instanceof ServiceError) return error.kind;
      problems.push(`Request ${n} (${fault}) failed with no ServiceError: ${error}`);
      return 'other';
    });
    const of = outcomes.get(fault ?? 'none') ?? new Map<string, number>();
    outcomes.set(fault ?? 'none', of.set(outcome, (of.get(outcome) ?? 0) + 1));
    ended += 1;
    if (ended === Math.floor(requests / 5)) early = heapAfterCollection();
  }

  /** A streamed answer, a whole one, or an embedding. */
  async function ask(n: number, fault: string | undefined, kind: number): Promise<string> {
    const model = fault === undefined ? (kind === 2 ? 'parley-embed' : 'parley-chat') : `fault-${fault}`;
    const endpoint = { baseUrl, model, apiKey: new ApiKey(DEFAULT_KEY) };
    const own = new AbortController();
    const signal = fault === stopped ? own.signal : shared.signal;
    const timer = fault === stopped ? setTimeout(() => own.abort(), random() * 50) : undefined;
    try {
      if (kind === 2) {
        const { vectors } = await embed(transport, endpoint, [`text ${n}`], signal);
        return vectors.length === 1 ? 'ok' : 'wrong';
      }
      let text = '';
      const content = `say: answer number ${n}`;
      const events = chat.chat(endpoint, { messages: [{ role: 'user', content }], stream: kind === 0 }, signal);
      for await (const event of events) if (event.type === 'text') text += event.text;
      return text === `answer number ${n}` ? 'ok' : 'wrong';
    } finally {
      clearTimeout(timer);
    }
  }

  async function worker(): Promise<void> {
    while (begun < requests) await one();
  }
  await Promise.all(Array.from({ length: atOnce }, worker));
  const seconds = (performance.now() - start) / 1000;
  const late = heapAfterCollection();
  const listeners = getEventListeners(shared.signal, 'abort').length;
  await transport.close();
  const left = { ...(await settle(service, before)), listeners };
  service.disconnect();
  await once(service, 'exit');
  judge({ outcomes, problems, requests, ended, left, heap: [early, late] });
  return { outcomes, problems, seconds, heap: [early, late], left };
}

function judge(
  report: Pick<SoakReport, 'outcomes' | 'problems' | 'left' | 'heap'> & { requests: number; ended: number },
) {
  const { outcomes, problems, left, heap, requests, ended } = report;
  if (ended !== requests) problems.push(`${requests - ended} requests did not end.`);
  for (const [fault, of] of outcomes) {
    if (of.has('wrong')) problems.push(`${of.get('wrong')} answers with the fault ${fault} were taken for whole.`);
    if (fault !== 'none' && of.has('ok')) problems.push(`${of.get('ok')} requests did not notice the fault ${fault}.`);
  }
  const good = outcomes.get('none') ?? new Map<string, number>();
  const bad = [...good].filter(([kind]) => kind !== 'ok');
  for (const [kind, count] of bad) problems.push(`${count} requests without a fault ended in ${kind}.`);
  for (const [what, count] of Object.entries(left)) if (count > 0) problems.push(`${count} ${what} are left.`);
  const growth = heap[1] - heap[0];
  if (growth > 4e6) problems.push(`The heap grew by ${(growth / 1e6).toFixed(1)} MB.`);
}

const resourceNames = { sockets: /^TCP(Socket|Connect)Wrap$/, timers: /^Timeout$/ };

function countLeft() {
  const active = process.getActiveResourcesInfo();
  const count = (pattern: RegExp): number => active.filter((name) => pattern.test(name)).length;
  return { sockets: count(resourceNames.sockets), timers: count(resourceNames.timers) };
}

/** What is left once the closing of sockets has reached the other side; what does not go within 5 s has come to stay. */
async function settle(service: ChildProcess, before: ReturnType<typeof countLeft>) {
  const end = performance.now() + 5_000;
  for (;;) {
    const now = countLeft();
    service.send('connections?');
    const { connections } = await messageOf<{ connections: number }>(service);
    const left = { sockets: now.sockets - before.sockets, timers: now.timers - before.timers, connections };
    if (Object.values(left).every((count) => count <= 0) || performance.now() > end) return left;
    await new Promise(setImmediate);
  }
}

async function messageOf<T>(child: ChildProcess): Promise<T> {
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The service ended.'))),
  ]);
  return message as T;
}
