/**
 * Asks an index all questions through a worker, in a process of its own so that its memory is told apart. Run as `ask.ts`
 * bundles it. Prints an answer as JSON. Arguments: folder of the index, file of the questions (float32), dimensions, k, rounds, files to look in.
 */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createRpc, type Methods } from '../../../src/base/rpc.ts';
import type { Nearest } from '../../../src/search/types.ts';

export interface Answer {
  /** From the start of the worker to the first answer. */
  firstMs: number;
  ms: number[];
  /** For each question the places that were found. */
  found: number[][];
  /** The most memory that was resident after any answer. */
  peakBytes: number;
}

interface BenchMethods extends Methods {
  nearest: { params: { query: Float32Array; k: number; files?: number[] | undefined }; result: Nearest[] };
  close: { params: undefined; result: undefined };
}

const [directory = '', file = '', ...numbers] = process.argv.slice(2);
const [dimensions = 0, k = 0, rounds = 0, lookIn = 0] = numbers.map(Number);
const bytes = readFileSync(file);
const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
const questions = Array.from({ length: all.length / dimensions }, (_, index) =>
  all.slice(index * dimensions, (index + 1) * dimensions),
);
const files = lookIn === 0 ? undefined : Array.from({ length: lookIn }, (_, index) => index + 1);

const started = performance.now();
const worker = new Worker(new URL('./nearestWorker.mjs', import.meta.url), { workerData: directory });
const rpc = createRpc<BenchMethods>(worker, {});
const ask = (query: Float32Array): Promise<Nearest[]> => rpc.call('nearest', { query, k, files });
await ask(questions[0] as Float32Array);
const firstMs = performance.now() - started;
const found: number[][] = [];
for (const question of questions) found.push((await ask(question)).map((near) => near.id - 1));
const ms: number[] = [];
// Not the system's own figure: that begins with what the process that started this one had.
let peakBytes = 0;
for (let round = 0; round < rounds; round++) {
  for (const question of questions) {
    const before = performance.now();
    await ask(question);
    ms.push(performance.now() - before);
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }
}
await rpc.call('close', undefined);
await worker.terminate();
const answer: Answer = { firstMs, ms, found, peakBytes };
console.log(JSON.stringify(answer));
