import { setPriority } from 'node:os';
import { createRpc } from '../../base/rpc.ts';
import { createExaminer, type Examiner, type ExaminerData, type ExaminerMethods } from './examiner.ts';

/** The entry of the process that examines files for the search worker. It ends with the worker. */
process.once('disconnect', () => process.exit());
try {
  // A low priority lets the editor go first.
  setPriority(0, 10);
} catch {
  // Some systems do not allow a process to set its priority.
}
let examiner: Examiner | undefined;
createRpc(
  { postMessage: (message) => process.send?.(message), on: (event, listener) => process.on(event, listener) },
  {
    start: (data: ExaminerData) => {
      examiner = createExaminer(data);
    },
    examine: ({ path, known }: ExaminerMethods['examine']['params']) => examiner?.examine(path, known),
  },
);
