import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createExaminer, type ExaminerData, type ExaminerMethods } from './examiner.ts';
import { createRpc } from './rpc.ts';

/** The entry of the thread that looks at files for the search worker. */
if (parentPort === null) throw new Error('The examiner runs as a worker thread.');
// The editor goes first. Linux takes 0 for the thread that calls; elsewhere it is the whole process.
if (process.platform === 'linux') setPriority(0, 10);
const examiner = createExaminer(workerData as ExaminerData);
createRpc(parentPort, {
  examine: ({ path, known }: ExaminerMethods['examine']['params']) => examiner.examine(path, known),
});
