/** The thread that splits recordings, in which one by the name of `endless` never gets on, and one by `hungry` takes all memory. */
import { parentPort, workerData } from 'node:worker_threads';

const { path } = workerData as { path: string };
parentPort?.on('message', () => {
  if (path.includes('endless')) for (;;);
  const kept: object[] = [];
  while (path.includes('hungry')) kept.push({ kept });
});
await import('../../src/audio/split/thread/splitThread.ts');
