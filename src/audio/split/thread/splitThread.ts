/** The thread in which a recording is looked at and split, and after it another. */
import { parentPort } from 'node:worker_threads';
import { createRpc, type Handlers, type Port } from '../../../base/rpc.ts';
import { createSplitMethods } from './splitMethods.ts';

createRpc(parentPort as Port, createSplitMethods() as unknown as Handlers);
