/** The thread in which answers to long files are planned. */
import { parentPort } from 'node:worker_threads';
import { createRpc, type Handlers, type Port } from '../base/rpc.ts';
import { planMethods } from './planMethods.ts';

createRpc(parentPort as Port, planMethods as unknown as Handlers);
