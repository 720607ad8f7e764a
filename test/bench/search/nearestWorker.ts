/** The worker of the bench: the store of the extension behind its own calls, asked for what is nearest alone. */
import { parentPort, workerData } from 'node:worker_threads';
import { createRpc } from '../../../src/base/rpc.ts';
import { openStore } from '../../../src/search/store/store.ts';

if (parentPort === null) throw new Error('This runs as a worker thread.');
const store = openStore(workerData as string);
createRpc(parentPort, {
  nearest: ({ query, k, files }: { query: Float32Array; k: number; files?: number[] }) =>
    store.findNearest(store.space('m'), query, k, files),
  close: () => store.close(),
});
