import { parentPort, workerData } from 'node:worker_threads';
import { createExaminer, type ExaminerData, type ExaminerMethods } from './examiner.ts';
import { createRpc } from './rpc.ts';

/** The entry of the thread that looks at files for the search worker. */
if (parentPort === null) throw new Error('The examiner runs as a worker thread.');
const examiner = createExaminer(workerData as ExaminerData);
createRpc(parentPort, {
  examine: ({ path, known }: ExaminerMethods['examine']['params']) => examiner.examine(path, known),
});
