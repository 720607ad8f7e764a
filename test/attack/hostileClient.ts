/** Reads hostile answers in a process of its own, as the extension does, and measures what that costs. */
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../src/base/errors.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { translateAudio } from '../../src/service/audio/audio.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import { embed } from '../../src/service/embeddings/embeddings.ts';
import { listModels } from '../../src/service/models/models.ts';
import type { Transport } from '../../src/service/request.ts';
import { createTransport } from '../../src/service/transport/transport.ts';
import { createPatientClock } from '../contract/client.ts';
import type { HostileAnswer } from './hostileAnswers.ts';

export interface Work {
  baseUrl: string;
  operation: HostileAnswer['operation'];
  path: 'direct' | 'editor';
  /** A file to upload. */
  recording: string;
}

/** Processor time, in milliseconds of this thread, is not changed by what else the machine does. */
export interface Measured {
  /** `answered`, the kind of a ServiceError, or `unexpected: …`. */
  outcome: string;
  hint: string | undefined;
  /** The longest turn of the event loop. */
  block: number;
  /** Parsing a megabyte of JSON, measured in the same process. */
  yardstick: number;
  /** The most that was alive beyond what was alive before, in MiB. */
  growth: number;
  /** From Stop to the end; undefined when it ended before. */
  stop: number | undefined;
  stopMs: number | undefined;
  ms: number;
  /** Characters of text, or numbers, that came. */
  size: number;
}

const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const mib = (): number => {
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
};
const sampleEvery = 20;

/** Looks every few milliseconds how much this thread has worked since it looked last; now and then at what is alive. */
function createProbe() {
  const before = mib();
  let last = cpu();
  let block = 0;
  let growth = 0;
  let ticks = 0;
  const look = (withMemory: boolean): void => {
    block = Math.max(block, cpu() - last);
    if (withMemory) growth = Math.max(growth, mib() - before);
    last = cpu();
  };
  const timer = setInterval(() => look(++ticks % sampleEvery === 0), 2);
  return {
    end() {
      clearInterval(timer);
      look(true);
      return { block, growth };
    },
  };
}

const yardstickText = JSON.stringify(
  Array.from({ length: 12_000 }, (_, i) => ({ index: i, name: `the member ${i} of a list`, score: i / 7, list: [i] })),
);
function measureYardstick(): number {
  const times = Array.from({ length: 15 }, () => {
    const start = cpu();
    JSON.parse(yardstickText);
    return cpu() - start;
  });
  return (times.sort((a, b) => a - b)[7] ?? 0) * (1_048_576 / yardstickText.length);
}

let size = 0;
const question = [{ role: 'user' as const, content: 'Hello' }];
/** What came, so that it is alive when it is measured. */
const held: { value: unknown } = { value: undefined };

async function call(work: Work, transport: Transport, signal: AbortSignal): Promise<unknown> {
  const endpoint = { baseUrl: work.baseUrl, model: 'm', apiKey: new ApiKey('sk-attack-0000') };
  switch (work.operation) {
    case 'chat':
    case 'chat-json': {
      // Joined by the thousand: a text that grows by two letters at a time takes many times its length.
      let text = '';
      let pieces: string[] = [];
      held.value = () => [text, pieces];
      const request = { messages: question, stream: work.operation === 'chat' };
      for await (const event of createChatClient(transport).chat(endpoint, request, signal)) {
        if (!('text' in event)) continue;
        size += event.text.length;
        if (pieces.push(event.text) < 1_000) continue;
        text += pieces.join('');
        pieces = [];
      }
      return text + pieces.join('');
    }
    case 'embeddings': {
      const { vectors } = await embed(transport, endpoint, ['a', 'b'], signal);
      size = vectors.reduce((sum, each) => sum + each.length, 0);
      return vectors;
    }
    case 'models': {
      const models = await listModels(transport, endpoint, signal);
      size = models.length;
      return models;
    }
    case 'audio': {
      const file = { path: work.recording, contentType: 'audio/wav', fileField: 'file', prompt: '', temperature: 0 };
      const made = await translateAudio(transport, endpoint, { ...file, responseFormat: 'verbose_json' }, signal);
      size = made.text.length;
      return made;
    }
  }
}

/** Closed when the next one begins: whether a socket closes by itself is looked at meanwhile. */
let last: Transport | undefined;

async function run(work: Work, signal: AbortSignal): Promise<Omit<Measured, 'stop' | 'stopMs'>> {
  const yardstick = measureYardstick();
  await last?.close();
  const transport = createTransport({
    clock: createPatientClock(),
    timeouts: { connect: 10_000, firstByte: 60_000, upload: 60_000, idle: 60_000, total: 0 },
    fetch: globalThis.fetch,
    path: work.path,
  });
  last = transport;
  size = 0;
  const started = performance.now();
  const probe = createProbe();
  let outcome = 'answered';
  let hint: string | undefined;
  try {
    held.value = await call(work, transport, signal);
  } catch (error) {
    outcome = error instanceof ServiceError ? error.kind : `unexpected: ${error}`;
    if (error instanceof ServiceError) hint = error.hint;
    else process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  }
  const ms = performance.now() - started;
  await turn();
  const measured = probe.end();
  held.value = undefined;
  return { outcome, hint, yardstick, ms, size, ...measured };
}

let controller = new AbortController();
interface Moment {
  cpu: number;
  ms: number;
}
let stopped: Moment | undefined;
const since = (moment: Moment | undefined): Moment | undefined =>
  moment && { cpu: cpu() - moment.cpu, ms: performance.now() - moment.ms };
process.once('disconnect', () => process.exit());
process.on('uncaughtException', (error) => {
  process.send?.({ outcome: `unexpected: uncaught ${error}` });
});
process.on('message', async (message: Work | 'stop') => {
  if (message === 'stop') {
    stopped = { cpu: cpu(), ms: performance.now() };
    controller.abort();
    return;
  }
  controller = new AbortController();
  stopped = undefined;
  const measured = await run(message, controller.signal);
  const stop = since(stopped);
  process.send?.({ ...measured, stop: stop?.cpu, stopMs: stop?.ms } satisfies Measured);
});
