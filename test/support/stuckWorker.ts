/** The search worker, in which some questions never end: one that listens while it is at it, and one that does not. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ method, params }: { method?: string; params?: { query?: { text: string } } }) => {
  if (method !== 'search' || params?.query?.text !== 'round and round') return;
  parentPort?.postMessage({ type: 'call', id: -1, method: 'warn', params: { text: 'stuck' } });
  for (;;);
});
await import('../../src/search/worker/worker.ts');
